/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kafka/put/indexer.h"
#include "kafka/put/topic_settings.h"
#include "util/command/say.h"
#include "util/command/signals.h"

#define ADMIN_MS 3000
#define LOOK_MS	 100 /* to notice a signal */
#define RENEW_MS 500 /* for records in flight; packets come meanwhile */

struct indexer_record {
	size_t size;
	uint64_t time;
	uint8_t bytes[];
};

static void miss(struct indexer *x, rd_kafka_resp_err_t e)
{
	x->missed++;
	if (!x->error)
		x->error = e;
}

static void on_delivery(rd_kafka_t *kafka, const rd_kafka_message_t *m, void *opaque)
{
	struct client *c = opaque;

	(void)kafka;
	if (m->err)
		miss(c->indexer, m->err);
}

/* Records wait half a second for others to share a batch; what does not fit into a queue of 4 MB is
 * not written. */
static int configure(struct indexer *x, const char *conf)
{
	struct client *c = &x->client;

	c->conf = rd_kafka_conf_new();
	c->indexer = x;
	rd_kafka_conf_set_dr_msg_cb(c->conf, on_delivery);
	return client_set(c, "acks", "1") || client_set(c, "message.timeout.ms", "60000") ||
			       client_set(c, "queue.buffering.max.kbytes", "4096") ||
			       client_set(c, "linger.ms", "500") ||
			       (conf && client_read_conf(c, conf)) ||
			       client_create(c, RD_KAFKA_PRODUCER)
		       ? -1
		       : 0;
}

/* Records are deleted when their sections are: at the same age, or by the same size at the
 * latest. */
static void copy_settings(rd_kafka_NewTopic_t *to, rd_kafka_event_t *settings)
{
	static const char *const names[] = {"retention.ms", "retention.bytes"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *value = topic_setting(settings, names[i]);

		if (value)
			rd_kafka_NewTopic_set_config(to, names[i], value);
	}
}

static rd_kafka_resp_err_t outcome(rd_kafka_event_t *event)
{
	const rd_kafka_CreateTopics_result_t *result = rd_kafka_event_CreateTopics_result(event);
	const rd_kafka_topic_result_t **topics;
	size_t n = 0;

	topics = result ? rd_kafka_CreateTopics_result_topics(result, &n) : NULL;
	return n ? rd_kafka_topic_result_error(topics[0]) : RD_KAFKA_RESP_ERR__TIMED_OUT;
}

static rd_kafka_resp_err_t make(const struct indexer *x, const struct client *data, int partitions,
				int replicas)
{
	rd_kafka_NewTopic_t *topic =
		rd_kafka_NewTopic_new(x->client.address.topic, partitions, replicas, NULL, 0);
	rd_kafka_queue_t *queue = rd_kafka_queue_new(data->kafka);
	rd_kafka_event_t *settings = topic_settings_ask(data, ADMIN_MS), *event;
	rd_kafka_resp_err_t e;

	rd_kafka_NewTopic_set_config(topic, "cleanup.policy", "delete");
	if (settings)
		copy_settings(topic, settings);
	rd_kafka_CreateTopics(data->kafka, &topic, 1, NULL, queue);
	event = rd_kafka_queue_poll(queue, ADMIN_MS);
	e = event ? outcome(event) : RD_KAFKA_RESP_ERR__TIMED_OUT;
	if (event)
		rd_kafka_event_destroy(event);
	if (settings)
		rd_kafka_event_destroy(settings);
	rd_kafka_queue_destroy(queue);
	rd_kafka_NewTopic_destroy(topic);
	return e;
}

/* Creates the topic. If no broker answers that is no error: there may be a topic later. */
static rd_kafka_resp_err_t make_beside(const struct indexer *x, const struct client *data)
{
	const struct rd_kafka_metadata *m;
	const struct rd_kafka_metadata_topic *t;
	rd_kafka_resp_err_t e = RD_KAFKA_RESP_ERR_NO_ERROR;

	if (rd_kafka_metadata(data->kafka, 0, data->topic, &m, ADMIN_MS))
		return e;
	t = m->topics;
	if (m->topic_cnt == 1 && !t->err && t->partition_cnt)
		e = make(x, data, t->partition_cnt, t->partitions[0].replica_cnt);
	rd_kafka_metadata_destroy(m);
	if (e == RD_KAFKA_RESP_ERR_TOPIC_ALREADY_EXISTS)
		e = RD_KAFKA_RESP_ERR_NO_ERROR;
	return e;
}

static void tell_refusal(struct indexer *x)
{
	const char *topic = x->client.address.topic;

	if (!x->is_told)
		note("no index is written to topic %s, and get and ls read all sections: %s; to make it: "
		     "kafka-topics.sh --bootstrap-server %s --create --topic %s",
		     topic, rd_kafka_err2str(x->error), x->client.address.brokers, topic);
	x->is_told = true;
}

void indexer_open(struct indexer *x, const struct client *data, const char *conf, bool goes_on)
{
	struct client *c = &x->client;
	size_t length = strlen(data->address.topic);
	rd_kafka_resp_err_t unused;

	*x = (struct indexer){.client = {.is_verbose = data->is_verbose, .address = data->address}};
	if (length + sizeof(RECORD_SUFFIX) > sizeof(c->address.topic)) {
		note("the name of topic %s is too long for one with an index", c->address.topic);
		return;
	}
	memcpy(c->address.topic + length, RECORD_SUFFIX, sizeof(RECORD_SUFFIX));
	if (!goes_on) /* before the producer asks, for then brokers may create it */
		x->error = make_beside(x, data);
	if (configure(x, conf)) {
		client_close(c);
		return;
	}
	/* A user who may not create topics may still write to one that exists. */
	if (!x->error || client_look(c, &unused) > 0) {
		x->error = RD_KAFKA_RESP_ERR_NO_ERROR;
		return;
	}
	tell_refusal(x);
	client_close(c);
}

void indexer_renew(struct indexer *x, const struct client *data, const char *conf)
{
	if (!x->client.kafka)
		return;
	indexer_close(x, RENEW_MS);
	indexer_open(x, data, conf, true);
}

struct indexer_record *indexer_write(const struct indexer *x, size_t bytes, const struct label *l,
				     const struct keys *keys, uint64_t time)
{
	const struct record of = {.bytes = (uint32_t)bytes,
				  .time = time,
				  .label = *l,
				  .keys = keys->few,
				  .keys_size = keys->few_size};
	struct indexer_record *r;
	uint8_t text[RECORD_ROOM];
	size_t size;

	if (!x || !x->client.kafka)
		return NULL;
	size = record_format(&of, text);
	r = malloc(sizeof(*r) + size + RECORD_PLACE_ROOM);
	if (!r)
		return NULL;
	r->size = size;
	r->time = time;
	memcpy(r->bytes, text, size);
	return r;
}

void indexer_add(struct indexer *x, struct indexer_record *r, int32_t partition, int64_t offset)
{
	rd_kafka_resp_err_t e;

	if (!x || !x->client.kafka)
		return;
	if (!r || partition < 0 || offset < 0) {
		x->missed++;
		return;
	}
	r->size = record_place(r->bytes, r->size, (uint32_t)partition, (uint64_t)offset);
	e = rd_kafka_producev(x->client.kafka, RD_KAFKA_V_RKT(x->client.topic),
			      RD_KAFKA_V_VALUE(r->bytes, r->size),
			      RD_KAFKA_V_MSGFLAGS(RD_KAFKA_MSG_F_COPY),
			      RD_KAFKA_V_TIMESTAMP((int64_t)r->time), RD_KAFKA_V_END);
	if (e)
		miss(x, e);
}

void indexer_poll(struct indexer *x)
{
	if (!x || !x->client.kafka)
		return;
	rd_kafka_poll(x->client.kafka, 0);
	if (x->error)
		tell_refusal(x);
}

void indexer_close(struct indexer *x, int wait_ms)
{
	if (!x->client.kafka)
		return;
	rd_kafka_poll(x->client.kafka, 0);
	for (; wait_ms > 0 && signals_stop < 2 && rd_kafka_outq_len(x->client.kafka);
	     wait_ms -= LOOK_MS)
		rd_kafka_flush(x->client.kafka, LOOK_MS);
	x->missed += (uint64_t)rd_kafka_outq_len(x->client.kafka);
	if (x->missed)
		note("%" PRIu64 " sections have no record in topic %s: get and ls read them",
		     x->missed, x->client.address.topic);
	client_close(&x->client);
}
