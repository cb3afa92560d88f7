/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <librdkafka/rdkafka.h>
#include <librdkafka/rdkafka_mock.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "sender_bench.h"
#include "pcapng/write.h"
#include "tests/capture/own_net.h"
#include "util/clock.h"
#include "util/command/signals.h"

#define PRODUCE 0 /* Kafka's number of that request */

const char *bench_batch_size, *bench_in_flight;

static uint64_t stands_at; /* 0: it goes */

uint64_t __real_clock_monotonic(void);
uint64_t __wrap_clock_monotonic(void);
uint64_t __wrap_clock_monotonic(void)
{
	return stands_at ? stands_at : __real_clock_monotonic();
}

void bench_stop_clock(void)
{
	stands_at = __real_clock_monotonic();
}

void bench_start_clock(void)
{
	stands_at = 0;
}

uint64_t bench_now(void)
{
	return __real_clock_monotonic();
}

bool bench_is_early(uint64_t begun)
{
	return bench_now() - begun < BENCH_ALL_MS * (uint64_t)NS_PER_MS;
}

static char folder[] = "/tmp/sender_test.XXXXXX";

bool bench_open(void)
{
	own_net();
	run("ip link set lo up");
	if (!mkdtemp(folder))
		return false;
	signals_catch();
	return true;
}

void bench_close(void)
{
	rmdir(folder);
}

void bench_begin(struct bench *b, const char *brokers, bool has_spool, uint64_t queue)
{
	static const struct label who = {.host = "h", .session = "s", .writer = "w"};
	char text[64];

	*b = (struct bench){.spool = {.folder = -1, .written = -1}};
	snprintf(text, sizeof(text), "%s:10M", folder);
	if (has_spool)
		assert_int_equal(spool_open(&b->spool, text), 0);
	b->spool.name = folder;
	b->sender.spool = &b->spool;
	b->state.to = &b->shared;
	b->sender.state = &b->state;
	assert_int_equal(address_parse(&b->client.address, "kafka://127.0.0.1:1/t"), 0);
	b->client.conf = rd_kafka_conf_new();
	assert_int_equal(sender_init(&b->sender, &b->client, queue, SECTION_SIZE), 0);
	assert_int_equal(client_set(&b->client, "test.mock.num.brokers", brokers), 0);
	if (bench_batch_size)
		assert_int_equal(client_set(&b->client, "batch.size", bench_batch_size), 0);
	if (bench_in_flight)
		assert_int_equal(client_set(&b->client, "max.in.flight", bench_in_flight), 0);
	assert_int_equal(client_create(&b->client, RD_KAFKA_PRODUCER), 0);
	section_init(&b->section, &who, SECTION_SIZE);
}

void bench_end(struct bench *b)
{
	client_close(&b->client);
	spool_close(&b->spool);
	section_free(&b->section);
}

static void take(struct section *s, struct bytes *b)
{
	struct pcapng_reader r = {.at = b->at, .end = b->at + b->used};
	struct pcapng_block block;

	while (pcapng_next(&r, &block))
		assert_int_equal(section_take(s, &block), 0);
	b->used = 0;
}

void bench_begin_section(struct bench *b)
{
	const struct pcapng_section header = {.os = "o"};
	const struct pcapng_interface interface = {.name = "v0", .link_type = 1};
	uint8_t memory[1024];
	struct bytes bytes = {.at = memory, .room = sizeof(memory)};

	if (b->sender.order)
		return;
	pcapng_put_section(&bytes, &header);
	pcapng_put_interface(&bytes, &interface);
	take(&b->section, &bytes);
}

void bench_give_packet(struct bench *b, uint32_t length)
{
	static const uint8_t frame[LARGE];
	static uint8_t memory[LARGE + 64];
	const struct pcapng_frame f = {0, 1000, length, length, frame};
	struct bytes bytes = {.at = memory, .room = sizeof(memory)};

	pcapng_put_frame(&bytes, &f);
	take(&b->section, &bytes);
}

void bench_send_section(struct bench *b)
{
	struct buffer message;
	struct label l;

	assert_int_equal(section_cut(&b->section, 0, 0, &message, &l), 0);
	buffer_shrink(&message);
	if (sender_send(&b->sender, &message, &l))
		sender_lose(&b->sender, &l, message.used);
	buffer_free(&message);
}

void bench_adds_up(struct bench *b, uint64_t sent)
{
	const struct sender *s = &b->sender;

	state_tell(&b->state, s);
	assert_int_equal(s->acknowledged.packets + b->spool.packets + s->lost.packets, sent);
	assert_int_equal(b->shared.acknowledged + b->shared.spooled + b->shared.lost, sent);
	assert_int_equal(s->alone.packets, 0);
	assert_int_equal(s->waiting, 0);
}

void bench_fail_with(struct bench *b, rd_kafka_resp_err_t e, int times)
{
	rd_kafka_mock_cluster_t *mock = rd_kafka_handle_mock_cluster(b->client.kafka);

	assert_non_null(mock);
	while (times--)
		rd_kafka_mock_push_request_errors(mock, PRODUCE, 1, e);
}

int bench_empty_folder(void **state)
{
	DIR *d = opendir(folder);
	struct dirent *one;

	(void)state;
	while (d && (one = readdir(d)))
		if (one->d_name[0] != '.')
			unlinkat(dirfd(d), one->d_name, 0);
	closedir(d);
	return 0;
}
