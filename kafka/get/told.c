/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <inttypes.h>
#include <stdio.h>

#include "kafka/get/told.h"
#include "util/command/say.h"
#include "util/command/signals.h"

#define LOOK_MS	   100
#define SILENCE_MS 30000
#define GAPS_TOLD  8 /* of a stream */

struct gaps {
	const struct stream *stream;
	uint64_t count, sections; /* that are missing */
};

int told_wait(struct fetch *f, struct fetched *to)
{
	int n = 0;

	for (int waited = 0; n == 0 && !signals_stop; waited += LOOK_MS) {
		n = fetch_next(f, LOOK_MS, to);
		if (n == 0 && waited >= SILENCE_MS) {
			client_complain(&f->client, RD_KAFKA_RESP_ERR__TIMED_OUT);
			return -2;
		}
	}
	return n;
}

/* Those of a stream that are not told by themselves. */
static void tell_rest(const struct gaps *g)
{
	char name[512];

	if (g->count > GAPS_TOLD)
		note("%s: %" PRIu64 " more sections are missing, in %" PRIu64 " gaps",
		     stream_name(g->stream, name, sizeof(name)), g->sections, g->count - GAPS_TOLD);
}

static void tell_gap(void *context, const struct stream *s, uint64_t first, uint64_t last)
{
	struct gaps *g = context;
	char name[512];

	if (g->stream != s) {
		tell_rest(g);
		*g = (struct gaps){.stream = s};
	}
	if (++g->count > GAPS_TOLD) {
		g->sections += last - first + 1;
		return;
	}
	stream_name(s, name, sizeof(name));
	if (first == last)
		note("%s: section %" PRIu64 " is missing", name, first);
	else
		note("%s: sections %" PRIu64 " to %" PRIu64 " are missing", name, first, last);
}

static void tell_clash(const struct stream *s)
{
	char name[512];

	note("%s: two captures at the same time have this name",
	     stream_name(s, name, sizeof(name)));
}

void told_faults(const struct fetch *f, const struct streams *s, uint64_t cut)
{
	struct gaps g = {.stream = NULL};

	streams_gaps(s, tell_gap, &g);
	tell_rest(&g);
	if (s->beyond)
		note("%" PRIu64 " sections are left out: there are more than %u streams", s->beyond,
		     STREAMS_MAX);
	if (cut)
		note("%" PRIu64 " sections are cut or broken: only their complete packets are here",
		     cut);
	if (f->foreign)
		note("%" PRIu64 " messages of topic %s are not of pcapng-kafka: skipped",
		     f->foreign, f->client.address.topic);
	streams_clashes(s, tell_clash);
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
