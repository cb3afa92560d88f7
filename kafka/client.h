/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What put, get and ls have in common: an address, settings of librdkafka, and errors in words. */
#pragma once

#include <librdkafka/rdkafka.h>
#include <stdbool.h>

#include "util/put_state.h"

#define CLIENT_WAIT_MS 5000 /* for the first answer of a broker */

/* Of kafka://BROKER[:PORT][,...]/TOPIC. */
struct address {
	char brokers[1024], topic[250];
};

/* 0, or -1 after a complaint. */
int address_parse(struct address *a, const char *text);

struct client {
	struct address address;
	rd_kafka_conf_t *conf;	/* until the client is created, which takes it */
	rd_kafka_conf_t *again; /* the same, for client_renew() */
	rd_kafka_t *kafka;
	rd_kafka_topic_t *topic;
	char trouble[256]; /* what librdkafka said last of brokers that do not answer */
	enum put_trouble trouble_kind;
	bool is_found; /* the topic has been */
	bool is_fatal; /* this producer sends nothing any more */
	bool is_verbose;
	void *sender, *indexer; /* for callbacks */
};

/* One setting of ours: 0, or -1 after a complaint. */
int client_set(struct client *c, const char *name, const char *value);
/*
 * Settings of librdkafka, a line "name=value" each. Values are in no message, as there are secrets
 * among them.
 */
int client_read_conf(struct client *c, const char *file);
int client_create(struct client *c, rd_kafka_type_t type);
/* Those of conf are for client_renew() from now on. -1 after a complaint: those before stay. */
int client_reset(struct client *c);
/* Another one in its place, of the same settings, once all is answered. -1 after a complaint. */
int client_renew(struct client *c);
/* Brokers answer. */
void client_is_well(struct client *c);
/* Waits for a broker's answer: the number of partitions of the topic, or -1 after a complaint. */
int client_find_topic(struct client *c);
/* The same without a word: *error says why not. */
int client_ask_topic(struct client *c, rd_kafka_resp_err_t *error);
/* The same, of a topic that nobody is making: 0 or -1 where it is not there. */
int client_look(struct client *c, rd_kafka_resp_err_t *error);
bool client_is_unreachable(rd_kafka_resp_err_t e);
enum put_trouble client_kind(rd_kafka_resp_err_t e);
/* What went wrong, and what to do. */
void client_complain(const struct client *c, rd_kafka_resp_err_t error);
/* The same, into memory. */
void client_words(const struct client *c, rd_kafka_resp_err_t error, char *to, size_t room);
void client_close(struct client *c);
