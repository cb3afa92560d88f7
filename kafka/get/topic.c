/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <stdlib.h>

#include "kafka/get/topic.h"
#include "kafka/section.h"

#define NS_PER_MS     1000000u
#define QUERY_WAIT_MS 10000

int topic_create(struct topic *t, const struct options *o, const char *bytes, const char *ahead)
{
	struct client *c = &t->client;

	c->is_verbose = o->verbose;
	c->conf = rd_kafka_conf_new();
	/* With read-ahead the next fetch is under way while the messages of this one are
	 * handled. */
	if (client_set(c, "enable.partition.eof", "true") ||
	    client_set(c, "queued.max.messages.kbytes", ahead) ||
	    client_set(c, "fetch.message.max.bytes", bytes) ||
	    client_set(c, "auto.offset.reset", "earliest") ||
	    client_set(c, "fetch.wait.max.ms", "100") ||
	    (o->kafka_conf && client_read_conf(c, o->kafka_conf)) ||
	    client_create(c, RD_KAFKA_CONSUMER))
		return -1;
	t->queue = rd_kafka_queue_new(c->kafka);
	return t->queue ? 0 : -1;
}

rd_kafka_resp_err_t topic_times(const struct topic *t, const int64_t *ms, int64_t *offset)
{
	rd_kafka_topic_partition_list_t *list = rd_kafka_topic_partition_list_new(t->partitions);
	rd_kafka_resp_err_t e;

	for (int i = 0; i < t->partitions; i++)
		rd_kafka_topic_partition_list_add(list, t->client.address.topic, i)->offset = ms[i];
	e = rd_kafka_offsets_for_times(t->client.kafka, list, QUERY_WAIT_MS);
	for (int i = 0; !e && i < list->cnt; i++) {
		const rd_kafka_topic_partition_t *p = &list->elems[i];

		e = p->err;
		offset[p->partition] = p->offset >= 0 ? p->offset : -1;
	}
	rd_kafka_topic_partition_list_destroy(list);
	return e;
}

/* Asks for all partitions at once, because each question takes a round trip to the broker. */
static rd_kafka_resp_err_t find_offsets(const struct topic *t, int64_t ms, int64_t *offset)
{
	for (int i = 0; i < t->partitions; i++)
		offset[i] = ms;
	return topic_times(t, offset, offset);
}

static rd_kafka_resp_err_t find_ends(struct topic *t)
{
	size_t count = (size_t)t->partitions;
	int64_t *low = calloc(2 * count, sizeof(*low)), *end;
	rd_kafka_resp_err_t e;

	if (!low)
		return RD_KAFKA_RESP_ERR__CRIT_SYS_RESOURCE;
	end = low + count;
	e = find_offsets(t, RD_KAFKA_OFFSET_BEGINNING, low);
	if (!e)
		e = find_offsets(t, RD_KAFKA_OFFSET_END, end);
	for (size_t i = 0; i < count && !e; i++)
		t->partition[i] = (struct topic_partition){.low = low[i],
							   .from = low[i],
							   .end = end[i],
							   .done = true};
	free(low);
	return e;
}

/*
 * A section's message has the time of section_moment(), and no packet in it is later than that by
 * more than SECTION_SPAN_NS. So begin with the first message of at least since - SECTION_SPAN_NS -
 * slack. All messages before it are older; some after it may be older too.
 */
static rd_kafka_resp_err_t find_begins(struct topic *t, uint64_t since, uint64_t slack)
{
	uint64_t before = SECTION_SPAN_NS + slack * SECTION_SPAN_NS;
	size_t count = (size_t)t->partitions;
	int64_t *begin = calloc(count, sizeof(*begin));
	rd_kafka_resp_err_t e;

	if (!begin)
		return RD_KAFKA_RESP_ERR__CRIT_SYS_RESOURCE;
	e = find_offsets(t, since > before ? (int64_t)((since - before) / NS_PER_MS) : 0, begin);
	for (size_t i = 0; i < count && !e; i++)
		t->partition[i].from = begin[i] >= 0 ? begin[i] : t->partition[i].end;
	free(begin);
	return e;
}

rd_kafka_resp_err_t topic_room(struct topic *t, int partitions)
{
	t->partition = calloc((size_t)partitions, sizeof(*t->partition));
	if (!t->partition)
		return RD_KAFKA_RESP_ERR__CRIT_SYS_RESOURCE;
	t->partitions = partitions;
	for (int i = 0; i < t->partitions; i++)
		t->partition[i].done = true; /* until the partition is started */
	return RD_KAFKA_RESP_ERR_NO_ERROR;
}

rd_kafka_resp_err_t topic_range(struct topic *t, const struct options *o, int partitions)
{
	rd_kafka_resp_err_t e = topic_room(t, partitions);

	if (!e)
		e = find_ends(t);
	return !e && o->since ? find_begins(t, o->since, o->slack) : e;
}

rd_kafka_resp_err_t topic_start(struct topic *t)
{
	for (int i = 0; i < t->partitions; i++) {
		struct topic_partition *p = &t->partition[i];

		p->done = !t->follows && p->from >= p->end;
		if (p->done)
			continue;
		t->left++;
		if (rd_kafka_consume_start_queue(t->client.topic, i, p->from, t->queue))
			return rd_kafka_last_error();
	}
	return RD_KAFKA_RESP_ERR_NO_ERROR;
}

rd_kafka_resp_err_t topic_start_at(struct topic *t, int32_t partition, int64_t from, int64_t end)
{
	t->partition[partition] = (struct topic_partition){.from = from, .end = end};
	t->left = 1;
	return rd_kafka_consume_start_queue(t->client.topic, partition, from, t->queue)
		       ? rd_kafka_last_error()
		       : RD_KAFKA_RESP_ERR_NO_ERROR;
}

static void reached(struct topic *t, const rd_kafka_message_t *m)
{
	struct topic_partition *p = &t->partition[m->partition];

	p->is_at_end = m->err == RD_KAFKA_RESP_ERR__PARTITION_EOF;
	if (t->follows || p->done)
		return;
	if (p->is_at_end || m->offset + 1 >= p->end) {
		p->done = true;
		t->left--;
		rd_kafka_consume_stop(t->client.topic, m->partition);
	}
}

void topic_end(struct topic *t)
{
	t->follows = false;
	for (int i = 0; i < t->partitions; i++) {
		struct topic_partition *p = &t->partition[i];

		p->end = INT64_MAX; /* the brokers say when it is reached */
		if (!p->is_at_end)
			continue;
		p->done = true;
		t->left--;
		rd_kafka_consume_stop(t->client.topic, i);
	}
}

int topic_next(struct topic *t, int wait_ms, const rd_kafka_message_t **m)
{
	bool late;

	if (t->held)
		rd_kafka_message_destroy(t->held);
	t->held = NULL;
	if (!t->follows && t->left == 0)
		return -1;
	rd_kafka_poll(t->client.kafka, 0);
	*m = t->held = rd_kafka_consume_queue(t->queue, wait_ms);
	if (!t->held)
		return 0;
	if (t->held->err && t->held->err != RD_KAFKA_RESP_ERR__PARTITION_EOF)
		return -2;
	if (!t->held->err && t->held->offset < t->partition[t->held->partition].from)
		return 0; /* left over from what was read before */
	late = !t->follows && (t->partition[t->held->partition].done ||
			       t->held->offset >= t->partition[t->held->partition].end);
	reached(t, t->held);
	return !t->held->err && !late;
}

void topic_close(struct topic *t)
{
	if (t->held)
		rd_kafka_message_destroy(t->held);
	for (int i = 0; t->queue && i < t->partitions; i++)
		if (!t->partition[i].done)
			rd_kafka_consume_stop(t->client.topic, i);
	if (t->queue)
		rd_kafka_queue_destroy(t->queue);
	client_close(&t->client);
	free(t->partition);
	*t = (struct topic){.partition = NULL};
}
