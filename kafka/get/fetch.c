/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kafka/get/fetch.h"
#include "util/command/say.h"
#include "kafka/keys.h"
#include "kafka/section.h"

#define NS_PER_MS     1000000u
#define QUERY_WAIT_MS 10000

struct fetch_partition {
	int64_t low, from, end; /* offsets; end: one more than the last */
	bool done;
};

static int create(struct fetch *f, const struct options *o)
{
	struct client *c = &f->client;

	c->is_verbose = o->verbose;
	if (address_parse(&c->address, o->address))
		return -1;
	c->conf = rd_kafka_conf_new();
	/* A fetch of many partitions asks for the next while what it has brought is looked at. */
	if (client_set(c, "enable.partition.eof", "true") ||
	    client_set(c, "queued.max.messages.kbytes", "65536") ||
	    client_set(c, "fetch.message.max.bytes", "8388608") ||
	    client_set(c, "auto.offset.reset", "earliest") ||
	    client_set(c, "fetch.wait.max.ms", "100") ||
	    (o->kafka_conf && client_read_conf(c, o->kafka_conf)) ||
	    client_create(c, RD_KAFKA_CONSUMER))
		return -1;
	f->partitions = client_find_topic(c);
	if (f->partitions < 0)
		return -1;
	f->partition = calloc((size_t)f->partitions, sizeof(*f->partition));
	f->queue = rd_kafka_queue_new(c->kafka);
	return f->partition && f->queue ? 0 : -1;
}

static int complain_of(struct fetch *f, rd_kafka_resp_err_t e)
{
	client_complain(&f->client, e);
	return -1;
}

static int find_ends(struct fetch *f)
{
	for (int i = 0; i < f->partitions; i++) {
		struct fetch_partition *p = &f->partition[i];
		rd_kafka_resp_err_t e =
			rd_kafka_query_watermark_offsets(f->client.kafka, f->client.address.topic,
							 i, &p->low, &p->end, QUERY_WAIT_MS);

		if (e)
			return complain_of(f, e);
		p->from = p->low;
	}
	return 0;
}

/*
 * A section's message has the time of section_moment(): no packet in it is later by more than
 * SECTION_SPAN_NS. What is asked for is the first message of at least that time: all in front of it
 * are older, though messages behind it may be, too.
 */
static int find_begins(struct fetch *f, uint64_t since, uint64_t slack)
{
	const char *topic = f->client.address.topic;
	rd_kafka_topic_partition_list_t *list = rd_kafka_topic_partition_list_new(f->partitions);
	uint64_t before = SECTION_SPAN_NS + slack * SECTION_SPAN_NS;
	rd_kafka_resp_err_t e;

	since = since > before ? since - before : 0;
	for (int i = 0; i < f->partitions; i++)
		rd_kafka_topic_partition_list_add(list, topic, i)->offset =
			(int64_t)(since / NS_PER_MS);
	e = rd_kafka_offsets_for_times(f->client.kafka, list, QUERY_WAIT_MS);
	for (int i = 0; !e && i < list->cnt; i++) {
		struct fetch_partition *p = &f->partition[list->elems[i].partition];

		e = list->elems[i].err;
		p->from = list->elems[i].offset >= 0 ? list->elems[i].offset : p->end;
	}
	rd_kafka_topic_partition_list_destroy(list);
	return e ? complain_of(f, e) : 0;
}

static int start(struct fetch *f)
{
	for (int i = 0; i < f->partitions; i++) {
		struct fetch_partition *p = &f->partition[i];

		p->done = !f->follows && p->from >= p->end;
		if (p->done)
			continue;
		f->left++;
		if (rd_kafka_consume_start_queue(f->client.topic, i, p->from, f->queue))
			return complain_of(f, rd_kafka_last_error());
	}
	return 0;
}

int fetch_open(struct fetch *f, const struct options *o)
{
	*f = (struct fetch){.follows = o->follow};
	if (create(f, o) || find_ends(f))
		return -1;
	if (o->since && find_begins(f, o->since, o->slack))
		return -1;
	f->is_live = o->follow && !o->since;
	if (f->is_live)
		for (int i = 0; i < f->partitions; i++)
			f->partition[i].from = f->partition[i].end;
	return start(f);
}

static void reached(struct fetch *f, const rd_kafka_message_t *m)
{
	struct fetch_partition *p = &f->partition[m->partition];

	if (f->follows || p->done)
		return;
	if (m->err == RD_KAFKA_RESP_ERR__PARTITION_EOF || m->offset + 1 >= p->end) {
		p->done = true;
		f->left--;
		rd_kafka_consume_stop(f->client.topic, m->partition);
	}
}

static bool has_append_time(struct fetch *f, const rd_kafka_message_t *m)
{
	rd_kafka_timestamp_type_t kind;

	rd_kafka_message_timestamp(m, &kind);
	if (kind != RD_KAFKA_TIMESTAMP_LOG_APPEND_TIME)
		return false;
	complain("topic %s has the brokers' time in place of the packets' "
		 "(message.timestamp.type=LogAppendTime): packets cannot be found by time",
		 f->client.address.topic);
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

/* 1: it is a section. */
static int look_at(struct fetch *f, const rd_kafka_message_t *m, struct fetched *to)
{
	bool late = !f->follows && f->partition[m->partition].done;

	if (m->err && m->err != RD_KAFKA_RESP_ERR__PARTITION_EOF) {
		client_complain(&f->client, m->err);
		return -2;
	}
	reached(f, m);
	if (m->err || late)
		return 0;
	to->section = m->payload;
	to->length = m->len;
	find_keys(m, to);
	to->is_from_start =
		!f->is_live && f->partition[m->partition].from <= f->partition[m->partition].low;
	if (!m->payload || !label_find(&to->label, to->section, to->length)) {
		f->foreign++;
		return 0;
	}
	return has_append_time(f, m) ? -2 : 1;
}

int fetch_next(struct fetch *f, int wait_ms, struct fetched *to)
{
	int n;

	do { /* what is not ours comes one by one, so that signals are heard */
		if (f->held)
			rd_kafka_message_destroy(f->held);
		f->held = NULL;
		if (!f->follows && f->left == 0)
			return -1;
		rd_kafka_poll(f->client.kafka, 0);
		f->held = rd_kafka_consume_queue(f->queue, wait_ms);
		if (!f->held)
			return 0;
		n = look_at(f, f->held, to);
	} while (n == 0 && !f->follows);
	return n;
}

void fetch_close(struct fetch *f)
{
	if (f->held)
		rd_kafka_message_destroy(f->held);
	for (int i = 0; f->queue && i < f->partitions; i++)
		if (!f->partition[i].done)
			rd_kafka_consume_stop(f->client.topic, i);
	if (f->queue)
		rd_kafka_queue_destroy(f->queue);
	client_close(&f->client);
	free(f->partition);
	*f = (struct fetch){.partition = NULL};
}
