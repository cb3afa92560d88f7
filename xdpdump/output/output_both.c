/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * --print: lines beside a file. What is counted is what the file has. When the lines fail, the file
 * gets its last words.
 */
#include <errno.h>
#include <stdlib.h>

#include "output.h"

struct both_outputs {
	struct output o;
	struct output *file, *text;
	bool text_failed;
};

static int note_file(struct both_outputs *b, int e)
{
	b->o.packets = b->file->packets;
	b->o.bytes = b->file->bytes;
	b->o.taken = b->file->taken;
	b->o.length = b->file->length;
	b->o.due = b->file->due;
	return e;
}

static int note_text(struct both_outputs *b, int e)
{
	if (e) {
		b->text_failed = true;
		b->o.name = b->text->name;
	}
	return e;
}

static int both_records(struct output *o, const struct batch *batch)
{
	struct both_outputs *b = (struct both_outputs *)o;
	int e = note_file(b, b->file->ops->records(b->file, batch));

	return e ? e : note_text(b, b->text->ops->records(b->text, batch));
}

static int both_cut(struct output *o, const struct source *s, const struct epb_header *r,
		    uint32_t caplen)
{
	struct both_outputs *b = (struct both_outputs *)o;
	int e = note_file(b, b->file->ops->cut(b->file, s, r, caplen));

	return e ? e : note_text(b, b->text->ops->cut(b->text, s, r, caplen));
}

static int flush_text(struct both_outputs *b)
{
	return b->text_failed ? 0 : note_text(b, b->text->ops->flush(b->text, true));
}

static int both_flush(struct output *o, bool asked)
{
	struct both_outputs *b = (struct both_outputs *)o;
	int e = note_file(b, b->file->ops->flush(b->file, asked));

	return e ? e : flush_text(b);
}

static int both_end_source(struct output *o, unsigned source, const struct output_end *end)
{
	struct both_outputs *b = (struct both_outputs *)o;

	if (!b->file->ops->end_source)
		return 0;
	return note_file(b, b->file->ops->end_source(b->file, source, end));
}

static int both_interface(struct output *o, const struct source *s, struct member *m)
{
	struct both_outputs *b = (struct both_outputs *)o;

	return b->file->ops->interface ? note_file(b, b->file->ops->interface(b->file, s, m)) : 0;
}

static int both_end_interface(struct output *o, const struct source *s, const struct member *m,
			      uint64_t now)
{
	struct both_outputs *b = (struct both_outputs *)o;

	if (!b->file->ops->end_interface)
		return 0;
	return note_file(b, b->file->ops->end_interface(b->file, s, m, now));
}

static int both_end(struct output *o, const struct output_end *end, struct sink *s)
{
	struct both_outputs *b = (struct both_outputs *)o;
	int printed = flush_text(b);
	int e = note_file(b, b->file->ops->end(b->file, end, s));

	return e ? e : printed;
}

static int both_begin(struct output *o, struct sink *s, const char *name)
{
	struct both_outputs *b = (struct both_outputs *)o;

	o->name = name;
	return note_file(b, b->file->ops->begin(b->file, s, name));
}

static void both_free(struct output *o)
{
	struct both_outputs *b = (struct both_outputs *)o;

	b->file->ops->free(b->file);
	b->text->ops->free(b->text);
	free(b);
}

static const struct output_ops both_ops = {
	.records = both_records,
	.cut = both_cut,
	.flush = both_flush,
	.end_source = both_end_source,
	.interface = both_interface,
	.end_interface = both_end_interface,
	.end = both_end,
	.begin = both_begin,
	.free = both_free,
};

int output_both_open(struct output **out, const struct output_context *c)
{
	struct both_outputs *b = calloc(1, sizeof(*b));
	int e = b ? output_text_open(&b->text, c) : -ENOMEM;

	if (e) {
		free(b);
		return e;
	}
	b->file = *out;
	b->o = (struct output){.ops = &both_ops, .name = b->file->name};
	note_file(b, 0);
	*out = &b->o;
	return 0;
}
