/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * --tls-keylog: puts keys before the packets that they are for. A program logs a connection's keys
 * a moment after the packet that needs them. But a program that reads the capture, even tshark 4.0
 * in its second pass, decrypts nothing of a connection whose keys come after its Server Hello. So
 * packets wait here in memory for HOLD_NS, and keys overtake them.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "util/clock.h"
#include "xdpdump/files/keylog.h"

#define HOLD_NS	   ((uint64_t)NS_PER_SEC / 4)
#define HOLD_BYTES (64u << 20) /* if more arrives in that time, the oldest wait less */

struct held {
	struct held *next;
	uint64_t due;	    /* CLOCK_MONOTONIC ns */
	struct batch batch; /* of these */
	size_t length;
	_Alignas(8) uint8_t records[];
};

struct secrets_output {
	struct output o;
	struct output *file;
	struct keylog *keys;
	struct keylog_place place; /* in keys: how far the present file has them */
	struct held *first, **last;
	uint64_t packets, length; /* held */
	bool failed;
	char lines[KEYLOG_READ_MAX];
};

static int note(struct secrets_output *s, int e)
{
	s->o.packets = s->file->packets;
	s->o.bytes = s->file->bytes;
	s->o.taken = s->file->taken + s->packets;
	s->o.length = s->file->length + s->length;
	s->o.due = s->first ? s->first->due : 0;
	s->failed |= e != 0;
	return e;
}

static int put_keys(struct secrets_output *s)
{
	size_t n;
	int e = 0;

	while (!e && (n = keylog_read(s->keys, &s->place, s->lines)))
		e = s->file->ops->secrets(s->file, s->lines, n, false);
	return e;
}

/* Repeat the keys that the previous file had. */
static int repeat_keys(struct secrets_output *s)
{
	struct keylog_place place = {0};
	size_t n;
	int e = 0;

	while (!e && place.at < s->place.at && (n = keylog_read(s->keys, &place, s->lines)))
		e = s->file->ops->secrets(s->file, s->lines, n, true);
	return e;
}

static int let_one_go(struct secrets_output *s)
{
	struct held *h = s->first;
	int e;

	s->first = h->next;
	if (!s->first)
		s->last = &s->first;
	s->packets -= h->batch.n;
	s->length -= h->length;
	e = s->file->ops->records(s->file, &h->batch);
	free(h);
	return e;
}

/* Write the packets that are due by this time, and more if too many wait. */
static int let_go(struct secrets_output *s, uint64_t until)
{
	int e = put_keys(s);

	while (!e && s->first && (s->first->due <= until || s->length > HOLD_BYTES))
		e = let_one_go(s);
	return e;
}

/* Returns false if there is no memory; the caller must then write all that is held first. */
static bool hold(struct secrets_output *s, const struct batch *b)
{
	size_t length = (size_t)((const uint8_t *)b->end - (const uint8_t *)b->first);
	struct held *h = malloc(sizeof(*h) + length);

	if (!h)
		return false;
	*h = (struct held){.due = clock_monotonic() + HOLD_NS, .batch = *b, .length = length};
	h->batch.first = (const void *)h->records;
	h->batch.end = (const void *)(h->records + length);
	memcpy(h->records, b->first, length);
	*s->last = h;
	s->last = &h->next;
	s->packets += b->n;
	s->length += length;
	return true;
}

static int secrets_records(struct output *o, const struct batch *b)
{
	struct secrets_output *s = (struct secrets_output *)o;
	int e;

	if (hold(s, b))
		return note(s, s->length > HOLD_BYTES ? let_go(s, 0) : 0);
	e = let_go(s, UINT64_MAX);
	return note(s, e ? e : s->file->ops->records(s->file, b));
}

static int secrets_flush(struct output *o, bool asked)
{
	struct secrets_output *s = (struct secrets_output *)o;
	int e = let_go(s, asked ? UINT64_MAX : clock_monotonic());

	return note(s, e ? e : s->file->ops->flush(s->file, asked));
}

static int secrets_end_source(struct output *o, unsigned source, const struct output_end *end)
{
	struct secrets_output *s = (struct secrets_output *)o;
	int e = let_go(s, UINT64_MAX);

	return note(s, e ? e : s->file->ops->end_source(s->file, source, end));
}

/* The interface's block goes before all packets that wait. */
static int secrets_interface(struct output *o, const struct source *source, struct member *m)
{
	struct secrets_output *s = (struct secrets_output *)o;

	return note(s, s->file->ops->interface(s->file, source, m));
}

static int secrets_end_interface(struct output *o, const struct member *m, uint64_t now)
{
	struct secrets_output *s = (struct secrets_output *)o;

	return note(s, s->file->ops->end_interface(s->file, m, now));
}

static int secrets_end(struct output *o, const struct output_end *end, struct sink *sink)
{
	struct secrets_output *s = (struct secrets_output *)o;
	int e = s->failed ? 0 : let_go(s, UINT64_MAX);
	int ended = s->file->ops->end(s->file, end, sink);

	return note(s, e ? e : ended);
}

/* Each file has all keys, because each can be read without the others. */
static int secrets_begin(struct output *o, struct sink *sink, const char *name)
{
	struct secrets_output *s = (struct secrets_output *)o;
	int e = s->file->ops->begin(s->file, sink, name);

	o->name = name;
	if (!e)
		e = repeat_keys(s);
	return note(s, e ? e : put_keys(s));
}

static void secrets_free(struct output *o)
{
	struct secrets_output *s = (struct secrets_output *)o;

	for (struct held *h = s->first; h; h = s->first) {
		s->first = h->next;
		free(h);
	}
	s->file->ops->free(s->file);
	explicit_bzero(s->lines, sizeof(s->lines));
	free(s);
}

static const struct output_ops secrets_ops = {
	.records = secrets_records,
	.flush = secrets_flush,
	.end_source = secrets_end_source,
	.interface = secrets_interface,
	.end_interface = secrets_end_interface,
	.end = secrets_end,
	.begin = secrets_begin,
	.free = secrets_free,
};

int output_secrets_open(struct output **out, struct keylog *keys)
{
	struct secrets_output *s = calloc(1, sizeof(*s));

	if (!s)
		return -ENOMEM;
	s->file = *out;
	s->keys = keys;
	s->last = &s->first;
	s->o = (struct output){.ops = &secrets_ops, .name = s->file->name};
	*out = &s->o;
	return note(s, put_keys(s));
}
