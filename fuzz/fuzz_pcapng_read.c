/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Any bytes as a pcapng file: its blocks and their options lie within it. */
#include "fuzz.h"
#include "pcapng/read.h"

static void read_options(const struct pcapng_block *b, uint32_t from)
{
	struct pcapng_options o = pcapng_options(b, from);
	struct pcapng_option one;

	while (pcapng_next_option(&o, &one)) {
		must(one.value >= b->body && one.value + one.length <= b->body + b->length,
		     "an option lies outside of its block");
		touch(one.value, one.length);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size ? size : 1); /* of just its size, for the sanitizers */
	struct pcapng_reader r = {.at = copy, .end = copy + size};
	struct pcapng_block b;
	uint64_t packets = 0;

	must(copy != NULL, "no memory");
	if (size)
		memcpy(copy, data, size);
	while (pcapng_next(&r, &b)) {
		must(b.body + b.length <= copy + size, "a block lies outside");
		for (uint32_t from = 0; from <= 24; from += 4)
			read_options(&b, from);
	}
	must(pcapng_whole_blocks(copy, size, &packets) <= size, "more than there is");
	must(packets <= size / BLOCK_LENGTH_MIN, "more packets than there is room for");
	free(copy);
	return 0;
}
