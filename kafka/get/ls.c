/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* ls: which captures a topic has. */
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
#include "util/json.h"

struct sum {
	uint64_t first, last, sections, packets, lost, missing;
};

/* Sections without packets have the time at which they were made: it counts where all are so. */
static void span(const struct stream *s, bool of_packets, struct sum *sum)
{
	for (size_t i = 0; i < s->count; i++) {
		const struct piece *p = &s->piece[i];

		if (of_packets && !p->packets)
			continue;
		sum->first = p->first < sum->first ? p->first : sum->first;
		sum->last = p->last > sum->last ? p->last : sum->last;
	}
}

static void add_up(const struct stream *s, struct sum *sum)
{
	*sum = (struct sum){.first = UINT64_MAX};
	span(s, true, sum);
	if (sum->first > sum->last)
		span(s, false, sum);
	for (size_t i = 0; i < s->count; i++) {
		const struct piece *p = &s->piece[i];

		sum->sections++;
		sum->packets += p->packets;
		sum->lost += p->lost;
		if (i)
			sum->missing += p->sequence - s->piece[i - 1].through - 1;
	}
}

static int read_labels(struct fetch *fetch, struct streams *streams, const struct options *o,
		       struct told_seen *seen)
{
	struct stream *unused;
	struct fetched f;
	int n = 0, e = 0;

	while (e >= 0 && !signals_stop && (n = told_wait(fetch, &f)) >= 0) {
		if (n)
			told_see(seen, o, &f.label);
		if (n && options_have_time(o, f.label.first, f.label.last) &&
		    names_have(&o->hosts, f.label.host) &&
		    names_have(&o->sessions, f.label.session))
			e = streams_add(streams, &f.label, NULL, 0, &unused);
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
	       ",\"sections_missing\":%" PRIu64 "}\n",
	       s->number, sum->first, sum->last, sum->sections, sum->packets, sum->lost,
	       sum->missing);
}

static void print_line(const struct stream *s, const struct sum *sum)
{
	char first[MOMENT_ROOM], last[MOMENT_ROOM];

	moment_format(sum->first, first);
	moment_format(sum->last, last);
	printf("%-16s %-12s %-16s %6" PRIu64 " %s %s %10" PRIu64 " %8" PRIu64 " %8" PRIu64 "\n",
	       s->host, s->interface, s->session, s->number, first, last, sum->packets, sum->lost,
	       sum->missing);
}

static int print(struct streams *s, bool json)
{
	struct sum sum;

	if (s->count)
		qsort(s->stream, s->count, sizeof(s->stream[0]), by_name);
	if (!json)
		printf("%-16s %-12s %-16s %6s %-30s %-30s %10s %8s %8s\n", "HOST", "INTERFACE",
		       "SESSION", "STREAM", "FIRST", "LAST", "PACKETS", "LOST", "MISSING");
	for (size_t i = 0; i < s->count; i++) {
		add_up(s->stream[i], &sum);
		(json ? print_json : print_line)(s->stream[i], &sum);
	}
	return fflush(stdout) || ferror(stdout) ? -1 : 0;
}

int ls_run(const struct options *o)
{
	struct fetch fetch = {.partition = NULL};
	struct told_seen seen = {.hosts = 0};
	struct streams streams;
	int e = streams_open(&streams, NULL);

	if (o->rest[0]) {
		complain("ls takes one address, and '%s' is too much", o->rest[0]);
		return EXIT_FAILURE;
	}
	if (!e)
		e = fetch_open(&fetch, o);
	signals_catch();
	if (!e)
		e = read_labels(&fetch, &streams, o, &seen);
	if (!e) {
		told_faults(&fetch, &streams, 0);
		e = print(&streams, o->json);
		if (told_absent(&seen, o))
			e = -1;
	}
	fetch_close(&fetch);
	streams_close(&streams);
	return e ? EXIT_FAILURE : EXIT_SUCCESS;
}
