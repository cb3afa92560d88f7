/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <inttypes.h>
#include <stdio.h>

#include "kafka/put/trouble.h"
#include "kafka/put/sender.h"
#include "util/clock.h"
#include "util/command/say.h"

#define AWAY_NS	 (5 * NS_PER_SEC) /* brokers that are slower than this are worth a message */
#define QUIET_NS (5 * NS_PER_SEC) /* without a loss for this long, it has ended */
#define WORDS	 1024

static bool is_away(const struct sender *s, uint64_t now)
{
	return s->waiting && now - s->moved >= (uint64_t)AWAY_NS;
}

enum put_trouble trouble_of(const struct trouble *t, const struct sender *s)
{
	if (s->refused)
		return client_kind(s->refused);
	if (is_away(s, clock_monotonic()))
		return s->client->trouble_kind ? s->client->trouble_kind : PUT_UNREACHABLE;
	if (!t->is_losing)
		return PUT_WELL;
	if (s->error)
		return client_kind(s->error);
	return s->client->trouble_kind ? s->client->trouble_kind : PUT_SLOW;
}

const char *trouble_why(const struct sender *s, char *to, size_t room)
{
	const struct client *c = s->client;

	if (!s->refused && s->spool->is_unclaimed)
		snprintf(to, room,
			 "no broker at %s has said of which cluster it is, and the spool is for one%s%s",
			 c->address.brokers, c->trouble[0] ? ": " : "", c->trouble);
	else
		client_words(s->client, s->refused ? s->refused : RD_KAFKA_RESP_ERR__TRANSPORT, to,
			     room);
	return to;
}

static void look_at_brokers(struct trouble *t, const struct sender *s, uint64_t now)
{
	bool away = (s->refused && !s->asks) || is_away(s, now);
	char why[WORDS];

	if (away && (!t->away_since || s->refused != t->reason)) {
		complain("nothing is acknowledged, and packets wait in the %s: %s",
			 s->keeps ? "spool" : "queue", trouble_why(s, why, sizeof(why)));
		t->away_since = t->away_since ? t->away_since : now;
		t->reason = s->refused;
	} else if (!away && t->away_since) {
		if (s->acknowledged_at > t->away_since)
			complain("the brokers acknowledge again, after %" PRIu64 " s",
				 (s->acknowledged_at - t->away_since) / (uint64_t)NS_PER_SEC);
		t->away_since = 0;
	}
}

static void tell_loss(const struct trouble *t, const struct sender *s)
{
	const char *full = s->keeps ? "queue and spool are full" : "the queue is full";
	char why[WORDS] = "the brokers take less than comes";

	if (s->error) {
		client_words(s->client, s->error, why, sizeof(why));
		complain("packets are lost: %s", why);
		return;
	}
	if (trouble_of(t, s) != PUT_SLOW)
		trouble_why(s, why, sizeof(why));
	complain("packets are lost: %s, because %s", full, why);
}

/* A queue can be full for changing reasons: that is told once. */
static void look_at_loss(struct trouble *t, const struct sender *s, uint64_t now)
{
	bool begins;

	if (s->lost.packets == t->lost) {
		if (!t->is_losing || now - t->lost_last < (uint64_t)QUIET_NS)
			return;
		complain("no packets are lost any more: %" PRIu64 " were, in %" PRIu64 " s",
			 t->lost - t->lost_before,
			 (t->lost_last - t->lost_since) / (uint64_t)NS_PER_SEC + 1);
		t->is_losing = false;
		return;
	}
	if (!t->is_losing) {
		t->lost_before = t->lost;
		t->lost_since = now;
	}
	begins = !t->is_losing;
	t->is_losing = true;
	if (begins || (s->error && s->error != t->told)) {
		tell_loss(t, s);
		t->told = s->error;
	}
	t->lost = s->lost.packets;
	t->lost_last = now;
}

void trouble_look(struct trouble *t, const struct sender *s)
{
	uint64_t now = clock_monotonic();

	look_at_brokers(t, s, now);
	look_at_loss(t, s, now);
}

void trouble_knows(struct trouble *t, uint64_t packets)
{
	t->lost += packets;
}
