/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * A ring that is written, read and spoiled as the input says: an operation, where, and what, in 7
 * bytes. Nothing outside is read, and reading ends.
 */
#include "capture/read/merge.h"
#include "fuzz.h"
#include "tests/capture/fake_ring.h"

#define START 1700000000000000000u
#define MOST  (1u << 20) /* records of one reading: the ring has room for 8192 */

static uint64_t read_all(struct merge *m, unsigned most)
{
	static void *nothing;
	static volatile unsigned sum;
	const struct epb_header *at;
	struct epb_lengths l;
	struct afxdp_run run;
	uint64_t n = 0, runs = 0;

	for (; n < most && merge_run(m, &run); merge_done(m, &run, at)) {
		must(++runs < MOST, "it does not end");
		run.changed = &nothing;
		for (at = run.first; n < most && afxdp_run_at(&run, at, &l); n++) {
			const uint8_t *frame = epb_frame(at);

			sum += frame[0] + (l.caplen ? frame[l.caplen - 1] : 0);
			at = (const void *)((const uint8_t *)at + l.total);
		}
	}
	must(n < MOST, "more than there can be");
	return n;
}

static void spoil(void *memory, size_t words, uint64_t where, uint64_t what)
{
	((uint32_t *)memory)[where % words] = (uint32_t)what;
}

static uint64_t number;

static void act(struct ring_set *s, struct merge *m, uint64_t what, uint64_t where, uint64_t value)
{
	struct ring *r = &s->ring[0];

	switch (what % 5) {
	case 0:
		for (uint64_t i = 0; i < 1 + where % 64; i++) {
			number++;
			fake_write(s, 0, START + number, (uint32_t)(value % 2000), number);
		}
		break;
	case 1:
		read_all(m, (unsigned)where + 1);
		break;
	case 2:
		spoil(r->control, RING_CONTROL_SIZE / 4, where, value);
		break;
	case 3:
		spoil((void *)(uintptr_t)r->data, s->size / 4, where, value);
		break;
	case 4: /* near what is read next */
		if (r->at && r->position != r->head)
			spoil((void *)(uintptr_t)r->at, (size_t)(r->end - r->at) / 4, where % 64,
			      value);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct ring_set *s;
	struct merge m;

	if (!s)
		s = fake_rings(1, RING_SIZE_MIN);
	/* As new: what is found is found again by its input alone. */
	memset(s->ring[0].control, 0, RING_CONTROL_SIZE);
	memset((void *)(uintptr_t)s->ring[0].data, 0, s->size);
	s->ring[0] = (struct ring){.control = s->ring[0].control, .data = s->ring[0].data};
	m = (struct merge){.rings = s};
	number = 0;
	while (size) {
		uint64_t what = take(&data, &size, 1), where = take(&data, &size, 2);

		act(s, &m, what, where, take(&data, &size, 4));
	}
	read_all(&m, MOST);
	return 0;
}
