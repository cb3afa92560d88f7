/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* get: writes packets of a time from a topic to one file, in the order of time. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kafka/commands.h"
#include "kafka/get/fetch.h"
#include "kafka/get/links.h"
#include "kafka/get/merge.h"
#include "kafka/get/told.h"
#include "kafka/keys.h"
#include "util/command/say.h"
#include "util/command/signals.h"
#include "util/clock.h"

#define LOOK_MS 100
/*
 * Streams are merged at most this often, however many sections come, and for at most a fifth of the
 * time, however many holes they have.
 */
#define MERGE_NS      (10 * NS_PER_MS)
#define MERGE_MOST_NS NS_PER_SEC
#define MERGE_TIMES   4
/* Live packets wait this long, so that older ones may come first. */
#define LIVE_NS (2 * NS_PER_SEC)
/* How far clocks may be apart. */
#define AHEAD_NS (NS_PER_SEC / 2)
/* put sends a section a second after its first packet, and brokers take their time. */
#define PUT_NS (2 * NS_PER_SEC)

struct get {
	const struct options *o;
	struct fetch fetch;
	struct streams streams;
	struct output output;
	struct merge merge;
	struct told_seen seen;
	struct condition condition; /* what the expression asks of a section's keys */
	uint64_t skipped;	    /* sections that were skipped because of their keys */
	struct table heard; /* by stream: number of the section without packets that is read */
};

static const char *folder(const struct options *o)
{
	const char *from = getenv("TMPDIR");

	if (o->temporary)
		return o->temporary;
	return from && *from ? from : "/var/tmp";
}

/* By its label, is the section of a host and session that were asked for? */
static bool is_wanted(const struct options *o, const struct label *l)
{
	return names_have(&o->hosts, l->host) && names_have(&o->sessions, l->session);
}

/* With --interface, sections are read whatever their keys, because only their content says which
 * interfaces there are. */
static bool may_match(const struct get *g, const uint8_t *keys, size_t size)
{
	return g->o->interfaces.count || keys_may_match(&g->condition, keys, size);
}

/*
 * An idle host sends many sections that have no packets; if they have keys, they also have nothing
 * that packets of others need. One of each stream is read, because it names the interfaces.
 */
static bool tells_more(struct get *g, const struct label *l, size_t keys_size)
{
	uint64_t hash = stream_hash(l);
	size_t read = table_find(&g->heard, hash);

	if (l->packets || !keys_size || read == l->sequence)
		return true;
	if (read == TABLE_NONE && g->heard.count < STREAMS_MAX)
		table_put(&g->heard, hash, l->sequence);
	return read == TABLE_NONE;
}

/* The catalog's rule. */
static bool is_to_be_read(void *context, const struct label *l, const uint8_t *keys, size_t size)
{
	struct get *g = context;

	return is_wanted(g->o, l) && options_have_time(g->o, l->first, l->last) &&
	       may_match(g, keys, size) && tells_more(g, l, size);
}

/* All sections count for gaps; the content of sections outside of the time is not kept. */
static int add(struct get *g, const struct fetched *f)
{
	struct stream *stream;
	bool is_kept;
	int e;

	told_see(&g->seen, g->o, &f->label);
	if (!is_wanted(g->o, &f->label))
		return 0;
	is_kept = f->section && is_to_be_read(g, &f->label, f->keys, f->keys_size);
	g->skipped += !is_kept && f->label.packets &&
		      options_have_time(g->o, f->label.first, f->label.last);
	e = streams_add(&g->streams, &f->label, is_kept ? f->section : NULL, f->length, &stream);
	if (e >= 0 && stream && f->is_from_start)
		stream_begins(stream, f->label.sequence);
	if (e < 0)
		complain("%s: %s", g->o->follow || e == -ENOMEM ? "a section" : folder(g->o),
			 strerror(-e));
	return e < 0 ? -1 : 0;
}

static int forget(struct get *g)
{
	int e;

	streams_close(&g->streams);
	table_free(&g->heard);
	g->skipped = 0;
	g->seen = (struct told_seen){.hosts = 0};
	e = streams_open(&g->streams, folder(g->o));
	if (e)
		complain("%s: %s", folder(g->o), strerror(-e));
	return e;
}

static int read_all(struct get *g)
{
	struct fetched f;
	int n = 0, e = 0;

	while (!e && !signals_stop && (n = told_wait(&g->fetch, &f)) != -1 && n != -2)
		if (n)
			e = n == FETCH_AGAIN ? forget(g) : add(g, &f);
	if (e || signals_stop || n == -2)
		return -1;
	e = streams_map(&g->streams);
	if (e)
		complain("%s: %s", folder(g->o), strerror(-e));
	return e;
}

/*
 * The time up to which packets can be written, because what may be older has come; *any: there are
 * some. A clock that is ahead only affects its own stream, not what other streams may write.
 */
static uint64_t ripe(struct streams *s, bool *any)
{
	uint64_t now = clock_monotonic(), wall = clock_wall(), until = 0;

	*any = false;
	for (size_t i = 0; i < s->count; i++) {
		struct stream *one = s->stream[i];

		/* Begin with the piece that is being read. */
		for (size_t j = one->current ? one->current - 1 : 0; j < one->count; j++) {
			const struct piece *p = stream_piece(one, j);
			uint64_t came = wall - (now - p->arrived);

			if (now - p->arrived < LIVE_NS)
				continue;
			*any = true;
			one->due = p->last > one->due ? p->last : one->due;
			if (p->last <= came + AHEAD_NS && p->last > until)
				until = p->last;
		}
	}
	return until;
}

/* Writes the live packets that are ripe. */
static int pass_on(struct get *g)
{
	bool any;
	uint64_t until = ripe(&g->streams, &any);
	int e = any ? merge_run(&g->merge, until) : 0;

	streams_settle(&g->streams);
	return e;
}

/* Is --until so long ago that all packets before it have come? */
static bool is_over(const struct options *o)
{
	uint64_t late = (uint64_t)o->slack * NS_PER_SEC + PUT_NS;
	uint64_t now = clock_wall();

	return now > late && now - late >= o->until && o->until != UINT64_MAX;
}

static uint64_t next_merge(uint64_t begun)
{
	uint64_t now = clock_monotonic(), pause = MERGE_TIMES * (now - begun);

	if (pause > MERGE_MOST_NS)
		pause = MERGE_MOST_NS;
	return now + (pause > MERGE_NS ? pause : MERGE_NS);
}

/* *is_cut: reading failed, after an error message. */
static int follow(struct get *g, bool *is_cut)
{
	struct fetched f;
	uint64_t flushed = clock_monotonic(), merge_at = 0, now;
	bool ends = false;
	int n, e = 0;

	while (!e && !signals_stop) {
		if (!ends && is_over(g->o)) {
			fetch_end(&g->fetch);
			ends = true;
		}
		n = ends ? told_wait(&g->fetch, &f) : fetch_next(&g->fetch, LOOK_MS, &f);
		*is_cut = n == -2;
		if (n < 0)
			break;
		if (n == 1)
			e = add(g, &f);
		now = clock_monotonic();
		if (e || (n && now < merge_at))
			continue;
		e = pass_on(g);
		merge_at = next_merge(now);
		if (e || (n && now - flushed < LOOK_MS * NS_PER_MS))
			continue;
		flushed = now;
		e = output_flush(&g->output);
	}
	if (e && e != -EINTR)
		return e;
	g->merge.patience = 1; /* the rest is written, unless another signal comes */
	return merge_run(&g->merge, UINT64_MAX);
}

static int get_packets(struct get *g)
{
	bool is_cut = false;
	int e = g->o->follow ? follow(g, &is_cut) : read_all(g);

	if (!e && !g->o->follow)
		e = links_choose(&g->output, &g->streams);
	if (!e && !g->o->follow)
		e = merge_run(&g->merge, UINT64_MAX);
	if (!e)
		e = merge_end(&g->merge);
	return !e && is_cut ? -1 : e;
}

/* Returns true if nothing is missing. */
static bool tell_missing(const struct get *g)
{
	bool is_whole;
	char text[256] = "";

	if (g->streams.duplicates)
		snprintf(text, sizeof(text), ", %" PRIu64 " duplicate sections dropped",
			 g->streams.duplicates);
	note("%" PRIu64 " packets of %zu streams%s", g->output.packets, g->streams.count, text);
	if (g->skipped)
		note("%" PRIu64
		     " sections were not looked through: by their keys they cannot match",
		     g->skipped);
	if (signals_stop && !g->o->follow)
		note("ended by a signal: packets behind these are not here");
	is_whole = told_faults(&g->fetch, &g->streams, g->o, g->merge.faults);
	if (g->output.expression.left_out.count > EXPRESSION_LINKS_TOLD)
		note("interfaces of %zu more link types are left out",
		     g->output.expression.left_out.count - EXPRESSION_LINKS_TOLD);
	if (g->output.beyond)
		note("%" PRIu64 " packets are left out: there are more than %u interfaces",
		     g->output.beyond, OUTPUT_INTERFACES_MAX);
	if (g->output.names_beyond)
		note("%" PRIu64 " blocks of names or secrets are left out: there are more than %u",
		     g->output.names_beyond, OUTPUT_NAMES_MAX);
	if (g->output.shortened)
		note("%" PRIu64
		     " packets were cut to %u bytes, because libpcap reads none that is longer",
		     g->output.shortened, SNAPLEN_MOST);
	if (g->output.disordered)
		note("%" PRIu64 " packets are older than one before them", g->output.disordered);
	return is_whole && !g->output.beyond;
}

int get_run(const struct options *o)
{
	struct get g = {.o = o, .streams = {.file = -1}};
	int e = output_open(&g.output, o);
	bool is_whole = true;

	condition_read(&g.condition, g.output.words);
	if (!e) {
		e = streams_open(&g.streams, o->follow ? NULL : folder(o));
		if (e)
			complain("%s: %s: --temporary DIR names another folder", folder(o),
				 strerror(-e));
	}
	if (!e) {
		e = fetch_open(&g.fetch, o, is_to_be_read, &g);
		signals_catch(); /* until then a signal ends the program */
		if (!e)
			e = output_begin(&g.output);
		merge_init(&g.merge, &g.streams, &g.output);
	}
	if (!e) {
		e = get_packets(&g);
		if (g.output.error ==
		    -EPIPE) /* the reader has closed the pipe, which is no failure */
			e = 0;
		is_whole = tell_missing(&g);
		g.seen.interfaces = g.output.seen;
		if (!e && told_absent(&g.seen, o))
			e = -1;
	}
	if (output_close(&g.output))
		e = -1;
	merge_free(&g.merge);
	streams_close(&g.streams);
	table_free(&g.heard);
	fetch_close(&g.fetch);
	return e ? EXIT_FAILURE : told_status(is_whole);
}
