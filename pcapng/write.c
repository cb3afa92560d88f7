/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <string.h>

#include "capture/afxdpcapture.h"
#include "pcapng/cooked.h"
#include "pcapng/write.h"
#include "util/harmless.h"

void block_put(struct bytes *b, const void *p, size_t n)
{
	if (b->overflow || n > b->room - b->used) {
		b->overflow = true;
		return;
	}
	if (n)
		memcpy(b->at + b->used, p, n);
	b->used += n;
}

static void put_u16(struct bytes *b, uint16_t v)
{
	block_put(b, &v, sizeof(v));
}

void block_u32(struct bytes *b, uint32_t v)
{
	block_put(b, &v, sizeof(v));
}

void block_padding(struct bytes *b, size_t after)
{
	block_put(b, "\0\0\0", EPB_PADDED(after) - after);
}

void block_time(struct bytes *b, uint64_t ns)
{
	block_u32(b, (uint32_t)(ns >> 32));
	block_u32(b, (uint32_t)ns);
}

size_t block_begin(struct bytes *b, uint32_t type)
{
	size_t start = b->used;

	block_u32(b, type);
	block_u32(b, 0);
	return start;
}

void block_end(struct bytes *b, size_t start)
{
	uint32_t length = (uint32_t)(b->used - start + sizeof(length));

	block_u32(b, length);
	if (b->overflow)
		b->used = start;
	else
		memcpy(b->at + start + sizeof(uint32_t), &length, sizeof(length));
}

void block_option(struct bytes *b, uint16_t code, const void *value, size_t length)
{
	put_u16(b, code);
	put_u16(b, (uint16_t)length);
	block_put(b, value, length);
	block_padding(b, length);
}

void block_end_options(struct bytes *b, size_t start)
{
	block_option(b, OPT_END, NULL, 0);
	block_end(b, start);
}

static size_t option_length(const char *s)
{
	return strnlen(s, UINT16_MAX - 1); /* one byte is left for the kind of a filter */
}

/* The format requires UTF-8, and readers print the text, so what could harm a terminal is replaced.
 */
static void put_text(struct bytes *b, const char *s, size_t n)
{
	for (size_t i = 0; i < n;) {
		size_t length = s[i] == '\n' || s[i] == '\t' ? 1 : harmless_length(s + i);

		if (length && length <= n - i)
			block_put(b, s + i, length);
		else
			block_put(b, "?", length = 1);
		i += length;
	}
}

static void put_string(struct bytes *b, uint16_t code, const char *s)
{
	size_t n = s ? option_length(s) : 0;

	if (!s)
		return;
	put_u16(b, code);
	put_u16(b, (uint16_t)n);
	put_text(b, s, n);
	block_padding(b, n);
}

static void put_filter(struct bytes *b, const char *s)
{
	size_t n = s ? option_length(s) : 0;
	uint8_t kind = FILTER_IS_STRING;

	if (!s)
		return;
	put_u16(b, IF_FILTER);
	put_u16(b, (uint16_t)(n + 1));
	block_put(b, &kind, 1);
	put_text(b, s, n);
	block_padding(b, n + 1);
}

void block_count(struct bytes *b, uint16_t code, uint64_t v)
{
	block_option(b, code, &v, sizeof(v));
}

void block_time_option(struct bytes *b, uint16_t code, uint64_t ns)
{
	put_u16(b, code);
	put_u16(b, sizeof(ns));
	block_time(b, ns);
}

void pcapng_put_section(struct bytes *b, const struct pcapng_section *s)
{
	size_t start = block_begin(b, BLOCK_SECTION);
	uint64_t length = LENGTH_UNKNOWN;

	block_u32(b, BYTE_ORDER_MAGIC);
	put_u16(b, 1); /* version 1.0 */
	put_u16(b, 0);
	block_put(b, &length, sizeof(length));
	put_string(b, OPT_COMMENT, s->comment);
	put_string(b, SHB_HARDWARE, s->hardware);
	put_string(b, SHB_OS, s->os);
	put_string(b, SHB_USERAPPL, s->application);
	block_end_options(b, start);
}

void pcapng_put_interface(struct bytes *b, const struct pcapng_interface *i)
{
	size_t start = block_begin(b, BLOCK_INTERFACE);
	uint8_t resolution = TSRESOL_NS;

	put_u16(b, i->link_type);
	put_u16(b, 0);
	block_u32(b, i->snaplen);
	put_string(b, IF_NAME, i->name);
	put_string(b, IF_DESCRIPTION, i->description);
	if (i->mac)
		block_option(b, IF_MACADDR, i->mac, 6);
	if (i->speed)
		block_count(b, IF_SPEED, i->speed);
	block_option(b, IF_TSRESOL, &resolution, sizeof(resolution));
	put_filter(b, i->filter);
	put_string(b, IF_OS, i->os);
	put_string(b, IF_HARDWARE, i->hardware);
	block_end_options(b, start);
}

void pcapng_put_record(struct bytes *b, const struct epb_header *r, const struct epb_lengths *l,
		       uint32_t caplen, const struct epb_cooked *h, uint32_t replaced)
{
	const uint8_t *options = (const uint8_t *)epb_options_behind(r, l->caplen);
	const uint8_t *end = (const uint8_t *)r + l->total - sizeof(uint32_t);
	uint32_t head = h ? sizeof(*h) : 0, length = h ? cooked_length(caplen, replaced) : caplen;
	size_t start = block_begin(b, EPB_TYPE);

	if (length > SNAPLEN_MOST && h)
		length = SNAPLEN_MOST;
	block_u32(b, r->interface_id);
	block_u32(b, r->time_high);
	block_u32(b, r->time_low);
	block_u32(b, length);
	block_u32(b, h ? cooked_length(r->len, replaced) : r->len);
	block_put(b, h, head);
	block_put(b, epb_frame(r) + replaced, length - head);
	block_padding(b, length);
	block_put(b, options, (size_t)(end - options));
	block_end(b, start);
}

void pcapng_put_frame(struct bytes *b, const struct pcapng_frame *f)
{
	size_t start = block_begin(b, EPB_TYPE);

	block_u32(b, f->interface_id);
	block_time(b, f->time);
	block_u32(b, f->caplen);
	block_u32(b, f->len);
	block_put(b, f->data, f->caplen);
	block_padding(b, f->caplen);
	block_end(b, start);
}

void pcapng_put_statistics(struct bytes *b, const struct pcapng_statistics *s)
{
	size_t start = block_begin(b, BLOCK_STATISTICS);

	block_u32(b, s->interface_id);
	block_time(b, s->time);
	put_string(b, OPT_COMMENT, s->comment);
	block_time_option(b, ISB_STARTTIME, s->start_time);
	block_time_option(b, ISB_ENDTIME, s->end_time);
	block_count(b, ISB_IFRECV, s->received);
	block_count(b, ISB_IFDROP, s->dropped_by_interface);
	block_count(b, ISB_FILTERACCEPT, s->accepted);
	block_count(b, ISB_OSDROP, s->dropped_by_system);
	block_count(b, ISB_USRDELIV, s->delivered);
	block_end_options(b, start);
}

void pcapng_put_gap(struct bytes *b, uint32_t interface_id, uint64_t time, uint64_t lost,
		    const char *text)
{
	size_t start = block_begin(b, BLOCK_STATISTICS);

	block_u32(b, interface_id);
	block_time(b, time);
	put_string(b, OPT_COMMENT, text);
	block_count(b, ISB_OSDROP, lost);
	block_end_options(b, start);
}

void pcapng_put_process(struct bytes *b, uint32_t pid, const char *name)
{
	size_t start = block_begin(b, BLOCK_PROCESS);

	block_u32(b, pid);
	block_option(b, PROCESS_NAME, name, strlen(name));
	block_end_options(b, start);
}

void pcapng_put_secrets(struct bytes *b, uint32_t type, const void *secrets, size_t n)
{
	size_t start = block_begin(b, BLOCK_SECRETS);

	block_u32(b, type);
	block_u32(b, (uint32_t)n);
	block_put(b, secrets, n);
	block_padding(b, n);
	block_end(b, start);
}
