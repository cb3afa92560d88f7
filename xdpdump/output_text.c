/* SPDX-License-Identifier: BSD-3-Clause */
/* One line per packet on standard output, in the words of xdp-tools' xdpdump; with hex, its bytes.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "output.h"
#include "record_options.h"
#include "sink.h"
#include "source.h"

#define HEX_BYTES_PER_LINE 16
#define HEX_LINE_SIZE	   80
#define LINE_SIZE	   320
#define TEXT_SIZE	   (512u << 10) /* one packet of 64 KiB in hex takes 300 KiB of it */
#define PACKETS_MAX	   4096

struct text_output {
	struct output o;
	struct sink sink;
	const struct source *sources;
	bool hex, failed;
	unsigned n;		  /* packets in text */
	size_t ends[PACKETS_MAX]; /* where in text each of them ends */
	size_t used;
	char text[TEXT_SIZE];
};

static int write_out(struct text_output *t)
{
	struct iovec all = {t->text, t->used};
	uint64_t before = t->sink.written;
	unsigned whole = t->n;
	int e = sink_write(&t->sink, &all, 1);

	if (e) {
		while (whole && t->ends[whole - 1] > t->sink.written - before)
			whole--;
		sink_cut(&t->sink, before + (whole ? t->ends[whole - 1] : 0));
		t->failed = true;
	}
	t->o.packets += whole;
	t->o.bytes = t->sink.written;
	t->n = 0;
	t->used = 0;
	return e;
}

__attribute__((format(printf, 2, 3))) static void print(struct text_output *t, const char *format,
							...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(t->text + t->used, sizeof(t->text) - t->used, format, args);
	va_end(args);
	t->used += (size_t)n;
}

static void print_hex_line(struct text_output *t, const uint8_t *p, uint32_t offset, uint32_t n)
{
	char chars[HEX_BYTES_PER_LINE + 1];

	print(t, "  0x%04x: ", offset);
	for (uint32_t i = 0; i < HEX_BYTES_PER_LINE; i++) {
		if (i < n)
			print(t, " %02x", p[offset + i]);
		else
			print(t, "   ");
	}
	for (uint32_t i = 0; i < n; i++)
		chars[i] = isprint(p[offset + i]) ? (char)p[offset + i] : '.';
	chars[n] = 0;
	print(t, "  %s\n", chars);
}

static void print_packet(struct text_output *t, const struct epb_header *r, uint32_t caplen)
{
	const struct epb_options *o = epb_options(r);
	/* On one CPU; the CPU's number is in the upper 16 bits. */
	uint64_t id = (uint64_t)(o->packetid_high & 0xffff) << 32 | o->packetid_low;
	lldiv_t time = lldiv((long long)epb_time(r), NS_PER_SEC);
	const struct source *s = &t->sources[r->interface_id];
	struct record_options more;

	record_options_read(&more, r);
	print(t, "%lld.%09lld: %s()@%s", time.quot, time.rem,
	      s->engine.program ? s->engine.function : "xdpdump",
	      o->flags & EPB_FLAG_OUTBOUND ? "egress" : source_place(s));
	if (more.has_verdict)
		print(t, "[%s]", verdict_name(more.verdict));
	print(t, ": packet size %u bytes", r->len);
	if (t->hex || caplen < r->len)
		print(t, ", captured %u bytes", caplen);
	print(t, " on if_index %u, rx queue %u, id %" PRIu64 "\n", s->interface.index, o->queue,
	      id);
	for (uint32_t at = 0; t->hex && at < caplen; at += HEX_BYTES_PER_LINE)
		print_hex_line(t, epb_frame(r), at,
			       caplen - at < HEX_BYTES_PER_LINE ? caplen - at : HEX_BYTES_PER_LINE);
	t->ends[t->n++] = t->used;
}

/* Room for one packet, for sure. */
static int make_room(struct text_output *t, uint32_t caplen)
{
	size_t need = LINE_SIZE;

	if (t->hex)
		need += (caplen / HEX_BYTES_PER_LINE + 1) * HEX_LINE_SIZE;
	return t->n == PACKETS_MAX || sizeof(t->text) - t->used < need ? write_out(t) : 0;
}

static int text_cut(struct output *o, const struct epb_header *r, uint32_t caplen)
{
	struct text_output *t = (struct text_output *)o;
	int e = make_room(t, caplen);

	if (!e)
		print_packet(t, r, caplen);
	return e;
}

static int text_records(struct output *o, const struct epb_header *first,
			const struct epb_header *end, uint64_t n)
{
	int e = 0;

	(void)n;
	for (const struct epb_header *r = first; r != end && !e; r = epb_next(r))
		e = text_cut(o, r, r->caplen);
	return e;
}

static int text_flush(struct output *o, bool asked)
{
	struct text_output *t = (struct text_output *)o;

	(void)asked;
	return t->used ? write_out(t) : 0;
}

static int text_end(struct output *o, const struct output_end *end, struct sink *s)
{
	struct text_output *t = (struct text_output *)o;
	int e;

	(void)end;
	e = t->failed ? 0 : text_flush(o, true);
	*s = t->sink;
	return e;
}

static void text_free(struct output *o)
{
	free(o);
}

static const struct output_ops text_ops = {
	.records = text_records,
	.cut = text_cut,
	.flush = text_flush,
	.end = text_end,
	.free = text_free,
};

int output_text_open(struct output **out, const struct output_context *c)
{
	struct text_output *t = malloc(sizeof(*t));
	int e;

	if (!t)
		return -ENOMEM;
	t->o = (struct output){.ops = &text_ops, .name = "standard output"};
	t->sources = c->sources;
	t->hex = c->hex;
	t->failed = false;
	t->n = 0;
	t->used = 0;
	e = sink_open_stdout(&t->sink);
	if (e)
		free(t);
	else
		*out = &t->o;
	return e;
}
