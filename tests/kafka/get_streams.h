/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* A get as it runs, without a broker: sections of one stream are given to it, and the file is what
 * it writes. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kafka/get/links.h"
#include "kafka/get/merge.h"
#include "kafka/section.h"
#include "pcapng/write.h"
#include "raw_blocks.h"

#define LINK_USB 220

static const struct label who = {.host = "h", .session = "s", .writer = "w"};
static uint8_t memory[65536];

struct get {
	struct options options;
	struct streams streams;
	struct output output;
	struct merge merge;
};

static inline void open_get_to(struct get *g, char *const *expression, const char *path, bool mixed)
{
	static char *const none[] = {NULL};

	*g = (struct get){.options = {.until = UINT64_MAX,
				      .write = path,
				      .mixed_links = mixed,
				      .rest = expression ? expression : none}};
	assert_int_equal(streams_open(&g->streams, NULL), 0);
	assert_int_equal(output_open(&g->output, &g->options), 0);
	assert_int_equal(output_begin(&g->output), 0);
	merge_init(&g->merge, &g->streams, &g->output);
}

static inline void open_get(struct get *g, char *const *expression)
{
	open_get_to(g, expression, "/dev/null", false);
}

static inline void close_get(struct get *g)
{
	assert_int_equal(output_close(&g->output), 0);
	merge_free(&g->merge);
	streams_close(&g->streams);
}

static inline int give(struct section *s, const struct bytes *made)
{
	struct pcapng_reader r = {.at = made->at, .end = made->at + made->used};
	struct pcapng_block b;
	int e = 0;

	while (!e && pcapng_next(&r, &b))
		e = section_take(s, &b);
	return e;
}

/* Its interfaces are v0, v1 ..., with these snapshot lengths. */
static inline void begin_with(struct section *s, const uint16_t *links, const uint32_t *snaplens,
			      unsigned n)
{
	struct bytes b = {.at = memory, .room = sizeof(memory)};
	const struct pcapng_section header = {.os = "o"};

	section_init(s, &who, SECTION_SIZE);
	pcapng_put_section(&b, &header);
	for (unsigned i = 0; i < n; i++) {
		const char name[] = {'v', (char)('0' + i), 0};
		const struct pcapng_interface one = {.name = name,
						     .link_type = links[i],
						     .snaplen = snaplens ? snaplens[i] : 0};

		pcapng_put_interface(&b, &one);
	}
	assert_int_equal(give(s, &b), 0);
}

static inline void begin(struct section *s, const uint16_t *links, unsigned n)
{
	begin_with(s, links, NULL, n);
}

static inline void give_packet(struct section *s, uint32_t interface, uint64_t time)
{
	/* Ethernet, IPv4, TCP to port 80 */
	static const uint8_t frame[1024] =
		{[12] = 8, [14] = 0x45, [17] = 46, [22] = 64, [23] = 6, [37] = 80};
	struct bytes b = {.at = memory, .room = sizeof(memory)};
	const struct pcapng_frame f = {interface, time, sizeof(frame), sizeof(frame), frame};

	pcapng_put_frame(&b, &f);
	assert_int_equal(give(s, &b), 0);
}

/* What streams_add() says of it. */
static inline int add(struct get *g, struct section *s)
{
	struct buffer message;
	struct stream *unused;
	struct label l;
	int e;

	assert_int_equal(section_cut(s, 0, 0, &message, &l), 0);
	e = streams_add(&g->streams, &l, message.at, message.used, &unused);
	buffer_free(&message);
	return e;
}

static inline void add_raw(struct get *g, const struct label *l, struct buffer *b)
{
	struct stream *unused;

	assert_int_equal(streams_add(&g->streams, l, b->at, b->used, &unused), 0);
	b->used = 0;
}
