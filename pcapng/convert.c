/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "pcapng/convert.h"

#define INTERFACE_FIXED 8
#define SECRETS_FIXED	8
#define BLOCK_HEADER	8
#define NIC_TIME	0x8101 /* bpf/record.h */

/* How many bytes of an option are a number: 4 or 8; else it is bytes. */
static unsigned packet_width(uint16_t code, uint16_t length)
{
	switch (code) {
	case EPB_FLAGS:
	case EPB_QUEUE:
		return 4;
	case EPB_DROPCOUNT:
	case EPB_PACKETID:
		return 8;
	case NIC_TIME:
		return 8;
	case EPB_PROCESS:
		return length == 4 ? 4 : 8; /* in files of before, it was what NIC_TIME is now */
	case EPB_PROCESS_FOR:
		return 4;
	default:
		return 0;
	}
}

static unsigned interface_width(uint16_t code, uint16_t length)
{
	(void)length;
	switch (code) {
	case IF_TZONE:
		return 4;
	case IF_SPEED:
	case IF_TSOFFSET:
	case IF_TXSPEED:
	case IF_RXSPEED:
		return 8;
	default:
		return 0;
	}
}

static unsigned no_width(uint16_t code, uint16_t length)
{
	(void)code;
	(void)length;
	return 0;
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

static int put_option(struct buffer *to, const struct pcapng_option *o, bool swapped,
		      unsigned width)
{
	int e;

	if (!swapped || !width || width != o->length)
		return put_text(to, o->code, o->value, o->length);
	e = buffer_u16(to, o->code, 0);
	if (!e)
		e = buffer_u16(to, o->length, 0);
	if (e)
		return e;
	return width == 4 ? buffer_u32(to, pcapng_u32(o->value, true), 0)
			  : buffer_u64(to, pcapng_u64(o->value, true), 0);
}

/* All but those of code except, and without the end. */
static int put_options(struct buffer *to, struct pcapng_options *options, uint16_t except,
		       unsigned (*width)(uint16_t code, uint16_t length))
{
	struct pcapng_option o;
	int e = 0;

	while (!e && pcapng_next_option(options, &o))
		if (o.code != except)
			e = put_option(to, &o, options->swapped, width(o.code, o.length));
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
		e = put_options(to, &options, host ? IF_DESCRIPTION : OPT_END, interface_width);
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
	int e = put_options(to, &options, mark ? EPB_DROPCOUNT : OPT_END, packet_width);

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
			e = put_options(to, &records, OPT_END, no_width);
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
		e = put_options(to, &options, OPT_END, no_width);
	return end(to, start, e);
}
