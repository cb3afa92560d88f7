/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What put, get and ls have in common: the address, librdkafka's settings, and errors as text. */
#pragma once

#include <librdkafka/rdkafka.h>
#include <stdbool.h>

#include "util/put_state.h"

#define CLIENT_WAIT_MS 5000 /* for the first answer of a broker */

/* The parts of kafka://BROKER[:PORT][,...]/TOPIC. */
struct address {
	char brokers[1024], topic[250];
};

/* Returns 0, or -1 after an error message. */
int address_parse(struct address *a, const char *text);

struct client {
	struct address address;
	rd_kafka_conf_t *conf;	/* until the client is created, which takes it */
	rd_kafka_conf_t *again; /* the same, for client_renew() */
	rd_kafka_t *kafka;
	rd_kafka_topic_t *topic;
	char trouble[256]; /* librdkafka's last words about brokers that do not answer */
	enum put_trouble trouble_kind;
	bool is_found; /* the topic has been found */
	bool is_fatal; /* this producer will send nothing more */
	bool is_verbose;
	void *sender, *indexer; /* for callbacks */
};

/* Sets one of our own settings. Returns 0, or -1 after an error message. */
int client_set(struct client *c, const char *name, const char *value);
/*
 * Reads settings of librdkafka, one "name=value" per line. Error messages contain no values,
 * because some are secrets. Returns 0, or -1 after an error message.
 */
int client_read_conf(struct client *c, const char *file);
int client_create(struct client *c, rd_kafka_type_t type);
/* From now on client_renew() uses the settings in conf. On error returns -1 after a message, and
 * the settings before stay. */
int client_reset(struct client *c);
/* Replaces the librdkafka client by another with the settings of client_reset(). Call it when every
 * message is answered. On error returns -1 after a message, and the client before stays. */
int client_renew(struct client *c);
/* Brokers answer: forgets what they said before. */
void client_is_well(struct client *c);
/* Waits for a broker's answer. Returns the topic's number of partitions, or -1 after an error
 * message. */
int client_find_topic(struct client *c);
/* The same without an error message: *error says what failed. */
int client_ask_topic(struct client *c, rd_kafka_resp_err_t *error);
/* The same, but does not wait for a topic to be created. Returns 0 or -1 if there is none. */
int client_look(struct client *c, rd_kafka_resp_err_t *error);
bool client_is_unreachable(rd_kafka_resp_err_t e);
enum put_trouble client_kind(rd_kafka_resp_err_t e);
/* Prints what went wrong, and what to do about it. */
void client_complain(const struct client *c, rd_kafka_resp_err_t error);
/* Writes the same text to memory. */
void client_words(const struct client *c, rd_kafka_resp_err_t error, char *to, size_t room);
void client_close(struct client *c);
