/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "kafka/client.h"
#include "util/command/say.h"

#define SCRAM_SINCE 0x02060100 /* version of librdkafka */
#define ASK_MS	    100	       /* pause between questions about a topic that is being created */
#define CREATION_MS 3000
#define REASON_MS   1000

static const char scheme[] = "kafka://";

int address_parse(struct address *a, const char *text)
{
	const char *brokers = text + strlen(scheme);
	const char *slash =
		strncmp(text, scheme, strlen(scheme)) == 0 ? strchr(brokers, '/') : NULL;

	if (!slash || slash == brokers || !slash[1]) {
		complain("'%s' is not an address: kafka://BROKER[:PORT][,BROKER...]/TOPIC", text);
		return -1;
	}
	if ((size_t)(slash - brokers) >= sizeof(a->brokers)) {
		complain("the brokers of topic %s have more than %zu bytes: name a few, which know the others",
			 slash + 1, sizeof(a->brokers) - 1);
		return -1;
	}
	if (strlen(slash + 1) >= sizeof(a->topic) ||
	    strspn(slash + 1,
		   "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") !=
		    strlen(slash + 1)) {
		complain("'%s' is no name of a topic: up to 249 letters, digits, '.', '_' and '-'",
			 slash + 1);
		return -1;
	}
	snprintf(a->brokers, sizeof(a->brokers), "%.*s", (int)(slash - brokers), brokers);
	snprintf(a->topic, sizeof(a->topic), "%s", slash + 1);
	return 0;
}

/* librdkafka's own error text is not used, because it may contain the value. */
int client_set(struct client *c, const char *name, const char *value)
{
	char unused[8];

	if (rd_kafka_conf_set(c->conf, name, value, unused, sizeof(unused)) == RD_KAFKA_CONF_OK)
		return 0;
	complain("librdkafka %s does not take the value of %s", rd_kafka_version_str(), name);
	return -1;
}

/* Settings that the delivery of sections relies on: the user cannot change them. */
static const char *const ours[] = {"bootstrap.servers",
				   "metadata.broker.list",
				   "acks",
				   "request.required.acks",
				   "enable.idempotence",
				   "enable.gapless.guarantee",
				   "transactional.id",
				   "max.in.flight",
				   "max.in.flight.requests.per.connection",
				   "message.timeout.ms",
				   "delivery.timeout.ms",
				   "partitioner",
				   "queue.buffering.max.kbytes",
				   "delivery.report.only.error",
				   "enable.partition.eof"};

static bool is_ours(const char *name)
{
	for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++)
		if (strcmp(name, ours[i]) == 0)
			return true;
	return false;
}

static char *trim(char *s)
{
	size_t n;

	s += strspn(s, " \t");
	n = strlen(s);
	while (n && strchr(" \t\r\n", s[n - 1]))
		s[--n] = 0;
	return s;
}

static int read_setting(struct client *c, const char *file, unsigned number, char *line)
{
	char *name = trim(line), *value = strchr(name, '=');
	char unused[8];

	if (!*name || *name == '#')
		return 0;
	if (!value) {
		complain("%s, line %u: a setting is NAME=VALUE", file, number);
		return -1;
	}
	*value++ = 0;
	name = trim(name);
	if (is_ours(name)) {
		complain("%s, line %u: %s cannot be changed: delivery relies on it", file, number,
			 name);
		return -1;
	}
	switch (rd_kafka_conf_set(c->conf, name, trim(value), unused, sizeof(unused))) {
	case RD_KAFKA_CONF_OK:
		return 0;
	case RD_KAFKA_CONF_UNKNOWN:
		complain("%s, line %u: librdkafka %s has no setting %s", file, number,
			 rd_kafka_version_str(), name);
		return -1;
	default:
		complain("%s, line %u: librdkafka %s does not take the value of %s", file, number,
			 rd_kafka_version_str(), name);
		return -1;
	}
}

int client_read_conf(struct client *c, const char *file)
{
	FILE *f = fopen(file, "re");
	char *line = NULL;
	size_t room = 0;
	int e = 0;

	if (!f) {
		complain("--kafka-conf %s: %s", file, strerror(errno));
		return -1;
	}
	for (unsigned number = 1; !e && getline(&line, &room, f) >= 0; number++)
		e = read_setting(c, file, number, line);
	if (!e && !feof(f)) {
		complain("--kafka-conf %s: %s", file, strerror(errno));
		e = -1;
	}
	if (line)
		explicit_bzero(line, room);
	free(line);
	fclose(f);
	return e;
}

/* Keeps the reason why brokers do not answer, because they come and go. What ends the program is
 * printed where it ends. */
static void on_error(rd_kafka_t *kafka, int error, const char *reason, void *opaque)
{
	struct client *c = opaque;

	(void)kafka;
	c->is_fatal |= error == RD_KAFKA_RESP_ERR__FATAL;
	if (error != RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN || !c->trouble[0]) {
		snprintf(c->trouble, sizeof(c->trouble), "%s", reason);
		c->trouble_kind = client_kind(error);
	}
	if (c->is_verbose)
		note("%s", reason);
}

static void on_log(const rd_kafka_t *kafka, int level, const char *facility, const char *text)
{
	const struct client *c = rd_kafka_opaque(kafka);

	(void)level;
	if (c->is_verbose)
		note("%s: %s", facility, text);
}

/* Starts a client, which owns conf from now on. */
static int start(struct client *c, rd_kafka_type_t type, rd_kafka_conf_t *conf)
{
	char err[256];
	rd_kafka_t *kafka = rd_kafka_new(type, conf, err, sizeof(err));
	rd_kafka_topic_t *topic = kafka ? rd_kafka_topic_new(kafka, c->address.topic, NULL) : NULL;

	if (topic) {
		c->kafka = kafka;
		c->topic = topic;
		return 0;
	}
	if (kafka) {
		complain("topic %s: %s", c->address.topic, rd_kafka_err2str(rd_kafka_last_error()));
		rd_kafka_destroy(kafka);
		return -1;
	}
	rd_kafka_conf_destroy(conf);
	complain("librdkafka cannot start: %s", err);
	return -1;
}

/* Tries the settings with a client of its own, because only a client finds some faults, such as a
 * certificate that cannot be read. */
static int try_settings(const struct client *c)
{
	rd_kafka_conf_t *conf = rd_kafka_conf_dup(c->conf);
	char err[256];
	rd_kafka_t *kafka = rd_kafka_new(rd_kafka_type(c->kafka), conf, err, sizeof(err));

	if (kafka) {
		rd_kafka_destroy(kafka);
		return 0;
	}
	rd_kafka_conf_destroy(conf);
	complain("librdkafka cannot start: %s", err);
	return -1;
}

int client_reset(struct client *c)
{
	rd_kafka_conf_set_opaque(c->conf, c);
	rd_kafka_conf_set_error_cb(c->conf, on_error);
	rd_kafka_conf_set_log_cb(c->conf, on_log);
	if (client_set(c, "bootstrap.servers", c->address.brokers) ||
	    client_set(c, "client.software.name", "pcapng-kafka") || (c->kafka && try_settings(c)))
		return -1;
	if (c->again)
		rd_kafka_conf_destroy(c->again);
	c->again = c->conf;
	c->conf = NULL;
	return 0;
}

int client_create(struct client *c, rd_kafka_type_t type)
{
	return client_reset(c) ? -1 : start(c, type, rd_kafka_conf_dup(c->again));
}

int client_renew(struct client *c)
{
	rd_kafka_topic_t *topic = c->topic;
	rd_kafka_t *kafka = c->kafka;

	if (start(c, rd_kafka_type(kafka), rd_kafka_conf_dup(c->again)))
		return -1;
	rd_kafka_topic_destroy(topic);
	rd_kafka_destroy(kafka);
	c->is_fatal = false;
	return 0;
}

void client_is_well(struct client *c)
{
	c->trouble[0] = 0;
	c->trouble_kind = PUT_WELL;
}

int client_look(struct client *c, rd_kafka_resp_err_t *error)
{
	const struct rd_kafka_metadata *m;
	int partitions = 0;

	*error = rd_kafka_metadata(c->kafka, 0, c->topic, &m, CLIENT_WAIT_MS);
	if (*error)
		return -1;
	if (m->topic_cnt == 1) {
		*error = m->topics[0].err;
		partitions = *error ? 0 : m->topics[0].partition_cnt;
	}
	rd_kafka_metadata_destroy(m);
	return partitions;
}

/* How long to ask again: brokers that create a topic on demand say at first that there is none. */
static int patience(rd_kafka_resp_err_t e)
{
	if (e == RD_KAFKA_RESP_ERR_LEADER_NOT_AVAILABLE)
		return CLIENT_WAIT_MS;
	return e == RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART ? CREATION_MS : 0;
}

int client_ask_topic(struct client *c, rd_kafka_resp_err_t *error)
{
	for (int waited = 0;; waited += ASK_MS) {
		int partitions = client_look(c, error);

		if (partitions > 0)
			return partitions;
		if (waited >= patience(*error))
			break;
		usleep(ASK_MS * 1000);
		rd_kafka_poll(c->kafka, 0);
	}
	/* Get librdkafka's reason, which on a busy host comes a moment later. */
	rd_kafka_poll(c->kafka, 0);
	for (int n = REASON_MS / ASK_MS; n && client_is_unreachable(*error) && !c->trouble[0]; n--)
		rd_kafka_poll(c->kafka, ASK_MS);
	return -1;
}

int client_find_topic(struct client *c)
{
	rd_kafka_resp_err_t error;
	int partitions = client_ask_topic(c, &error);

	if (partitions < 0)
		client_complain(c, error);
	return partitions;
}

bool client_is_unreachable(rd_kafka_resp_err_t e)
{
	return e == RD_KAFKA_RESP_ERR__TRANSPORT || e == RD_KAFKA_RESP_ERR__TIMED_OUT ||
	       e == RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN || e == RD_KAFKA_RESP_ERR__RESOLVE ||
	       e == RD_KAFKA_RESP_ERR__MSG_TIMED_OUT;
}

enum put_trouble client_kind(rd_kafka_resp_err_t e)
{
	static const struct {
		rd_kafka_resp_err_t error;
		enum put_trouble kind;
	} kinds[] = {
		{RD_KAFKA_RESP_ERR_NO_ERROR, PUT_WELL},
		{RD_KAFKA_RESP_ERR__SSL, PUT_CREDENTIALS},
		{RD_KAFKA_RESP_ERR__AUTHENTICATION, PUT_CREDENTIALS},
		{RD_KAFKA_RESP_ERR_SASL_AUTHENTICATION_FAILED, PUT_CREDENTIALS},
		{RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART, PUT_NO_TOPIC},
		{RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC, PUT_NO_TOPIC},
		{RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION, PUT_NO_TOPIC},
		{RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED, PUT_NO_RIGHT},
		{RD_KAFKA_RESP_ERR_CLUSTER_AUTHORIZATION_FAILED, PUT_NO_RIGHT},
		{RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE, PUT_TOO_LARGE},
		{RD_KAFKA_RESP_ERR_INVALID_TIMESTAMP, PUT_TIME},
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (kinds[i].error == e)
			return kinds[i].kind;
	return client_is_unreachable(e) ? PUT_UNREACHABLE : PUT_OTHER;
}

/* Before 2.6.1 librdkafka sends a SCRAM nonce twice, which brokers accept up to Kafka 3.9. */
static bool may_be_scram(const struct client *c)
{
	return rd_kafka_version() < SCRAM_SINCE && c->trouble_kind == PUT_CREDENTIALS &&
	       strstr(c->trouble, "SCRAM");
}

static void unreachable_words(const struct client *c, char *to, size_t room)
{
	int n = snprintf(to, room, "no broker answers at %s%s%s", c->address.brokers,
			 c->trouble[0] ? ": " : "", c->trouble);

	if ((size_t)n < room && may_be_scram(c))
		snprintf(to + n, room - (size_t)n,
			 "; for SCRAM brokers of Kafka 4 need librdkafka 2.6.1, and this is %s",
			 rd_kafka_version_str());
}

void client_words(const struct client *c, rd_kafka_resp_err_t error, char *to, size_t room)
{
	const char *topic = c->address.topic;

	if (client_is_unreachable(error))
		unreachable_words(c, to, room);
	else if (error == RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART ||
		 error == RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC)
		snprintf(to, room,
			 "there is no topic %s; to make it: kafka-topics.sh --bootstrap-server %s "
			 "--create --topic %s",
			 topic, c->address.brokers, topic);
	else if (error == RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED)
		snprintf(to, room,
			 "the brokers do not let this user use topic %s, or create it: it needs the "
			 "right to Describe, and to Write or Read",
			 topic);
	else if (error == RD_KAFKA_RESP_ERR_CLUSTER_AUTHORIZATION_FAILED)
		snprintf(to, room,
			 "the brokers do not let this user write to topic %s: it needs the rights to "
			 "Describe and to Write",
			 topic);
	else if (error == RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE)
		snprintf(to, room,
			 "topic %s refuses messages as large as a section: raise its "
			 "max.message.bytes to 1048588, or lower --section-size",
			 topic);
	else if (error == RD_KAFKA_RESP_ERR_INVALID_TIMESTAMP)
		snprintf(to, room,
			 "topic %s refuses the time of these packets: set the clock of the "
			 "host that captured them, or message.timestamp.after.max.ms of the topic",
			 topic);
	else if (error == RD_KAFKA_RESP_ERR__INCONSISTENT)
		snprintf(to, room,
			 "the brokers of topic %s acknowledge what came later, and not these packets",
			 topic);
	else
		snprintf(to, room, "topic %s: %s", topic, rd_kafka_err2str(error));
}

void client_complain(const struct client *c, rd_kafka_resp_err_t error)
{
	char text[1024];

	client_words(c, error, text, sizeof(text));
	complain("%s", text);
}

void client_close(struct client *c)
{
	if (c->topic)
		rd_kafka_topic_destroy(c->topic);
	if (c->kafka)
		rd_kafka_destroy(c->kafka);
	if (c->conf)
		rd_kafka_conf_destroy(c->conf);
	if (c->again)
		rd_kafka_conf_destroy(c->again);
	*c = (struct client){.topic = NULL};
}
