/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <string.h>

#include "capture/afxdpcapture.h"
#include "pcapng/process.h"

#define BLOCK_DARWIN_PROCESS 0x80000001u
#define DARWIN_PROCESS_NAME  2
#define EPB_DARWIN_PROCESS   32769

static void put(struct bytes *b, const void *data, size_t n)
{
	if (b->overflow || n > b->room - b->used) {
		b->overflow = true;
		return;
	}
	memcpy(b->at + b->used, data, n);
	b->used += n;
}

static void put_u32(struct bytes *b, uint32_t v)
{
	put(b, &v, sizeof(v));
}

static void put_option(struct bytes *b, uint16_t code, const void *value, size_t n)
{
	static const uint8_t zeros[4];

	put_u32(b, EPB_OPTION(code, n));
	put(b, value, n);
	put(b, zeros, EPB_PADDED(n) - n);
}

void pcapng_put_process(struct bytes *b, uint32_t pid, const char *name)
{
	size_t n = strlen(name);
	uint32_t length = (uint32_t)(4 * sizeof(uint32_t) + 8 + EPB_PADDED(n));

	put_u32(b, BLOCK_DARWIN_PROCESS);
	put_u32(b, length);
	put_u32(b, pid);
	put_option(b, DARWIN_PROCESS_NAME, name, n);
	put_u32(b, 0);
	put_u32(b, length);
}

/* Where in the record it is; 0: nowhere. */
static size_t find_socket(const struct epb_header *r)
{
	const uint8_t *at = (const uint8_t *)(epb_options(r) + 1);
	const uint8_t *end = (const uint8_t *)epb_next(r) - sizeof(struct epb_end);

	while (end - at >= (ptrdiff_t)sizeof(struct epb_socket)) {
		uint32_t option;

		memcpy(&option, at, sizeof(option));
		if (option == EPB_OPT_SOCKET_RAW)
			return (size_t)(at - (const uint8_t *)r);
		at += sizeof(option) + EPB_PADDED(option >> 16);
	}
	return 0;
}

void pcapng_put_packet_process(struct bytes *b, size_t from, const struct packet_process *p)
{
	struct epb_header *r = (void *)(b->at + from);
	size_t at = b->overflow ? 0 : find_socket(r);
	const uint32_t thread[2] = {p->pid, 0}; /* which thread nobody knows */
	uint8_t behind[sizeof(struct epb_entries) + sizeof(struct epb_end)];
	size_t n = b->used - from - at - sizeof(struct epb_socket);

	if (!at || n > sizeof(behind))
		return;
	memcpy(behind, b->at + from + at + sizeof(struct epb_socket), n);
	b->used = from + at;
	if (p->has_number)
		put_option(b, EPB_DARWIN_PROCESS, &p->number, sizeof(p->number));
	if (p->has_pid)
		put_option(b, EPB_THREAD, thread, sizeof(thread));
	if (p->comment)
		put_option(b, OPT_COMMENT, p->comment, strlen(p->comment));
	put(b, behind, n);
	if (b->overflow)
		return;
	r->total_length = (uint32_t)(b->used - from);
	memcpy(b->at + b->used - sizeof(uint32_t), &r->total_length, sizeof(uint32_t));
}
