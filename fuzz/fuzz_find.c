/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Any bytes as what pcapng-find reads, by the first of them: a file of packets, whose keys are
 * taken, an index, with its checksums made right, or an expression.
 */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <sys/mman.h>
#include <unistd.h>

#include "find/capture.h"
#include "index/condition.h"
#include "fuzz.h"
#include "index/keys.h"

#define WORDS	 (INDEX_HEADER_SIZE / sizeof(uint64_t))
#define GRANULES 8 /* of the header's numbers, and */
#define PAGES	 9
#define TABLES	 10

static int in_memory(const void *data, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	must(fd >= 0 && write(fd, data, size) == (ssize_t)size, "no memory");
	must(lseek(fd, 0, SEEK_SET) == 0, "no file");
	return fd;
}

static void read_capture(const uint8_t *data, size_t size)
{
	static const uint16_t links[] = {1, 101, 276, 113, 0, 108, 228, 229, 147};
	struct capture_item i;
	struct index_keys k;
	struct capture c;

	if (capture_open(&c, in_memory(data, size)) == 0)
		while (capture_next(&c, &i) > 0 && c.position < (1u << 20))
			for (unsigned l = 0; i.is_packet && l < sizeof(links) / sizeof(links[0]);
			     l++)
				index_keys_of(&k, links[l], i.packet.frame, i.packet.caplen);
	capture_close(&c);
}

static void hit(void *context, uint64_t granule)
{
	const struct index *x = context;

	must(granule < x->granules, "a granule that is not there");
}

/* Sums that are right, so that what is behind them is reached. */
static void make_right(uint8_t *data, size_t size)
{
	uint64_t h[WORDS], n, tables;

	memcpy(h, data, sizeof(h));
	tables = h[GRANULES] * sizeof(struct index_granule) + h[PAGES] * sizeof(uint64_t);
	if (h[GRANULES] > size || h[PAGES] > size || tables > size - sizeof(h))
		return;
	h[TABLES] = XXH3_64bits(data + sizeof(h), tables);
	h[WORDS - 1] = XXH3_64bits(h, (WORDS - 1) * sizeof(h[0]));
	memcpy(data, h, sizeof(h));
	for (n = 0; n < h[PAGES] && size >= sizeof(h) + tables + (n + 1) * INDEX_PAGE_SIZE; n++) {
		uint8_t *page = data + sizeof(h) + tables + n * INDEX_PAGE_SIZE;
		uint64_t sum = XXH3_64bits_withSeed(page, INDEX_PAGE_SIZE - sizeof(sum), n);

		memcpy(page + INDEX_PAGE_SIZE - sizeof(sum), &sum, sizeof(sum));
	}
}

static void read_index(const uint8_t *data, size_t size, bool is_right)
{
	struct index_identity of = {.size = 1u << 20};
	uint8_t *copy = calloc(1, size + 1);
	struct index x;

	must(copy != NULL, "no memory");
	memcpy(copy, data, size);
	if (is_right && size >= INDEX_HEADER_SIZE) {
		memcpy(copy + 2 * sizeof(uint64_t), &of, sizeof(of));
		make_right(copy, size);
	}
	if (index_read(&x, in_memory(copy, size), size, &of) == 0) {
		for (uint32_t key = 0; key < 300; key++)
			index_find(&x, key * 0x00d5d5d5u, hit, &x);
		index_close(&x);
	}
	free(copy);
}

static void read_expression(const uint8_t *data, size_t size)
{
	static struct condition c;
	char *text = calloc(1, size + 1);

	must(text != NULL, "no memory");
	memcpy(text, data, size);
	condition_read(&c, text);
	must(c.nodes <= CONDITION_NODES && c.root < c.nodes, "a node that is not there");
	for (unsigned i = 0; i < c.nodes; i++)
		must(c.node[i].kind < CONDITION_AND || (c.node[i].of[0] < i && c.node[i].of[1] < i),
		     "a circle of nodes");
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return 0;
	switch (data[0] % 4) {
	case 0:
		read_capture(data + 1, size - 1);
		break;
	case 1:
	case 2:
		read_index(data + 1, size - 1, data[0] % 4 == 2);
		break;
	default:
		read_expression(data + 1, size - 1);
	}
	return 0;
}
