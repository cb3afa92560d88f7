/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Until something happens nobody reads, and each ring keeps the newest records: bpf/ring.bpf.h. The
 * program does this alone; the reader learns its position when it takes over.
 */
#include "capture/afxdpcapture.h"
#include "reader.h"
#include "util/grace.h"

_Static_assert(AFXDP_PULLS == RING_PULLS, "the face has the program's number");

static void ask_for_pull(const struct ring_set *s)
{
	for (unsigned i = 0; i < s->controlled; i++)
		__atomic_store_n(&s->ring[i].control->need_wakeup, RING_WAKE_PULL,
				 __ATOMIC_RELAXED);
}

/*
 * When the first frame comes, no program may be running that has another filter or mode, or has not
 * seen what is asked for.
 */
void afxdp_keep_newest(struct afxdp_reader *r)
{
	reading_begin(r);
	r->reading->unread = true;
	wait_set_unread(&r->wait, true);
	ask_for_pull(&r->reading->rings);
	grace_wait();
	r->reading->silent = false;
	ring_set_unwanted(&r->reading->rings, r->reading->unwanted);
}

uint64_t afxdp_pulled(const struct afxdp_reader *r)
{
	const struct ring_set *s = &r->reading->rings;
	uint64_t first = 0;

	for (unsigned i = 0; i < s->controlled; i++) {
		const struct epb_header *record = ring_pulled(s, &s->ring[i]);
		uint64_t time = record ? epb_time(record) : 0;

		if (time && (!first || time < first))
			first = time;
	}
	return first;
}

/* A program that has not seen keep may still overwrite records. Wait for it: what it leaves is then
 * counted and complete before it is read. */
void afxdp_take_over(struct afxdp_reader *const *r, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		ring_set_keep(&r[i]->reading->rings);
	grace_wait();
	for (unsigned i = 0; i < n; i++) {
		if (!r[i]->reading->unread)
			continue;
		ring_set_take_over(&r[i]->reading->rings);
		wait_set_unread(&r[i]->wait, false);
		r[i]->reading->unread = false;
	}
}

uint64_t afxdp_kept(const struct afxdp_reader *r)
{
	const struct ring_set *s = &r->reading->rings;
	uint64_t bytes = 0;

	for (unsigned i = 0; i < s->controlled; i++)
		bytes += ring_unread(s, &s->ring[i]);
	return bytes;
}
