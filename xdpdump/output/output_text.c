/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Packets as text, on standard output. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "packet_text.h"
#include "xdpdump/files/sink.h"
#include "xdpdump/source/source.h"

#define TEXT_SIZE   (1536u << 10) /* one packet of 256 KiB in hex takes 1.3 MiB of it */
#define PACKETS_MAX 4096

struct text_output {
	struct output o;
	struct sink sink;
	struct packet_style style;
	bool failed;
	unsigned n;		  /* packets in text */
	size_t ends[PACKETS_MAX]; /* where in text each of them ends */
	size_t used;
	_Alignas(4) uint8_t record[RECORD_MAX]; /* one at a time, where nobody else writes */
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

static int text_put(struct output *o, const struct source *s, const struct epb_header *r,
		    uint32_t caplen)
{
	struct text_output *t = (struct text_output *)o;
	size_t need = packet_text_size(&t->style, s, caplen);
	int e = 0;

	if (t->n == PACKETS_MAX || sizeof(t->text) - t->used < need)
		e = write_out(t);
	if (e)
		return e;
	t->used +=
		packet_text(t->text + t->used, sizeof(t->text) - t->used, &t->style, s, r, caplen);
	t->ends[t->n++] = t->used;
	return 0;
}

int output_each(struct output *o, const struct batch *b, uint8_t record[RECORD_MAX],
		output_put *put)
{
	struct epb_header *copy = (void *)record;
	const struct epb_header *r = b->first;
	struct epb_lengths l;
	int e = 0;

	for (; !e && batch_has(b, r, &l) && l.total <= RECORD_MAX; r = batch_next(r, &l)) {
		memcpy(copy, r, l.total);
		copy->total_length = l.total;
		copy->caplen = l.caplen;
		e = put(o, b->source, copy, batch_caplen(b, &l));
	}
	return !e && r != b->end ? -EBADMSG : e;
}

static int text_records(struct output *o, const struct batch *b)
{
	return output_each(o, b, ((struct text_output *)o)->record, text_put);
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
	.flush = text_flush,
	.end = text_end,
	.free = text_free,
};

static bool has_several_netns(const struct output_context *c)
{
	for (unsigned i = 1; i < c->count; i++) {
		const char *a = c->sources[0].netns, *b = c->sources[i].netns;

		if (a != b && (!a || !b || strcmp(a, b) != 0))
			return true;
	}
	return false;
}

int output_text_open(struct output **out, const struct output_context *c)
{
	struct text_output *t = calloc(1, sizeof(*t));
	int e;

	if (!t)
		return -ENOMEM;
	t->o = (struct output){.ops = &text_ops, .name = "standard output"};
	t->style = c->style;
	t->style.labels = c->labels;
	t->style.entries = c->entries;
	t->style.netns = has_several_netns(c);
	e = sink_open_stdout(&t->sink);
	t->sink.patience = c->patience;
	if (e)
		free(t);
	else
		*out = &t->o;
	return e;
}
