/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Writes pcapng to a taker, which never waits and never fails; and runs such an output, or the
 * lines of --print, beside a first one. What is beside goes on when the first one ends a file and
 * begins another. The counts are those of the first output. When the lines fail, the file still
 * ends properly.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "xdpdump/source/source.h"
#include "xdpdump/source/sources.h"

struct beside_output {
	struct output o;
	struct output *first, *beside;
	bool has_blocks; /* the output beside writes blocks; lines do not */
	struct sink_taker taker;
	bool begins_sections; /* where interfaces come later, they are numbered anew in each file */
	unsigned count;	      /* of sources */
	/* About files that have ended while the present section goes on. */
	uint64_t start_time;
	struct afxdp_stats before[SOURCES_MAX];
};

static int note(struct beside_output *b, int e)
{
	b->o.packets = b->first->packets;
	b->o.bytes = b->first->bytes;
	b->o.taken = b->first->taken;
	b->o.length = b->first->length;
	b->o.due = b->first->due;
	return e;
}

/* Only lines fail here; they have a name of their own. A taker of blocks has none, and reports its
 * own errors. */
static int note_beside(struct beside_output *b, int e)
{
	if (e && !b->has_blocks)
		b->o.name = b->beside->name;
	return e;
}

static int beside_records(struct output *o, const struct batch *batch)
{
	struct beside_output *b = (struct beside_output *)o;
	int e = note(b, b->first->ops->records(b->first, batch));

	return e ? e : note_beside(b, b->beside->ops->records(b->beside, batch));
}

static int beside_flush(struct output *o, bool asked)
{
	struct beside_output *b = (struct beside_output *)o;
	int e = note(b, b->first->ops->flush(b->first, asked));
	int other = b->beside->ops->flush(b->beside, asked);

	return e ? e : note_beside(b, other);
}

/* A stream that begins no new sections already has all keys, so it needs none repeated. */
static int beside_secrets(struct output *o, const char *lines, size_t n, bool again)
{
	struct beside_output *b = (struct beside_output *)o;
	int e = 0;

	if (b->first->ops->secrets)
		e = note(b, b->first->ops->secrets(b->first, lines, n, again));
	if (e || !b->has_blocks || (again && !b->begins_sections))
		return e;
	return b->beside->ops->secrets(b->beside, lines, n, again);
}

/* The statistics since the section began, which may be before the file began. each is room for
 * them. */
static struct output_end of_section(const struct beside_output *b, const struct output_end *end,
				    unsigned first, unsigned n, struct afxdp_stats *each)
{
	struct output_end all = {.stats = each,
				 .start_time = b->start_time ? b->start_time : end->start_time,
				 .end_time = end->end_time};

	for (unsigned i = first; i < first + n; i++) {
		each[i] = b->before[i];
		stats_add(&each[i], &end->stats[i]);
	}
	return all;
}

static int beside_end_source(struct output *o, unsigned source, const struct output_end *end)
{
	struct beside_output *b = (struct beside_output *)o;
	struct afxdp_stats each[SOURCES_MAX];
	const struct output_end all = of_section(b, end, source, 1, each);
	int e = b->has_blocks ? b->beside->ops->end_source(b->beside, source, &all) : 0;

	if (e || !b->first->ops->end_source)
		return e;
	return note(b, b->first->ops->end_source(b->first, source, end));
}

/* Both outputs give the interface the same number. */
static int beside_interface(struct output *o, const struct source *s, struct member *m)
{
	struct beside_output *b = (struct beside_output *)o;
	int e = b->first->ops->interface ? note(b, b->first->ops->interface(b->first, s, m)) : 0;

	return e || !b->has_blocks ? e : b->beside->ops->interface(b->beside, s, m);
}

static int beside_end_interface(struct output *o, const struct member *m, uint64_t now)
{
	struct beside_output *b = (struct beside_output *)o;
	int e = b->has_blocks ? b->beside->ops->end_interface(b->beside, m, now) : 0;

	if (e || !b->first->ops->end_interface)
		return e;
	return note(b, b->first->ops->end_interface(b->first, m, now));
}

/* A stream gets its statistics here, too, and may go on after them. */
static int beside_end(struct output *o, const struct output_end *end, struct sink *s)
{
	struct beside_output *b = (struct beside_output *)o;
	struct afxdp_stats each[SOURCES_MAX];
	const struct output_end all = of_section(b, end, 0, b->count, each);
	struct sink other;
	int e = b->beside->ops->end(b->beside, &all, &other);
	int ended = note(b, b->first->ops->end(b->first, end, s));

	if (!b->begins_sections) {
		memcpy(b->before, each, b->count * sizeof(each[0]));
		b->start_time = all.start_time;
	}
	return ended ? ended : note_beside(b, e);
}

static int beside_begin(struct output *o, struct sink *s, const char *name)
{
	struct beside_output *b = (struct beside_output *)o;
	int e = note(b, b->first->ops->begin(b->first, s, name));
	struct sink other;

	o->name = name;
	if (e || !b->has_blocks || !b->begins_sections)
		return e;
	sink_open_taker(&other, b->taker);
	return b->beside->ops->begin(b->beside, &other, name);
}

static void beside_free(struct output *o)
{
	struct beside_output *b = (struct beside_output *)o;

	b->first->ops->free(b->first);
	b->beside->ops->free(b->beside);
	free(b);
}

static const struct output_ops beside_ops = {
	.records = beside_records,
	.secrets = beside_secrets,
	.flush = beside_flush,
	.end_source = beside_end_source,
	.interface = beside_interface,
	.end_interface = beside_end_interface,
	.end = beside_end,
	.begin = beside_begin,
	.free = beside_free,
};

int output_taker_open(struct output **out, struct sink_taker taker, const char *name,
		      const struct output_context *c)
{
	struct output_context plain = *c;
	struct sink s;

	plain.zstd_level = 0;
	plain.index = false;
	sink_open_taker(&s, taker);
	return output_file_open(out, &s, name, &plain);
}

int output_beside_open(struct output **out, const struct sink_taker *taker,
		       const struct output_context *c)
{
	struct beside_output *b = calloc(1, sizeof(*b));
	int e = !b	? -ENOMEM
		: taker ? output_taker_open(&b->beside, *taker, (*out)->name, c)
			: output_text_open(&b->beside, c);

	if (e) {
		free(b);
		return e;
	}
	b->first = *out;
	b->has_blocks = taker;
	if (taker)
		b->taker = *taker;
	b->count = c->count;
	for (unsigned i = 0; i < c->count; i++)
		b->begins_sections |= c->sources[i].members != NULL;
	b->o = (struct output){.ops = &beside_ops, .name = b->first->name};
	note(b, 0);
	*out = &b->o;
	return 0;
}
