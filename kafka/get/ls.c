/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* ls: lists the captures of a topic. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kafka/commands.h"
#include "kafka/get/fetch.h"
#include "util/command/moment.h"
#include "kafka/get/streams.h"
#include "kafka/get/told.h"
#include "util/command/say.h"
#include "util/command/signals.h"
#include "util/clock.h"
#include "util/json.h"
#include "util/less.h"

struct sum {
	uint64_t first, last, sections, packets;
	uint64_t seen; /* time of the last section, even one without packets */
	struct gap gap;
};

/* Sections without packets have the time at which they were made: it counts if the stream has no
 * others. */
static void span(const struct stream *s, const struct options *o, bool of_packets, struct sum *sum)
{
	for (size_t i = 0; i < s->count; i++) {
		const struct piece *p = stream_piece(s, i);

		if ((of_packets && !p->packets) || !options_have_time(o, p->first, p->last))
			continue;
		sum->first = p->first < sum->first ? p->first : sum->first;
		sum->last = p->last > sum->last ? p->last : sum->last;
	}
}

static void add_up(const struct stream *s, const struct options *o, struct sum *sum)
{
	*sum = (struct sum){.first = UINT64_MAX};
	span(s, o, true, sum);
	if (sum->first > sum->last)
		span(s, o, false, sum);
	for (size_t i = 0; i < s->count; i++) {
		const struct piece *p = stream_piece(s, i);

		if (!options_have_time(o, p->first, p->last))
			continue;
		sum->seen = p->last > sum->seen ? p->last : sum->seen;
		sum->sections++;
		add_capped(&sum->packets, p->packets);
	}
	gap_of_stream(&sum->gap, s, o);
}

static int open_streams(struct streams *s)
{
	int e = streams_open(s, NULL);

	s->orders_late = true;
	return e;
}

static int read_labels(struct fetch *fetch, struct streams *streams, const struct options *o,
		       struct told_seen *seen)
{
	struct stream *stream;
	struct fetched f;
	int n = 0, e = 0;

	while (e >= 0 && !signals_stop && (n = told_wait(fetch, &f)) != -1 && n != -2) {
		if (n == FETCH_AGAIN) {
			*seen = (struct told_seen){.hosts = 0};
			streams_close(streams);
			e = open_streams(streams);
			continue;
		}
		if (n)
			told_see(seen, o, &f.label);
		if (!n || !names_have(&o->hosts, f.label.host) ||
		    !names_have(&o->sessions, f.label.session))
			continue;
		e = streams_add(streams, &f.label, NULL, 0, &stream);
		if (e >= 0 && stream && f.is_from_start)
			stream_begins(stream, f.label.sequence);
	}
	if (e < 0)
		complain("%s", strerror(-e));
	return e < 0 || signals_stop || n == -2 ? -1 : 0;
}

static int by_name(const void *a, const void *b)
{
	const struct stream *x = *(struct stream *const *)a, *y = *(struct stream *const *)b;
	int d = strcmp(x->host, y->host);

	if (!d)
		d = strcmp(x->session, y->session);
	if (!d)
		d = x->number < y->number ? -1 : x->number > y->number;
	return d ? d : strcmp(x->writer, y->writer);
}

static void print_json(const struct stream *s, const struct sum *sum)
{
	fputs("{\"host\":", stdout);
	json_string(stdout, s->host);
	json_member(stdout, "interface", s->interface);
	json_member(stdout, "session", s->session);
	json_member(stdout, "writer", s->writer);
	printf(",\"stream\":%" PRIu64 ",\"first_ns\":%" PRIu64 ",\"last_ns\":%" PRIu64
	       ",\"sections\":%" PRIu64 ",\"packets\":%" PRIu64 ",\"packets_lost\":%" PRIu64
	       ",\"sections_missing\":%" PRIu64,
	       s->number, sum->first, sum->last, sum->sections, sum->packets, sum->gap.lost,
	       sum->gap.sections);
	printf(",\"seen_ns\":%" PRIu64 ",\"packets_dropped\":%" PRIu64 ",\"packets_late\":%" PRIu64
	       ",\"packets_missing\":%" PRIu64 ",\"sections_unknown\":%" PRIu64 "}\n",
	       sum->seen, sum->gap.dropped, sum->gap.behind, sum->gap.removed, sum->gap.unknown);
}

/* Writes how long ago that was, in the largest unit that fits. */
static void format_age(uint64_t time, char *to, size_t room)
{
	static const struct {
		uint64_t seconds;
		char name;
	} units[] = {{86400, 'd'}, {3600, 'h'}, {60, 'm'}, {1, 's'}};
	uint64_t now = clock_wall();
	uint64_t age = now > time ? (now - time) / (uint64_t)NS_PER_SEC : 0;
	size_t i = 0;

	while (units[i].seconds > 1 && age < units[i].seconds)
		i++;
	snprintf(to, room, "%" PRIu64 "%c", age / units[i].seconds, units[i].name);
}

static void print_line(const struct stream *s, const struct sum *sum)
{
	char first[MOMENT_ROOM], last[MOMENT_ROOM], seen[24];

	moment_format(sum->first, first);
	moment_format(sum->last, last);
	format_age(sum->seen, seen, sizeof(seen));
	printf("%-16s %-12s %-16s %6" PRIu64 " %s %s %10" PRIu64 " %8" PRIu64 " %8" PRIu64
	       " %8" PRIu64 " %8" PRIu64 " %8" PRIu64 " %6s\n",
	       s->host, s->interface, s->session, s->number, first, last, sum->packets,
	       sum->gap.dropped, sum->gap.behind, sum->gap.lost, sum->gap.sections,
	       sum->gap.removed, seen);
}

static int print(struct streams *s, const struct options *o)
{
	struct sum sum;

	if (s->count)
		qsort(s->stream, s->count, sizeof(s->stream[0]), by_name);
	if (!o->json)
		printf("%-16s %-12s %-16s %6s %-30s %-30s %10s %8s %8s %8s %8s %8s %6s\n", "HOST",
		       "INTERFACE", "SESSION", "STREAM", "FIRST", "LAST", "PACKETS", "DROPPED",
		       "LATE", "LOST", "MISSING", "GONE", "SEEN");
	for (size_t i = 0; i < s->count; i++) {
		add_up(s->stream[i], o, &sum);
		if (sum.sections)
			(o->json ? print_json : print_line)(s->stream[i], &sum);
	}
	return printed() == EXIT_SUCCESS ? 0 : -1;
}

int ls_run(const struct options *o)
{
	struct fetch fetch = {.foreign = 0};
	struct told_seen seen = {.hosts = 0};
	struct streams streams;
	bool is_whole = true;
	int e = open_streams(&streams);

	if (o->rest[0]) {
		complain("ls takes one address, and '%s' is too much", o->rest[0]);
		return EXIT_FAILURE;
	}
	if (!e)
		e = fetch_open(&fetch, o, NULL, NULL);
	signals_catch();
	if (!e)
		e = read_labels(&fetch, &streams, o, &seen);
	streams_order(&streams);
	if (!e) {
		is_whole = told_faults(&fetch, &streams, o, 0);
		signals_release(); /* the reader may have stopped, so a signal must end us */
		e = print(&streams, o);
		if (told_absent(&seen, o))
			e = -1;
	}
	fetch_close(&fetch);
	streams_close(&streams);
	return e ? EXIT_FAILURE : told_status(is_whole);
}
