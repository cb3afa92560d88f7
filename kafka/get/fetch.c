/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "kafka/get/fetch.h"
#include "kafka/keys.h"
#include "util/command/say.h"
#include "util/command/signals.h"

#define FETCH_MUCH   "8388608", "65536"
#define FETCH_LITTLE "262144", "2048" /* but at least one section */
#define FETCH_ONE    "1", "1" /* one section; librdkafka asks for the next only a second later */
#define SHORT	     4	      /* so few sections are read one by one */
#define LOOK_MS	     100
#define SILENCE_MS   10000 /* of the index's brokers */

const struct client *fetch_client(const struct fetch *f)
{
	return f->reads ? &f->reads->client : &f->topic.client;
}

static int complain_of(struct fetch *f, rd_kafka_resp_err_t e)
{
	client_complain(fetch_client(f), e);
	return -1;
}

/* Reads the whole index. Returns 0 or the error. */
static rd_kafka_resp_err_t read_index(struct fetch *f, struct topic *x, catalog_rule *rule,
				      void *context)
{
	const rd_kafka_message_t *m = NULL;
	int n = 0;

	for (int waited = 0; n >= 0 && waited < SILENCE_MS; waited = m ? 0 : waited + LOOK_MS) {
		n = topic_next(x, LOOK_MS, &m);
		if (n == 1 &&
		    catalog_take(&f->catalog, &f->topic, m->payload, m->len, rule, context))
			return RD_KAFKA_RESP_ERR__CRIT_SYS_RESOURCE;
	}
	if (n == -2)
		return m->err;
	return n == -1 ? RD_KAFKA_RESP_ERR_NO_ERROR : RD_KAFKA_RESP_ERR__TIMED_OUT;
}

static void tell_without(const struct fetch *f, const struct client *x, rd_kafka_resp_err_t e)
{
	char why[1024];

	if (client_kind(e) ==
	    PUT_NO_TOPIC) /* do not advise to create it: an empty index is of no use to a reader */
		snprintf(why, sizeof(why),
			 "there is no topic %s, which pcapng-kafka put makes and writes",
			 x->address.topic);
	else
		client_words(x, e, why, sizeof(why));
	note("topic %s is read without an index: %s", f->topic.client.address.topic, why);
}

static void tell_lie(const struct fetch *f)
{
	const char *topic = f->topic.client.address.topic;

	note("topic %s" RECORD_SUFFIX " does not say what topic %s has: it is not used", topic,
	     topic);
}

static void tell_doubts(const struct fetch *f)
{
	const char *topic = f->topic.client.address.topic;
	const struct catalog *c = &f->catalog;

	if (c->doubted)
		note("topic %s" RECORD_SUFFIX " contradicts itself about %" PRIu64
		     " sections: they are read",
		     topic, c->doubted);
	if (c->beyond)
		note("topic %s" RECORD_SUFFIX " has records of %" PRIu64
		     " sections more than are used, which are %zu: they are read",
		     topic, c->beyond, c->count);
	if (c->foreign)
		note("%" PRIu64 " messages of topic %s" RECORD_SUFFIX
		     " are not of this version of pcapng-kafka: skipped",
		     c->foreign, topic);
}

/* Uses the index *x, which is open. */
static rd_kafka_resp_err_t use_index(struct fetch *f, struct topic *x, catalog_rule *rule,
				     void *context)
{
	rd_kafka_resp_err_t e;
	int agrees, partitions = client_look(&x->client, &e);

	if (partitions <= 0)
		return e ? e : RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART;
	e = topic_range(x, f->o, partitions);
	if (!e)
		e = topic_start(x);
	if (!e)
		e = read_index(f, x, rule, context);
	if (e)
		return e;
	catalog_settle(&f->catalog);
	agrees = catalog_agrees(&f->catalog, &f->topic);
	if (agrees < 0)
		return RD_KAFKA_RESP_ERR__FAIL;
	(agrees ? tell_doubts : tell_lie)(f);
	if (!agrees)
		catalog_free(&f->catalog);
	return RD_KAFKA_RESP_ERR_NO_ERROR;
}

static int open_index(struct fetch *f, catalog_rule *rule, void *context)
{
	struct topic x = {.client.address = f->topic.client.address};
	size_t length = strlen(x.client.address.topic);
	rd_kafka_resp_err_t e;

	if (length + sizeof(RECORD_SUFFIX) > sizeof(x.client.address.topic))
		return 0; /* put says that the name is too long */
	memcpy(x.client.address.topic + length, RECORD_SUFFIX, sizeof(RECORD_SUFFIX));
	if (topic_create(&x, f->o, FETCH_MUCH)) {
		topic_close(&x);
		return -1;
	}
	e = use_index(f, &x, rule, context);
	if (e) {
		tell_without(f, &x.client, e);
		catalog_free(&f->catalog);
	}
	topic_close(&x);
	return 0;
}

/* Returns NULL after an error message. */
static struct topic *find_reader(struct fetch *f, bool is_one)
{
	struct topic *t = is_one ? &f->one : &f->few;
	rd_kafka_resp_err_t e;

	if (t->queue)
		return t;
	t->client.address = f->topic.client.address;
	if (is_one ? topic_create(t, f->o, FETCH_ONE) : topic_create(t, f->o, FETCH_LITTLE))
		return NULL;
	e = topic_room(t, f->topic.partitions);
	if (e)
		complain_of(f, e);
	return e ? NULL : t;
}

static int start(struct fetch *f)
{
	rd_kafka_resp_err_t e;

	if (f->catalog.count) {
		catalog_sample(&f->catalog);
		if (plan_make(&f->plan, &f->catalog, &f->topic)) {
			complain("%s", strerror(ENOMEM));
			return -1;
		}
		if (f->plan.is_little)
			return 0;
	}
	e = topic_start(&f->topic);
	return e ? complain_of(f, e) : 0;
}

static int open_topic(struct fetch *f)
{
	struct topic *t = &f->topic;
	rd_kafka_resp_err_t e;
	int partitions;

	t->follows = f->o->follow;
	if (address_parse(&t->client.address, f->o->address) || topic_create(t, f->o, FETCH_MUCH))
		return -1;
	partitions = client_find_topic(&t->client);
	if (partitions < 0)
		return -1;
	e = topic_range(t, f->o, partitions);
	if (e)
		return complain_of(f, e);
	f->is_live = f->o->follow && !f->o->since;
	for (int i = 0; f->is_live && i < t->partitions; i++)
		t->partition[i].from = t->partition[i].end;
	return 0;
}

int fetch_open(struct fetch *f, const struct options *o, catalog_rule *rule, void *context)
{
	/* Without a time the user asks for all that is there, so what is gone is not missed. */
	*f = (struct fetch){.o = o, .catalog = {.keeps_gone = o->since}};
	if (open_topic(f))
		return -1;
	if (!o->follow && !o->no_index && open_index(f, rule, context))
		return -1;
	return start(f);
}

/* Begins again without the index. Nothing is written yet, so a signal may end the program, however
 * long brokers take. */
static int again(struct fetch *f)
{
	const struct options *o = f->o;
	int e;

	tell_lie(f);
	signals_release();
	if (signals_stop)
		return -2;
	fetch_close(f);
	f->o = o;
	e = open_topic(f) || start(f) ? -2 : FETCH_AGAIN;
	signals_catch();
	return e;
}

static bool has_append_time(struct fetch *f, const rd_kafka_message_t *m)
{
	rd_kafka_timestamp_type_t kind;

	rd_kafka_message_timestamp(m, &kind);
	if (kind != RD_KAFKA_TIMESTAMP_LOG_APPEND_TIME)
		return false;
	complain("topic %s has the brokers' time in place of the packets' "
		 "(message.timestamp.type=LogAppendTime): packets cannot be found by time",
		 f->topic.client.address.topic);
	return true;
}

static void find_keys(const rd_kafka_message_t *m, struct fetched *to)
{
	rd_kafka_headers_t *headers;
	const void *value = NULL;

	to->keys_size = 0;
	if (rd_kafka_message_headers(m, &headers) == 0 &&
	    rd_kafka_header_get_last(headers, KEYS_HEADER, &value, &to->keys_size))
		value = NULL;
	to->keys = value;
}

static bool is_from_start(const struct fetch *f, int32_t partition)
{
	const struct topic_partition *p = &f->topic.partition[partition];

	return !f->is_live && p->from <= p->low;
}

/* Returns 1 if the message is a section to use, 0 if not, or as fetch_next(). */
static int look_at(struct fetch *f, const rd_kafka_message_t *m, struct fetched *to)
{
	const struct catalog_entry *e = catalog_find(&f->catalog, m->partition, m->offset);
	bool is_ours;

	to->section = m->payload;
	to->length = m->len;
	find_keys(m, to);
	to->is_from_start = is_from_start(f, m->partition);
	is_ours = m->payload && label_find(&to->label, to->section, to->length);
	if (e && (!is_ours || !catalog_has(&f->catalog, e, &to->label)))
		return again(f);
	if (e && !e->is_wanted)
		return 0; /* describe() has handed out its label */
	if (!is_ours) {
		*(m->payload && label_is_later(to->section, to->length) ? &f->later
									: &f->foreign) += 1;
		return 0;
	}
	return has_append_time(f, m) ? -2 : 1;
}

/* Hands out the label of the next section that is not read. */
static bool describe(struct fetch *f, struct fetched *to)
{
	for (; f->described < f->catalog.count; f->described++) {
		const struct catalog_entry *e = &f->catalog.entry[f->described];

		if (e->is_wanted || e->offset < f->topic.partition[e->partition].from)
			continue;
		*to = (struct fetched){.is_from_start = is_from_start(f, (int32_t)e->partition)};
		catalog_label(&f->catalog, e, &to->label);
		f->described++;
		return true;
	}
	return false;
}

/*
 * Starts the next part of the plan. A short part is read section by section, because a client that
 * reads ahead would read as much again after it.
 */
static int start_part(struct fetch *f)
{
	struct plan_part *part = &f->plan.part[f->plan.at];
	bool is_short = part->end - part->from <= SHORT;
	int64_t from = part->from;
	rd_kafka_resp_err_t e;

	f->reads = find_reader(f, is_short);
	if (!f->reads)
		return -1;
	part->from = is_short ? from + 1 : part->end;
	f->plan.at += part->from == part->end;
	e = topic_start_at(f->reads, part->partition, from, part->from);
	return e ? complain_of(f, e) : 0;
}

/* As topic_next(), but only for what has to be read. */
static int next_message(struct fetch *f, int wait_ms, const rd_kafka_message_t **m)
{
	int n;

	if (!f->plan.is_little)
		return topic_next(&f->topic, wait_ms, m);
	n = f->reads ? topic_next(f->reads, wait_ms, m) : -1;
	if (n != -1 || f->plan.at == f->plan.count)
		return n;
	*m = NULL;
	return start_part(f) ? -2 : topic_next(f->reads, wait_ms, m);
}

int fetch_next(struct fetch *f, int wait_ms, struct fetched *to)
{
	const rd_kafka_message_t *m = NULL;
	int n;

	if (describe(f, to))
		return 1;
	do { /* with --follow return after each, so that it can be written in between */
		n = next_message(f, wait_ms, &m);
		if (n == -2 && m)
			complain_of(f, m->err);
		if (n < 0 || !m)
			return n;
		n = n == 1 ? look_at(f, m, to) : 0;
	} while (n == 0 && !f->o->follow && !signals_stop);
	return n;
}

void fetch_end(struct fetch *f)
{
	topic_end(&f->topic);
}

void fetch_close(struct fetch *f)
{
	plan_free(&f->plan);
	catalog_free(&f->catalog);
	topic_close(&f->one);
	topic_close(&f->few);
	topic_close(&f->topic);
	*f = (struct fetch){.foreign = 0};
}
