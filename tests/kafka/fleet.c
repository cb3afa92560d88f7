/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * fleet kafka://BROKERS/TOPIC HOSTS SECONDS BYTES START: what so many hosts put into a topic in so
 * many seconds from START on (s since 1970), each BYTES of packets a second, or heartbeats where
 * that is 0: sections, their messages and their records as put makes them, without the hosts.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kafka/put/indexer.h"
#include "kafka/put/produce.h"
#include "kafka/section.h"
#include "pcapng/format.h"
#include "util/clock.h"

#define FRAME	  1400u /* bytes */
#define ADDRESSES 200u	/* that a host talks to */
#define WAIT_MS	  60000

struct host {
	struct section section;
	uint64_t sequence;
};

struct message {
	struct buffer bytes;
	struct indexer_record *record;
};

static struct client client;
static struct indexer indexer;
static uint64_t failed, made;

static void must(bool ok, const char *what)
{
	if (ok)
		return;
	fprintf(stderr, "fleet: %s\n", what);
	exit(EXIT_FAILURE);
}

static void on_delivery(rd_kafka_t *kafka, const rd_kafka_message_t *m, void *opaque)
{
	struct message *one = m->_private;

	(void)kafka;
	(void)opaque;
	failed += m->err != 0;
	if (!m->err)
		indexer_add(&indexer, one->record, m->partition, m->offset);
	free(one->record);
	buffer_free(&one->bytes);
	free(one);
}

static void send_section(const struct buffer *bytes, const struct label *l)
{
	struct message *one = calloc(1, sizeof(*one));

	must(one, "no memory");
	one->bytes = *bytes;
	while (produce(&client, &indexer, &one->bytes, l, one, &one->record)) {
		must(rd_kafka_last_error() == RD_KAFKA_RESP_ERR__QUEUE_FULL ||
			     !rd_kafka_last_error(),
		     "a message is refused");
		rd_kafka_poll(client.kafka, 100);
	}
	made++;
	rd_kafka_poll(client.kafka, 0);
	indexer_poll(&indexer);
}

static void cut(struct host *h, uint64_t now)
{
	struct buffer bytes;
	struct label l;

	must(section_cut(&h->section, 0, now, &bytes, &l) == 0, "no memory");
	send_section(&bytes, &l);
}

static void take(struct host *h, const void *words, uint64_t now)
{
	const uint32_t *w = words;
	const struct pcapng_block b = {.type = w[0],
				       .body = (const uint8_t *)(w + 2),
				       .length = w[1] - 12};
	int e = section_take(&h->section, &b);

	if (e == 1) {
		cut(h, now);
		e = section_take(&h->section, &b);
	}
	must(e == 0, "a block is refused");
}

static void open_host(struct host *h, unsigned number)
{
	static const uint32_t header[] = {BLOCK_SECTION, 28,	     0x1a2b3c4d, 1,
					  0xffffffff,	 0xffffffff, 28};
	static const uint32_t interface[] =
		{BLOCK_INTERFACE, 44, 1, 262144, 2 | 4 << 16, 0x30687465, 9 | 1 << 16, 9, 0, 0, 44};
	struct label who = {.stream = 0};

	snprintf(who.host, sizeof(who.host), "host%04u", number);
	snprintf(who.session, sizeof(who.session), "20261127-%08x", number * 0x9e3779b1u);
	snprintf(who.writer, sizeof(who.writer), "%016" PRIx64,
		 number * UINT64_C(0x9e3779b97f4a7c15));
	section_init(&h->section, &who, SECTION_SIZE);
	take(h, header, 0);
	take(h, interface, 0);
}

/* UDP, from this host to one of those that it talks to. */
static void send_packet(struct host *h, unsigned number, unsigned n, uint64_t time)
{
	static uint32_t packet[(44 + FRAME) / 4] = {BLOCK_ENHANCED_PACKET, 44 + FRAME - 12};
	uint8_t *frame = (uint8_t *)(packet + 7);
	static const uint8_t start[] = {2, 0, 0,    0, 0, 2,	2, 0, 0, 0, 0,	1,
					8, 0, 0x45, 0, 5, 0x6a, 0, 0, 0, 0, 64, 17};
	const uint8_t end[] = {0,
			       0,
			       10,
			       1,
			       (uint8_t)(number >> 8),
			       (uint8_t)number,
			       10,
			       2,
			       (uint8_t)(n % ADDRESSES),
			       (uint8_t)number,
			       (uint8_t)(4 + n % ADDRESSES),
			       53,
			       0,
			       53,
			       5,
			       0x56};
	uint32_t length = 32 + FRAME;

	packet[1] = packet[length / 4 - 1] = length;
	packet[2] = 0;
	packet[3] = (uint32_t)(time >> 32);
	packet[4] = (uint32_t)time;
	packet[5] = packet[6] = FRAME;
	memcpy(frame, start, sizeof(start));
	memcpy(frame + sizeof(start), end, sizeof(end));
	memcpy(frame + 60, &n, sizeof(n));
	take(h, packet, time);
}

static void open_topic(const char *url)
{
	const char *conf;

	must(address_parse(&client.address, url) == 0, "what address");
	client.conf = rd_kafka_conf_new();
	rd_kafka_conf_set_dr_msg_cb(client.conf, on_delivery);
	must(!client_set(&client, "acks", "1") &&
		     !client_set(&client, "queue.buffering.max.kbytes", "131072") &&
		     !client_create(&client, RD_KAFKA_PRODUCER) && client_find_topic(&client) > 0,
	     "no topic");
	conf = getenv("FLEET_INDEX");
	indexer_open(&indexer, &client, conf && *conf ? conf : NULL, false);
}

static void run_second(struct host *host, unsigned hosts, uint64_t start, size_t bytes)
{
	unsigned packets = (unsigned)((bytes + FRAME - 1) / FRAME);

	for (unsigned i = 0; i < hosts; i++) {
		for (unsigned n = 0; n < packets; n++)
			send_packet(&host[i], i, n, start + (uint64_t)n * 999000000 / packets);
		if (packets <= 1) /* else put cuts where it has to */
			cut(&host[i], start);
	}
}

int main(int argc, char **argv)
{
	unsigned hosts, seconds;
	struct host *host;
	uint64_t start;
	size_t bytes;

	must(argc == 6, "kafka://BROKERS/TOPIC HOSTS SECONDS BYTES START");
	hosts = (unsigned)atoi(argv[2]);
	seconds = (unsigned)atoi(argv[3]);
	bytes = (size_t)atol(argv[4]);
	start = strtoull(argv[5], NULL, 10) * NS_PER_SEC;
	host = calloc(hosts, sizeof(*host));
	must(host, "no memory");
	open_topic(argv[1]);
	for (unsigned i = 0; i < hosts; i++)
		open_host(&host[i], i);
	for (unsigned s = 0; s < seconds; s++)
		run_second(host, hosts, start + s * (uint64_t)NS_PER_SEC, bytes);
	for (unsigned i = 0; i < hosts; i++)
		if (!section_is_empty(&host[i].section))
			cut(&host[i], start);
	must(!rd_kafka_flush(client.kafka, WAIT_MS), "brokers do not acknowledge all");
	indexer_close(&indexer, WAIT_MS);
	client_close(&client);
	for (unsigned i = 0; i < hosts; i++)
		section_free(&host[i].section);
	free(host);
	printf("%" PRIu64 " sections, %" PRIu64 " not acknowledged\n", made, failed);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
