/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <inttypes.h>
#include <stdio.h>

#include "kafka/get/told.h"
#include "kafka/say.h"
#include "kafka/signals.h"

#define LOOK_MS	   500
#define SILENCE_MS 30000

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

static void tell_gap(void *context, const struct stream *s, uint64_t first, uint64_t last)
{
	char name[512];

	(void)context;
	stream_name(s, name, sizeof(name));
	if (first == last)
		note("%s: section %" PRIu64 " is missing", name, first);
	else
		note("%s: sections %" PRIu64 " to %" PRIu64 " are missing", name, first, last);
}

void told_faults(const struct fetch *f, const struct streams *s, uint64_t cut)
{
	char name[512];

	streams_gaps(s, tell_gap, NULL);
	if (cut)
		note("%" PRIu64 " sections are cut or broken: only their complete packets are here",
		     cut);
	if (f->foreign)
		note("%" PRIu64 " messages of topic %s are not of pcapng-kafka: skipped",
		     f->foreign, f->client.address.topic);
	for (size_t i = 0; i < s->count; i++)
		for (size_t j = 0; j < i; j++)
			if (streams_clash(s->stream[i], s->stream[j]))
				note("%s: two captures at the same time have this name",
				     stream_name(s->stream[i], name, sizeof(name)));
}
