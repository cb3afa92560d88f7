/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "kafka/get/told.h"
#include "util/command/say.h"
#include "util/command/signals.h"
#include "util/less.h"

#define LOOK_MS	     100
#define SILENCE_MS   30000
#define HOLES_TOLD   8 /* per stream */
#define STREAMS_TOLD 64

int told_wait(struct fetch *f, struct fetched *to)
{
	int n = 0;

	for (int waited = 0; n == 0 && !signals_stop; waited += LOOK_MS) {
		n = fetch_next(f, LOOK_MS, to);
		if (n == 0 && waited >= SILENCE_MS) {
			client_complain(fetch_client(f), RD_KAFKA_RESP_ERR__TIMED_OUT);
			return -2;
		}
	}
	return n;
}

static void tell_hole(const struct stream *s, uint64_t first, uint64_t last)
{
	char name[512];

	stream_name(s, name, sizeof(name));
	if (first == last)
		note("%s: section %" PRIu64 " is missing", name, first);
	else
		note("%s: sections %" PRIu64 " to %" PRIu64 " are missing", name, first, last);
}

/* Prints the first holes of a stream, by section numbers. */
static void tell_holes(const struct stream *s, const struct options *o)
{
	uint64_t told = 0, holes = 0, sections = 0;
	char name[512];

	for (size_t i = 0; i < s->count; i++) {
		struct gap g = {.lost = 0};

		gap_in_front(&g, s, i, o);
		if (!g.sections)
			continue;
		if (told++ < HOLES_TOLD) {
			tell_hole(s, stream_piece(s, i)->sequence - g.sections,
				  stream_piece(s, i)->sequence - 1);
			continue;
		}
		holes++;
		sections += g.sections;
	}
	if (holes)
		note("%s: %" PRIu64 " more sections are missing, in %" PRIu64 " gaps",
		     stream_name(s, name, sizeof(name)), sections, holes);
}

static void tell_stream(const struct stream *s, const struct gap *g, const struct options *o)
{
	char name[512], text[GAP_ROOM];

	tell_holes(s, o);
	note("%s: not all of it is here: %s", stream_name(s, name, sizeof(name)),
	     gap_text(g, text));
}

/* Prints what is missing from the first streams only, because whoever may write to the topic can
 * invent any number of streams. */
static bool tell_gaps(const struct streams *s, const struct options *o)
{
	struct gap rest = {.lost = 0};
	uint64_t lacking = 0;
	char text[GAP_ROOM];

	for (size_t i = 0; i < s->count; i++) {
		struct gap g = {.lost = 0};

		gap_of_stream(&g, s->stream[i], o);
		if (gap_is_none(&g))
			continue;
		if (lacking++ < STREAMS_TOLD)
			tell_stream(s->stream[i], &g, o);
		else
			gap_add(&rest, &g);
	}
	if (lacking > STREAMS_TOLD)
		note("of %" PRIu64 " more streams these are not here: %s", lacking - STREAMS_TOLD,
		     gap_text(&rest, text));
	return !lacking;
}

/* Was the section removed with all of its stream, or with the end of it? Then no later section
 * shows that it is missing. */
static bool is_behind(const struct streams *s, const struct label *l)
{
	size_t known = table_find(&s->by_name, stream_hash(l));
	const struct stream *one = known == TABLE_NONE ? NULL : s->stream[known];

	return !one || !one->count || l->sequence > stream_piece(one, one->count - 1)->through;
}

/* Returns true for the first record of a section. If there is no memory to note it, each record
 * counts. */
static bool is_new(struct table *seen, const struct label *l)
{
	const uint64_t part[] = {stream_hash(l), l->sequence, l->before};
	struct hash h;
	uint64_t hash;

	hash_begin(&h);
	hash_add(&h, part, sizeof(part));
	hash = hash_end(&h);
	if (table_find(seen, hash) != TABLE_NONE)
		return false;
	table_put(seen, hash, 0);
	return true;
}

static bool tell_gone(const struct fetch *f, const struct streams *s, const struct options *o)
{
	struct table seen = {.count = 0};
	uint64_t packets = 0, sections = 0;
	struct label l;

	for (size_t at = 0; catalog_next_gone(&f->catalog, &at, &l);)
		if (options_have_time(o, l.first, l.last) && names_have(&o->hosts, l.host) &&
		    names_have(&o->sessions, l.session) && is_behind(s, &l) && is_new(&seen, &l)) {
			add_capped(&packets, l.packets);
			sections++;
		}
	if (sections)
		note("%s%" PRIu64 " sections of this time, with %" PRIu64
		     " packets, have been removed from topic %s, as its index says",
		     f->catalog.gone_beyond ? "at least " : "", sections, packets,
		     f->topic.client.address.topic);
	table_free(&seen);
	return !sections && !f->catalog.gone_beyond;
}

static unsigned clashes;

static void tell_clash(const struct stream *s)
{
	char name[512];

	if (clashes++ < STREAMS_TOLD)
		note("%s: two captures at the same time have this name",
		     stream_name(s, name, sizeof(name)));
}

bool told_faults(const struct fetch *f, const struct streams *s, const struct options *o,
		 uint64_t cut)
{
	bool is_whole = tell_gaps(s, o);

	is_whole &= tell_gone(f, s, o);

	if (s->beyond)
		note("%" PRIu64 " sections are left out: there are more than %u streams", s->beyond,
		     STREAMS_MAX);
	if (cut)
		note("%" PRIu64 " sections are cut or broken: only their complete packets are here",
		     cut);
	if (f->foreign)
		note("%" PRIu64 " messages of topic %s are not of pcapng-kafka: skipped",
		     f->foreign, f->topic.client.address.topic);
	if (f->later)
		note("%" PRIu64 " sections of topic %s are of a later version of pcapng-kafka, and "
		     "left out: read them with that one",
		     f->later, f->topic.client.address.topic);
	clashes = 0;
	streams_clashes(s, tell_clash);
	if (clashes > STREAMS_TOLD)
		note("two captures at the same time have one name %u times more",
		     clashes - STREAMS_TOLD);
	return is_whole && !s->beyond && !cut && !f->later;
}

int told_status(bool is_whole)
{
	return is_whole ? EXIT_SUCCESS : STATUS_GAPS;
}

void told_see(struct told_seen *t, const struct options *o, const struct label *l)
{
	names_see(&o->hosts, l->host, &t->hosts);
	names_see(&o->sessions, l->session, &t->sessions);
}

static bool tell_absent(const char *what, const struct names *n, uint64_t seen)
{
	bool any = false;

	for (size_t i = 0; i < n->count; i++) {
		if (seen >> i & 1)
			continue;
		complain("there is nothing of %s %s in what was read", what, n->name[i]);
		any = true;
	}
	return any;
}

bool told_absent(const struct told_seen *t, const struct options *o)
{
	bool any = tell_absent("host", &o->hosts, t->hosts);

	any |= tell_absent("session", &o->sessions, t->sessions);
	return tell_absent("interface", &o->interfaces, t->interfaces) || any;
}
