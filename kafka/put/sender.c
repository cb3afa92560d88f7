/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kafka/put/sender.h"
#include "kafka/put/kept.h"
#include "kafka/put/letter.h"
#include "kafka/put/limit.h"
#include "kafka/put/produce.h"
#include "kafka/put/state.h"
#include "util/command/say.h"
#include "util/command/signals.h"
#include "util/clock.h"

/* Room for the key, headers and batch around a section. */
#define MESSAGE_ROOM "1048576"
#define LOOK_MS	     100
#define GIVE_UP_MS   5000	      /* without librdkafka giving anything back */
#define STALL_NS     (2 * NS_PER_SEC) /* without an answer for this long, brokers count as away */
#define AGAIN_NS     (NS_PER_SEC)     /* until a spool that failed is tried again */
#define REST_NS	     (NS_PER_SEC)     /* after a refusal, doubled each time */
#define REST_MOST_NS (30 * NS_PER_SEC)
#define RECALL_NS    (2 * NS_PER_SEC) /* for answers that may still come */

static void add(struct tally *t, uint64_t packets, uint64_t bytes)
{
	t->sections++;
	t->packets += packets;
	t->bytes += bytes;
}

static void subtract(struct tally *t, uint64_t packets, uint64_t bytes)
{
	t->sections--;
	t->packets -= packets;
	t->bytes -= bytes;
}

static void list_letter(struct sender *s, struct letter *l)
{
	l->before = s->newest;
	if (s->newest)
		s->newest->after = l;
	else
		s->oldest = l;
	s->newest = l;
	add(&s->alone, l->packets, l->bytes);
}

static void unlist_letter(struct sender *s, struct letter *l)
{
	*(l->before ? &l->before->after : &s->oldest) = l->after;
	*(l->after ? &l->after->before : &s->newest) = l->before;
	subtract(&s->alone, l->packets, l->bytes);
}

/* The brokers or the disk have the section, and with it what it says is missing. */
static void tell_missing(struct sender *s, const struct letter *l)
{
	uint64_t *hole = &s->hole[l->stream % SENDER_STREAMS];

	s->told += *hole;
	*hole = 0;
	if (l->file)
		return; /* it was counted when it was spooled */
	s->told += l->lost + l->behind;
	s->dropped += l->dropped;
}

static void lose(struct sender *s, const struct letter *l)
{
	add(&s->lost, l->packets, l->bytes);
	s->hole[l->stream % SENDER_STREAMS] += l->packets + l->lost;
	s->untold_dropped += l->dropped;
	s->untold_behind += l->behind;
}

/* Packets that are too large for the topic are lost, and the part after them says so. */
static void count_acknowledged(struct sender *s, const struct letter *l)
{
	if (l->file)
		spool_done(s->spool, l->file, l->packets);
	if (l->is_earlier) {
		s->earlier += l->packets - l->unfit;
		s->earlier_lost += l->unfit;
		if (state_has_sent_others(s->state)) {
			s->own_lost += l->unfit;
			s->told += l->unfit;
		}
		return;
	}
	add(&s->acknowledged, l->packets - l->unfit, l->bytes);
	tell_missing(s, l);
	s->lost.packets += l->unfit;
	s->told += l->unfit;
	trouble_knows(&s->trouble, l->unfit);
}

static void note_acknowledged(struct sender *s, const rd_kafka_message_t *m, struct part *p)
{
	rd_kafka_timestamp_type_t kind;

	indexer_add(s->indexer, p->record, m->partition, m->offset);
	rd_kafka_message_timestamp(m, &kind);
	s->is_append_time |= kind == RD_KAFKA_TIMESTAMP_LOG_APPEND_TIME;
	s->moved = s->acknowledged_at = clock_monotonic();
	s->refused = RD_KAFKA_RESP_ERR_NO_ERROR;
	s->rest_ns = 0;
	client_is_well(s->client);
}

/* The state is told before and after: if we are killed in between, it is wrong by one section at
 * most. */
static int add_to_spool(struct sender *s, const uint8_t *section, const struct letter *l)
{
	int e;

	if (s->state)
		state_tell(s->state, s);
	e = spool_add(s->spool, section, l->bytes, l->packets, l->order);
	if (!e)
		tell_missing(s, l);
	if (s->state)
		state_tell(s->state, s);
	return e;
}

/* A section is no longer sent: the spool has it already, or gets it, or it is lost. */
static void take_back(struct sender *s, const struct letter *l)
{
	if (l->file)
		return;
	if (s->spool->folder < 0 || add_to_spool(s, l->section.at, l)) {
		lose(s, l);
		trouble_knows(&s->trouble, l->packets);
	}
}

/* Notes why the brokers refuse a section. About those behind it librdkafka says only that they
 * failed. */
static void learn(struct sender *s, rd_kafka_resp_err_t error)
{
	if (error == RD_KAFKA_RESP_ERR__FATAL)
		error = rd_kafka_fatal_error(s->client->kafka, NULL, 0);
	if (error && error != RD_KAFKA_RESP_ERR__GAPLESS_GUARANTEE)
		s->refused = error;
}

/* With a spool a refused section stays or goes there, until the brokers take it. */
static void refuse(struct sender *s, const struct letter *l, rd_kafka_resp_err_t error)
{
	s->error = error;
	if (!s->keeps) {
		lose(s, l);
		return;
	}
	learn(s, error);
	s->is_refused = true;
	take_back(s, l);
}

/*
 * With a spool, what brokers refuse waits for an administrator, like what they do not answer. All
 * behind it waits too, so that a key keeps its order: librdkafka stops at the first that is
 * refused, and gives back all that it has.
 */
static void rest(struct sender *s, rd_kafka_resp_err_t error)
{
	uint64_t now = clock_monotonic();

	learn(s, error);
	s->asks |= s->refused == RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE;
	if (s->rests)
		return;
	s->rests = true;
	s->rest_ns = s->rest_ns ? 2 * s->rest_ns : (uint64_t)REST_NS;
	if (s->rest_ns > (uint64_t)REST_MOST_NS)
		s->rest_ns = (uint64_t)REST_MOST_NS;
	s->rest_until = now + s->rest_ns;
	s->recalled_at = 0;
	window_forget(&s->window);
}

static bool is_given_back(rd_kafka_resp_err_t e)
{
	return e == RD_KAFKA_RESP_ERR__PURGE_QUEUE || e == RD_KAFKA_RESP_ERR__PURGE_INFLIGHT ||
	       e == RD_KAFKA_RESP_ERR__FATAL;
}

static void answered(struct sender *s, struct letter *l)
{
	s->waiting--;
	s->answers++;
	s->moved = clock_monotonic();
	s->held -= l->held;
	if (!l->file)
		unlist_letter(s, l);
}

/* Gives up sending the letter. */
static void end_letter(struct sender *s, struct letter *l, rd_kafka_resp_err_t error)
{
	answered(s, l);
	if (is_given_back(error))
		take_back(s, l);
	else
		refuse(s, l, error);
	l->is_ended = true;
	if (!letter_is_out(l)) /* otherwise librdkafka may still read it */
		letter_free(l);
}

/* The same, as soon as librdkafka has nothing of it. */
static void fail(struct sender *s, struct letter *l, rd_kafka_resp_err_t error)
{
	if (!l->failed)
		l->failed = error;
	if (!l->is_kept && !letter_is_out(l))
		end_letter(s, l, l->failed);
}

/* What librdkafka takes as acknowledged only because later sections are may be in no topic. */
static rd_kafka_resp_err_t outcome(struct sender *s, const rd_kafka_message_t *m,
				   const struct letter *l)
{
	if (m->err) {
		window_forget(&s->window);
		return m->err;
	}
	return window_acknowledged(&s->window, l->key, m->offset) ? RD_KAFKA_RESP_ERR_NO_ERROR
								  : RD_KAFKA_RESP_ERR__INCONSISTENT;
}

/* Does a refused letter wait? With a spool it waits for an administrator, or during a rest; without
 * one to be cut smaller. */
static bool waits(const struct sender *s, rd_kafka_resp_err_t e)
{
	if (s->ends)
		return false;
	return s->keeps || s->rests ||
	       (e == RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE &&
		(!s->asked_at || clock_monotonic() - s->asked_at >= (uint64_t)REST_MOST_NS));
}

static void deliver(struct sender *s, const rd_kafka_message_t *m, struct part *p)
{
	struct letter *l = p->letter;

	note_acknowledged(s, m, p);
	buffer_free(&p->section);
	p->is_done = true;
	if (--l->undone) {
		letter_weigh(s, l);
		if (l->failed)
			fail(s, l, l->failed);
		return;
	}
	answered(s, l);
	count_acknowledged(s, l);
	letter_free(l);
}

static void on_delivery(rd_kafka_t *kafka, const rd_kafka_message_t *m, void *opaque)
{
	struct client *c = opaque;
	struct sender *s = c->sender;
	struct part *p = m->_private;
	struct letter *l = p->letter;
	rd_kafka_resp_err_t e = outcome(s, m, l);

	(void)kafka;
	s->out--;
	p->is_out = false;
	if (l->is_ended) {
		if (!letter_is_out(l))
			letter_free(l);
		return;
	}
	if (!e) {
		deliver(s, m, p);
		return;
	}
	if (!waits(s, e)) {
		fail(s, l, e);
		return;
	}
	if (e != RD_KAFKA_RESP_ERR__PURGE_QUEUE && e != RD_KAFKA_RESP_ERR__PURGE_INFLIGHT)
		rest(s, e);
	kept_add(s, l);
}

/*
 * Allows several requests in flight; window.h decides when. Brokers limit the size of a batch:
 * small sections share one, whose limit is the size of the largest section.
 */
int sender_configure(const struct sender *s, struct client *c)
{
	char kbytes[24], batch[24];

	snprintf(kbytes, sizeof(kbytes), "%" PRIu64, (s->most + 1023) / 1024);
	snprintf(batch, sizeof(batch), "%" PRIu64, s->section);
	rd_kafka_conf_set_dr_msg_cb(c->conf, on_delivery);
	return client_set(c, "acks", "all") || client_set(c, "max.in.flight", WINDOW_REQUESTS) ||
			       client_set(c, "enable.idempotence", "true") ||
			       client_set(c, "enable.gapless.guarantee",
					  s->keeps ? "true" : "false") ||
			       client_set(c, "message.timeout.ms", "0") ||
			       client_set(c, "partitioner", "murmur2_random") ||
			       client_set(c, "message.max.bytes", MESSAGE_ROOM) ||
			       client_set(c, "queue.buffering.max.kbytes", kbytes) ||
			       client_set(c, "batch.size", batch) || client_set(c, "linger.ms", "0")
		       ? -1
		       : 0;
}

int sender_init(struct sender *s, struct client *c, uint64_t queue_bytes, uint64_t section_bytes)
{
	s->client = c;
	s->keeps = s->spool->folder >= 0;
	s->acknowledged_at = clock_monotonic();
	s->most = queue_bytes;
	s->section = section_bytes;
	c->sender = s;
	return sender_configure(s, c);
}

static struct letter write_letter(const struct buffer *message, const struct label *label,
				  uint64_t order)
{
	return (struct letter){.packets = label->packets,
			       .bytes = message->used,
			       .lost = label->lost,
			       .behind = label->behind,
			       .dropped = label->dropped,
			       .stream = label->stream,
			       .key = window_key(label),
			       .order = order};
}

/* Counts the letter as waiting until it is answered. */
static void expect(struct sender *s, struct letter *l)
{
	if (!s->waiting++)
		s->moved = clock_monotonic();
	letter_weigh(s, l);
	if (!l->file)
		list_letter(s, l);
}

static rd_kafka_resp_err_t give_part(struct sender *s, struct part *p)
{
	const struct buffer *section = part_content(p);
	rd_kafka_resp_err_t e = RD_KAFKA_RESP_ERR__BAD_MSG;
	struct label label;

	if (label_find(&label, section->at, section->used))
		e = produce(s->client, s->indexer, section, &label, p, &p->record);
	if (e)
		return e;
	p->is_out = true;
	s->out++;
	return e;
}

/* Gives librdkafka all of the letter, or what there is room for: then the letter is kept. */
static void give(struct sender *s, struct letter *l)
{
	rd_kafka_resp_err_t e = RD_KAFKA_RESP_ERR_NO_ERROR;

	if (!letter_fit(s, l)) {
		kept_add(s, l);
		return;
	}
	for (struct part *p = l->parts; p && !e; p = p->next) {
		if (p->is_out || p->is_done)
			continue;
		if (!window_opens(&s->window, l->key, s->out))
			break;
		e = give_part(s, p);
	}
	if (!e && !letter_is_wanting(l))
		return;
	if (e && e != RD_KAFKA_RESP_ERR__QUEUE_FULL) {
		if (!waits(s, e) || e == RD_KAFKA_RESP_ERR__BAD_MSG) {
			fail(s, l, e);
			return;
		}
		rest(s, e);
	}
	kept_add(s, l);
}

/* Gives librdkafka the kept letters, in order, as long as there is room. */
static void give_kept(struct sender *s)
{
	while (!s->rests && !s->spool->is_unclaimed && s->kept &&
	       window_opens(&s->window, s->kept->key, s->out)) {
		struct letter *l = kept_take(s);
		uint64_t turn = l->turn;

		if (l->failed)
			fail(s, l, l->failed);
		else
			give(s, l);
		if (s->kept && s->kept->turn == turn)
			return;
	}
}

/* Appends a section to the queue. Returns 0, or -ENOBUFS if there is no room. */
static int queue(struct sender *s, struct buffer *message, const struct letter *as)
{
	struct letter *l = NULL;

	if (!s->held || s->held + message->used <= s->most)
		l = malloc(sizeof(*l));
	if (!l)
		return -ENOBUFS;
	*l = *as;
	if (!letter_add_part(l, &l->parts, NULL)) {
		free(l);
		return -ENOBUFS;
	}
	l->section = *message;
	l->turn = s->turns++;
	*message = (struct buffer){.at = NULL};
	expect(s, l);
	if (s->rests || s->kept || s->spool->is_unclaimed)
		kept_add(s, l);
	else
		give(s, l);
	return 0;
}

/* Sends the oldest sections of the spool, as long as the queue has room. */
static void empty_spool(struct sender *s)
{
	struct buffer section = {.at = NULL};
	struct spool_file *f;
	struct label l;
	int e = 0;

	while (!e && (!s->held || s->held + s->section <= s->most) &&
	       (f = spool_next(s->spool, &section, &l))) {
		struct letter letter = write_letter(&section, &l, 0);

		letter.file = f;
		letter.is_earlier = spool_is_earlier(f);
		e = queue(s, &section, &letter);
		if (e)
			spool_back(f, letter.bytes);
	}
	buffer_free(&section);
}

static bool is_stalled(const struct sender *s)
{
	return s->waiting && clock_monotonic() - s->moved >= (uint64_t)STALL_NS;
}

/* Spools the oldest section that is only in memory. It stays in the queue too, and the spool does
 * not hand it out. */
static void spill(struct sender *s)
{
	struct letter *l = s->oldest;
	struct spool_file *f;

	if (!l || clock_monotonic() < s->spill_at || !spool_has_room(s->spool, l->bytes))
		return;
	if (add_to_spool(s, l->section.at, l)) {
		s->spill_at = clock_monotonic() + AGAIN_NS;
		return;
	}
	f = spool_taken(s->spool, l->bytes);
	unlist_letter(s, l);
	l->file = f;
	letter_weigh(s, l);
}

/* Does a new section go straight to the spool? It does while no broker answers and all that waits
 * is on disk already. */
static bool goes_to_disk(const struct sender *s, size_t bytes)
{
	return s->spool->folder >= 0 && !s->alone.sections && is_stalled(s) &&
	       spool_has_room(s->spool, bytes);
}

int sender_send(struct sender *s, struct buffer *message, const struct label *label)
{
	bool has_spool = s->spool->folder >= 0;
	bool may_queue = !has_spool || !spool_has_unsent(s->spool);
	bool to_disk = may_queue && goes_to_disk(s, message->used);
	const struct letter letter = write_letter(message, label, s->order++);
	int e = -ENOBUFS;

	if (may_queue && !to_disk)
		e = queue(s, message, &letter);
	if (e && has_spool && add_to_spool(s, message->at, &letter) == 0)
		return 0;
	if (to_disk) /* the disk takes nothing, but the queue may have room */
		e = queue(s, message, &letter);
	return e;
}

void sender_lose(struct sender *s, const struct label *label, size_t bytes)
{
	s->error = RD_KAFKA_RESP_ERR_NO_ERROR;
	add(&s->lost, label->packets, bytes);
}

bool sender_fits(struct sender *s, uint64_t most)
{
	char batch[24], unused[8];
	bool is_enough = most >= SENDER_SECTION_LEAST;

	most = is_enough ? most : SENDER_SECTION_LEAST;
	if (most >= s->section)
		return false;
	if (!is_enough)
		complain("messages of topic %s are too small for sections, of %u bytes at least: raise its max.message.bytes",
			 s->client->address.topic, SENDER_SECTION_LEAST);
	s->section = most;
	snprintf(batch, sizeof(batch), "%" PRIu64, most);
	return rd_kafka_conf_set(s->client->again, "batch.size", batch, unused, sizeof(unused)) ==
	       RD_KAFKA_CONF_OK;
}

void sender_renew(struct sender *s)
{
	if (!s->rests)
		s->recalled_at = 0;
	s->rests = true;
	s->rest_until = s->rest_ns = 0;
}

/* Recalls what librdkafka has: at once what is not sent yet, and later what is in flight and not
 * answered. */
static void recall(struct sender *s)
{
	uint64_t now = clock_monotonic();
	int which = RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_NON_BLOCKING;

	if (!s->recalled_at)
		s->recalled_at = now;
	if (now - s->recalled_at >= (uint64_t)RECALL_NS)
		which |= RD_KAFKA_PURGE_F_INFLIGHT;
	rd_kafka_purge(s->client->kafka, which);
}

/*
 * Asks how large the topic's messages may be now, and makes sections fit. Several sections share a
 * batch, whose size is a setting of the next producer.
 */
static void ask_limit(struct sender *s)
{
	uint64_t begun = clock_monotonic(), message = limit_ask(s->client);
	uint64_t most = limit_section(message);

	s->asks = false;
	s->asked_at = clock_monotonic();
	if (!message || most >= s->section || !sender_fits(s, most)) {
		s->rest_until += s->asked_at - begun;
		return;
	}
	note("topic %s takes messages of %" PRIu64 " bytes at most, so sections have %" PRIu64
	     ", also those that wait",
	     s->client->address.topic, message, s->section);
	s->rest_until = s->rest_ns = 0;
	s->refused = RD_KAFKA_RESP_ERR_NO_ERROR;
}

/* Goes on with another producer, because this one no longer sends, or only with a gap in its
 * sequence numbers. */
static void end_rest(struct sender *s)
{
	uint64_t now = clock_monotonic();

	if (s->out) {
		recall(s);
		return;
	}
	if (s->asks)
		ask_limit(s);
	if (now < s->rest_until)
		return;
	if (client_renew(s->client)) {
		s->rest_until = now + (uint64_t)REST_MOST_NS;
		return;
	}
	window_forget(&s->window);
	s->rests = false;
}

void sender_poll(struct sender *s, int wait_ms)
{
	if (s->rests)
		end_rest(s);
	if (!s->rests) {
		give_kept(s);
		if (s->keeps)
			empty_spool(s);
	}
	if (s->keeps && is_stalled(s))
		spill(s);
	rd_kafka_poll(s->client->kafka, wait_ms);
	indexer_poll(s->indexer);
	trouble_look(&s->trouble, s);
	if (s->state)
		state_tell(s->state, s);
}

/* How much can still be answered, or sent? */
static uint64_t unsent(const struct sender *s)
{
	return s->waiting + spool_has_unsent(s->spool);
}

/* Waits as long as something is answered within wait_ms. */
static void wait_for_answers(struct sender *s, int wait_ms)
{
	uint64_t before;
	int waited = 0;

	while (unsent(s) && waited < wait_ms && signals_stop < 2) {
		before = s->answers;
		sender_poll(s, LOOK_MS);
		waited = s->answers > before ? 0 : waited + LOOK_MS;
	}
}

/*
 * Each section is given back once, and goes to the spool, which may take its time. So do sections
 * that librdkafka does not give back; they are not freed until the program ends.
 */
static void give_up(struct sender *s)
{
	uint64_t before;

	s->ends = true;
	s->is_refused |= s->refused != RD_KAFKA_RESP_ERR_NO_ERROR;
	rd_kafka_purge(s->client->kafka, RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT);
	for (int waited = 0; s->out && waited < GIVE_UP_MS;) {
		before = s->answers;
		rd_kafka_poll(s->client->kafka, LOOK_MS);
		waited = s->answers > before ? 0 : waited + LOOK_MS;
	}
	while (s->kept)
		end_letter(s, kept_take(s), RD_KAFKA_RESP_ERR__PURGE_QUEUE);
	while (s->oldest)
		end_letter(s, s->oldest, RD_KAFKA_RESP_ERR__PURGE_INFLIGHT);
}

void sender_finish(struct sender *s, int wait_ms)
{
	char why[1024];

	wait_for_answers(s, wait_ms);
	if (!unsent(s))
		return;
	if (s->waiting && wait_ms)
		complain("%" PRIu64 " sections were not acknowledged within %d s: %s", s->waiting,
			 wait_ms / 1000, trouble_why(s, why, sizeof(why)));
	give_up(s);
}
