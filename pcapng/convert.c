/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "pcapng/convert.h"

#define INTERFACE_FIXED 8
#define SECRETS_FIXED	8
#define BLOCK_HEADER	8
#define NIC_TIME	0x8101 /* bpf/record.h; a drop, too: three numbers, then text */
#define DROP		0x8102
#define VERDICT_TC	1 /* the kind of a verdict: a byte, with 64 bits behind it */
#define VERDICT_XDP	2

/* Of an option's bytes: so many numbers of a width of 4 or 8, from there on; the rest is bytes. */
struct numbers {
	unsigned width, count, at;
};

typedef struct numbers numbers_of(const struct pcapng_option *o);

static bool has_verdict(const struct pcapng_option *o)
{
	return o->length && (o->value[0] == VERDICT_TC || o->value[0] == VERDICT_XDP);
}

static struct numbers packet_numbers(const struct pcapng_option *o)
{
	switch (o->code) {
	case EPB_FLAGS:
	case EPB_QUEUE:
	case EPB_PROCESS_FOR:
		return (struct numbers){4, 1, 0};
	case EPB_DROPCOUNT:
	case EPB_PACKETID:
	case NIC_TIME:
		return (struct numbers){8, 1, 0};
	case EPB_VERDICT:
		return (struct numbers){8, has_verdict(o), 1};
	case EPB_THREAD:
		return (struct numbers){4, 2, 0};
	case EPB_PROCESS: /* in files of before, it was what NIC_TIME is now */
		return (struct numbers){o->length == 4 ? 4 : 8, 1, 0};
	case DROP:
		return (struct numbers){4, 3, 0};
	default:
		return (struct numbers){0, 0, 0};
	}
}

static struct numbers interface_numbers(const struct pcapng_option *o)
{
	switch (o->code) {
	case IF_TZONE:
		return (struct numbers){4, 1, 0};
	case IF_SPEED:
	case IF_TSOFFSET:
	case IF_TXSPEED:
	case IF_RXSPEED:
		return (struct numbers){8, 1, 0};
	default:
		return (struct numbers){0, 0, 0};
	}
}

static struct numbers no_numbers(const struct pcapng_option *o)
{
	(void)o;
	return (struct numbers){0, 0, 0};
}

static int put_text(struct buffer *to, uint16_t code, const void *value, size_t length)
{
	int e = buffer_u16(to, code, 0);

	if (!e)
		e = buffer_u16(to, (uint16_t)length, 0);
	if (!e)
		e = buffer_append(to, value, length);
	return e ? e : buffer_pad(to);
}

/* The number there, in the other byte order. */
static void turn(uint8_t *at, unsigned width)
{
	uint32_t four = pcapng_u32(at, true);
	uint64_t eight = width == 8 ? pcapng_u64(at, true) : 0;

	memcpy(at, width == 8 ? (const void *)&eight : &four, width);
}

/* One of another length than its numbers have is bytes; behind those of a drop there is text. */
static int put_option(struct buffer *to, const struct pcapng_option *o, bool swapped,
		      struct numbers n)
{
	size_t size = n.at + n.count * n.width, value = to->used + 2 * sizeof(uint16_t);
	int e = put_text(to, o->code, o->value, o->length);

	if (e || !swapped || o->length < size || (o->length > size && o->code != DROP))
		return e;
	for (unsigned i = 0; i < n.count; i++)
		turn(to->at + value + n.at + i * n.width, n.width);
	return 0;
}

/* All but those of code except, and without the end. */
static int put_options(struct buffer *to, struct pcapng_options *options, uint16_t except,
		       numbers_of *numbers)
{
	struct pcapng_option o;
	int e = 0;

	while (!e && pcapng_next_option(options, &o))
		if (o.code != except)
			e = put_option(to, &o, options->swapped, numbers(&o));
	return e;
}

static int begin_block(struct buffer *to, uint32_t type)
{
	int e = buffer_u32(to, type, 0);

	return e ? e : buffer_u32(to, 0, 0);
}

/* Of the block that begins at start: the end of its options, and its length at both ends. */
static int end(struct buffer *to, size_t start, int e)
{
	uint32_t length;

	if (!e)
		e = buffer_u32(to, OPT_END, 0);
	length = (uint32_t)(to->used - start + sizeof(length));
	if (!e)
		e = buffer_u32(to, length, 0);
	if (e)
		to->used = start;
	else
		memcpy(to->at + start + 4, &length, sizeof(length));
	return e;
}

static int put_description(struct buffer *to, const struct pcapng_block *b, const char *host)
{
	struct pcapng_options options = pcapng_options(b, INTERFACE_FIXED);
	struct pcapng_option o;
	char text[512];
	int n = snprintf(text, sizeof(text), "%s", host);

	while (pcapng_next_option(&options, &o))
		if (o.code == IF_DESCRIPTION)
			n = snprintf(text, sizeof(text), "%s: %.*s", host,
				     o.length < 200 ? (int)o.length : 200, (const char *)o.value);
	return put_text(to, IF_DESCRIPTION, text, (size_t)n < sizeof(text) ? (size_t)n : 0);
}

int convert_interface(struct buffer *to, const struct pcapng_block *b, const char *host,
		      const char *comment)
{
	struct pcapng_options options = pcapng_options(b, INTERFACE_FIXED);
	size_t start = to->used;
	int e = begin_block(to, BLOCK_INTERFACE);

	if (!e)
		e = buffer_u32(to, pcapng_u16(b->body, b->swapped), 0); /* and 16 bits reserved */
	if (!e)
		e = buffer_u32(to, SNAPLEN_MOST, 0);
	if (!e && host)
		e = put_description(to, b, host);
	if (!e && *comment)
		e = put_text(to, OPT_COMMENT, comment, strlen(comment));
	if (!e)
		e = put_options(to, &options, host ? IF_DESCRIPTION : OPT_END, interface_numbers);
	return end(to, start, e);
}

void convert_set_link(struct buffer *b, size_t at, uint16_t link_type)
{
	memcpy(b->at + at + BLOCK_HEADER, &link_type, sizeof(link_type));
}

uint32_t convert_flags(const struct pcapng_block *b, const struct pcapng_packet *p)
{
	struct pcapng_options options = pcapng_options(b, p->options_from);
	struct pcapng_option o;

	while (pcapng_next_option(&options, &o))
		if (o.code == EPB_FLAGS && o.length == 4)
			return pcapng_u32(o.value, b->swapped);
	return 0;
}

static uint32_t changed_length(uint32_t n, const struct convert_head *h)
{
	return h->length + (n > h->replaced ? n - h->replaced : 0);
}

bool convert_cuts(const struct pcapng_packet *p, const struct convert_head *head)
{
	return (head ? changed_length(p->caplen, head) : p->caplen) > SNAPLEN_MOST;
}

static int put_number(struct buffer *to, uint16_t code, uint64_t n)
{
	return put_text(to, code, &n, sizeof(n));
}

static int put_packet_options(struct buffer *to, const struct pcapng_block *b,
			      const struct pcapng_packet *p, const struct convert_mark *mark)
{
	struct pcapng_options options = pcapng_options(b, p->options_from);
	int e = put_options(to, &options, mark ? EPB_DROPCOUNT : OPT_END, packet_numbers);

	if (!e && mark && mark->dropcount)
		e = put_number(to, EPB_DROPCOUNT, mark->dropcount);
	if (!e && mark && mark->comment)
		e = put_text(to, OPT_COMMENT, mark->comment, strlen(mark->comment));
	return e;
}

int convert_packet(struct buffer *to, const struct pcapng_block *b, const struct pcapng_packet *p,
		   uint32_t interface_id, const struct convert_head *head,
		   const struct convert_mark *mark)
{
	static const struct convert_head none = {.at = NULL};
	const struct convert_head *h = head ? head : &none;
	uint32_t all = changed_length(p->caplen, h), n = all < SNAPLEN_MOST ? all : SNAPLEN_MOST;
	const uint32_t fixed[] = {interface_id, (uint32_t)(p->stamp >> 32), (uint32_t)p->stamp, n,
				  changed_length(p->len, h)};
	size_t start = to->used;
	int e = begin_block(to, BLOCK_ENHANCED_PACKET);

	if (!e)
		e = buffer_append(to, fixed, sizeof(fixed));
	if (!e && h->length)
		e = buffer_append(to, h->at, h->length);
	if (!e && n > h->length)
		e = buffer_append(to, p->frame + h->replaced, n - h->length);
	if (!e)
		e = buffer_append(to, "\0\0\0", -n & 3);
	if (!e)
		e = put_packet_options(to, b, p, mark);
	return end(to, start, e);
}

/* Its upper half comes first. */
static int put_stamp(struct buffer *to, uint16_t code, uint64_t stamp)
{
	return put_number(to, code, stamp >> 32 | stamp << 32);
}

int convert_statistics(struct buffer *to, const struct convert_statistics *s)
{
	const uint32_t fixed[] = {s->interface_id, (uint32_t)(s->last >> 32), (uint32_t)s->last};
	size_t start = to->used;
	int e = begin_block(to, BLOCK_STATISTICS);

	if (!e)
		e = buffer_append(to, fixed, sizeof(fixed));
	if (!e && s->comment)
		e = put_text(to, OPT_COMMENT, s->comment, strlen(s->comment));
	if (!e)
		e = put_stamp(to, ISB_STARTTIME, s->first);
	if (!e)
		e = put_stamp(to, ISB_ENDTIME, s->last);
	if (!e)
		e = put_number(to, ISB_OSDROP, s->dropped);
	if (!e)
		e = put_number(to, ISB_USRDELIV, s->delivered);
	return end(to, start, e);
}

/* Type and length, then what is bytes. Of names, records have the form of options. */
int convert_names(struct buffer *to, const struct pcapng_block *b)
{
	struct pcapng_options records = pcapng_options(b, 0);
	bool is_names = b->type == BLOCK_NAMES;
	size_t start = to->used;
	uint32_t length;
	int e;

	if (!is_names && (b->length < SECRETS_FIXED ||
			  pcapng_u32(b->body + 4, b->swapped) > b->length - SECRETS_FIXED))
		return -EBADMSG;
	e = begin_block(to, b->type);
	if (e || is_names) {
		if (!e)
			e = put_options(to, &records, OPT_END, no_numbers);
		return end(to, start, e);
	}
	length = pcapng_u32(b->body + 4, b->swapped);
	e = buffer_u32(to, pcapng_u32(b->body, b->swapped), 0);
	if (!e)
		e = buffer_u32(to, length, 0);
	if (!e)
		e = buffer_append(to, b->body + SECRETS_FIXED, length);
	if (!e)
		e = buffer_append(to, "\0\0\0", -length & 3);
	return end(to, start, e);
}

int convert_process(struct buffer *to, const struct pcapng_block *b)
{
	struct pcapng_options options = pcapng_options(b, sizeof(uint32_t));
	size_t start = to->used;
	int e = b->length < sizeof(uint32_t) ? -EBADMSG : begin_block(to, b->type);

	if (!e)
		e = buffer_u32(to, pcapng_u32(b->body, b->swapped), 0);
	if (!e)
		e = put_options(to, &options, OPT_END, no_numbers);
	return end(to, start, e);
}
