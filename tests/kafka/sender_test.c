/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Whatever brokers answer: each section that the sender gets is acknowledged, spooled or lost,
 * once. The brokers are librdkafka's own, in this process, and make the errors they are told to.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <librdkafka/rdkafka.h>
#include <librdkafka/rdkafka_mock.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "kafka/keys.h"
#include "kafka/put/sender.h"
#include "kafka/put/state.h"
#include "kafka/section.h"
#include "util/command/signals.h"
#include "pcapng/write.h"
#include "tests/capture/own_net.h"
#include "util/clock.h"
#include "util/put_state.h"

#define PRODUCE	      0 /* Kafka's number of that request */
#define SECTIONS      40
#define PACKETS	      3 /* of each section */
#define MANY	      20000
#define ANSWER_US     2000000
#define FAR_MS	      200 /* of a round trip */
#define SPIN_SECTIONS 48
#define SENT	      ((uint64_t)SECTIONS * PACKETS)
/* Of sections that are cut again: */
#define LARGE_SECTIONS 5
#define LARGE_PACKETS  60    /* of 1000 bytes */
#define LARGE	       40000 /* bytes of a packet that is too large for any part */
#define LARGE_SENT     ((uint64_t)LARGE_SECTIONS * LARGE_PACKETS)

static char folder[] = "/tmp/sender_test.XXXXXX";
static const char *batch_size, *in_flight; /* NULL: as it is */

struct bench {
	struct client client;
	struct spool spool;
	struct sender sender;
	struct put_state shared;
	struct state state;
	struct section section;
};

static void begin(struct bench *b, const char *brokers, bool has_spool, uint64_t queue)
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
	if (batch_size)
		assert_int_equal(client_set(&b->client, "batch.size", batch_size), 0);
	if (in_flight)
		assert_int_equal(client_set(&b->client, "max.in.flight", in_flight), 0);
	assert_int_equal(client_create(&b->client, RD_KAFKA_PRODUCER), 0);
	section_init(&b->section, &who, SECTION_SIZE);
}

static void end(struct bench *b)
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

static void begin_section(struct bench *b)
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

static void give_packet(struct bench *b, uint32_t length)
{
	static const uint8_t frame[LARGE];
	static uint8_t memory[LARGE + 64];
	const struct pcapng_frame f = {0, 1000, length, length, frame};
	struct bytes bytes = {.at = memory, .room = sizeof(memory)};

	pcapng_put_frame(&bytes, &f);
	take(&b->section, &bytes);
}

/* What there is no room for is lost. */
static void send_section(struct bench *b)
{
	struct buffer message;
	struct label l;

	assert_int_equal(section_cut(&b->section, 0, 0, &message, &l), 0);
	buffer_shrink(&message);
	if (sender_send(&b->sender, &message, &l))
		sender_lose(&b->sender, &l, message.used);
	buffer_free(&message);
}

static void put_one(struct bench *b)
{
	begin_section(b);
	for (int i = 0; i < PACKETS; i++)
		give_packet(b, 60);
	send_section(b);
}

/* Of several parts, where sections are small; unfit: packets that fit into none. */
static void put_large(struct bench *b, int unfit)
{
	begin_section(b);
	for (int i = 0; i < LARGE_PACKETS; i++)
		give_packet(b, 1000);
	while (unfit--)
		give_packet(b, LARGE);
	send_section(b);
}

static void send_one(struct bench *b)
{
	put_one(b);
	sender_poll(&b->sender, 0);
}

static void send_all(struct bench *b)
{
	for (int i = 0; i < SECTIONS; i++)
		send_one(b);
}

/* Here and in the memory that xdpdump looks at. */
static void adds_up(struct bench *b, uint64_t sent)
{
	const struct sender *s = &b->sender;

	state_tell(&b->state, s);
	assert_int_equal(s->acknowledged.packets + b->spool.packets + s->lost.packets, sent);
	assert_int_equal(b->shared.acknowledged + b->shared.spooled + b->shared.lost, sent);
	assert_int_equal(s->alone.packets, 0);
	assert_int_equal(s->waiting, 0);
}

static void fail_with(struct bench *b, rd_kafka_resp_err_t e, int times)
{
	rd_kafka_mock_cluster_t *mock = rd_kafka_handle_mock_cluster(b->client.kafka);

	assert_non_null(mock);
	while (times--)
		rd_kafka_mock_push_request_errors(mock, PRODUCE, 1, e);
}

/* One broker, which answers so once. */
static void begin_with(struct bench *b, bool has_spool, rd_kafka_resp_err_t e)
{
	begin(b, "1", has_spool, 64000000);
	fail_with(b, e, 1);
}

static int empty_folder(void **state)
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

/* What passes is tried again until it is acknowledged. */
static void passing_errors_lose_nothing(void **state)
{
	static const rd_kafka_resp_err_t errors[] = {
		RD_KAFKA_RESP_ERR_NOT_LEADER_FOR_PARTITION,
		RD_KAFKA_RESP_ERR_REQUEST_TIMED_OUT,
		RD_KAFKA_RESP_ERR_NOT_ENOUGH_REPLICAS,
		RD_KAFKA_RESP_ERR_NOT_ENOUGH_REPLICAS_AFTER_APPEND,
		RD_KAFKA_RESP_ERR_LEADER_NOT_AVAILABLE,
		RD_KAFKA_RESP_ERR__TRANSPORT,
	};
	struct bench b;

	(void)state;
	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
		begin(&b, "3", false, 64000000);
		fail_with(&b, errors[i], 2);
		send_all(&b);
		sender_finish(&b.sender, 20000);
		adds_up(&b, SENT);
		assert_int_equal(b.sender.acknowledged.packets, SENT);
		end(&b);
	}
}

static void begin_far(struct bench *b, bool has_spool)
{
	begin(b, "1", has_spool, 64000000);
	send_one(b);
	sender_finish(&b->sender, 20000);
	assert_int_equal(b->sender.acknowledged.packets, PACKETS);
	rd_kafka_mock_broker_set_rtt(rd_kafka_handle_mock_cluster(b->client.kafka), 1, FAR_MS);
}

/* Where the brokers are far away, several requests are under way: one after another would take this
 * long. */
static void several_are_under_way(void **state)
{
	struct bench b;
	uint64_t begun;

	(void)state;
	batch_size = "400"; /* of one section */
	begin_far(&b, false);
	batch_size = NULL;
	begun = clock_monotonic();
	send_all(&b);
	sender_finish(&b.sender, 20000);
	assert_true(clock_monotonic() - begun < (uint64_t)SECTIONS * FAR_MS * NS_PER_MS);
	adds_up(&b, SENT + PACKETS);
	assert_int_equal(b.sender.acknowledged.packets, SENT + PACKETS);
	end(&b);
}

/* A key that no broker knows goes alone, and all wait for it; then so many as there are. */
static void a_key_goes_alone_until_it_is_known(void **state)
{
	struct window w = {.count = 0};

	(void)state;
	assert_true(window_opens(&w, 1, 0));
	assert_false(window_opens(&w, 1, 1));
	assert_false(window_opens(&w, 2, 1));
	assert_true(window_acknowledged(&w, 1, 0));
	assert_true(window_opens(&w, 1, 0));
	assert_true(window_opens(&w, 1, 4));
	assert_false(window_opens(&w, 2, 1));
	assert_true(window_opens(&w, 2, 0));
	assert_false(window_opens(&w, 1, 1));
	assert_true(window_acknowledged(&w, 2, -1)); /* alone, so that this is its answer */
	assert_true(window_opens(&w, 1, 0) && window_opens(&w, 2, 1));
	assert_false(window_acknowledged(&w, 2, -1));
	window_forget(&w);
	assert_false(window_opens(&w, 1, 2));
	for (uint64_t key = 0; key < 3 * WINDOW_KEYS; key++) {
		assert_true(window_opens(&w, key, 0));
		assert_true(window_acknowledged(&w, key, 5));
	}
	assert_true(window_opens(&w, 3 * WINDOW_KEYS - 1, 0));
	assert_true(window_opens(&w, 2 * WINDOW_KEYS, 1));
	assert_false(window_opens(&w, 0, 1));
}

/* Librdkafka believes that they are there, and no broker has said so: sent again, or lost. */
static void what_no_broker_acknowledges_is_not(void **state)
{
	struct bench b;

	(void)state;
	for (int has_spool = 0; has_spool < 2; has_spool++) {
		begin_far(&b, has_spool);
		fail_with(&b, RD_KAFKA_RESP_ERR_DUPLICATE_SEQUENCE_NUMBER, 1);
		put_one(&b);
		sender_finish(&b.sender, 20000);
		adds_up(&b, 2 * PACKETS);
		assert_int_equal(b.sender.lost.packets, has_spool ? 0 : PACKETS);
		end(&b);
	}
}

/* What brokers refuse is lost, and the next is not. */
static void what_is_refused_is_lost(void **state)
{
	struct bench b;

	(void)state;
	begin_with(&b, false, RD_KAFKA_RESP_ERR_INVALID_TIMESTAMP);
	send_one(&b);
	sender_finish(&b.sender, 20000);
	adds_up(&b, PACKETS);
	assert_int_equal(b.sender.lost.packets, PACKETS);
	send_all(&b);
	sender_finish(&b.sender, 20000);
	adds_up(&b, SENT + PACKETS);
	assert_int_equal(b.sender.lost.packets, PACKETS);
	end(&b);
}

/* Who sends may hear first that there is a refusal, and of the next answer only which. */
static void until_it_rests(struct bench *b)
{
	for (int n = 0; n < 1000 && !(b->sender.rests && b->sender.refused); n++)
		sender_poll(&b->sender, 20);
	assert_true(b->sender.rests);
}

/* With a spool, what is refused waits, and what is behind it: all of it is sent once it is taken. */
static void with_a_spool_what_is_refused_waits(void **state)
{
	static const rd_kafka_resp_err_t errors[] = {
		RD_KAFKA_RESP_ERR_INVALID_TIMESTAMP,
		RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE,
		RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED,
		RD_KAFKA_RESP_ERR_INVALID_RECORD,
	};
	struct bench b;

	(void)state;
	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
		begin_with(&b, true, errors[i]);
		send_all(&b);
		until_it_rests(&b);
		assert_int_equal(b.sender.refused, errors[i]);
		assert_int_equal(b.sender.lost.packets, 0);
		send_one(&b);
		sender_finish(&b.sender, 20000);
		adds_up(&b, SENT + PACKETS);
		assert_int_equal(b.sender.acknowledged.packets, SENT + PACKETS);
		assert_int_equal(b.spool.used, 0);
		end(&b);
	}
}

/* ... and when the end comes before: it stays there, and is told. */
static void what_waits_at_the_end_is_spooled(void **state)
{
	struct bench b;

	(void)state;
	begin_with(&b, true, RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED);
	send_all(&b);
	until_it_rests(&b);
	sender_finish(&b.sender, 0);
	adds_up(&b, SENT);
	assert_int_equal(b.spool.packets + b.sender.acknowledged.packets, SENT);
	assert_true(b.spool.packets > 0);
	assert_true(b.sender.is_refused);
	assert_int_equal(b.shared.trouble, PUT_NO_RIGHT);
	assert_true(b.shared.spool_bytes > 0 && b.shared.spool_since > 0);
	end(&b);
}

/* ... as what was refused while nobody looked, just before the end. */
static void what_is_refused_at_the_end_is_spooled(void **state)
{
	struct bench b;

	(void)state;
	begin_with(&b, true, RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED);
	put_one(&b);
	usleep(ANSWER_US);
	sender_finish(&b.sender, 0);
	adds_up(&b, PACKETS);
	assert_int_equal(b.sender.lost.packets, 0);
	assert_int_equal(b.spool.packets, PACKETS);
	assert_true(b.sender.is_refused);
	assert_int_equal(b.shared.trouble, PUT_NO_RIGHT);
	end(&b);
}

/* Another producer in the middle, as for a new password: nothing is lost, nor spooled. */
static void another_producer_goes_on(void **state)
{
	struct bench b;

	(void)state;
	begin(&b, "1", false, 64000000);
	for (int i = 0; i < SECTIONS; i++) {
		send_one(&b);
		if (i % 10 == 9)
			sender_renew(&b.sender);
	}
	sender_finish(&b.sender, 20000);
	adds_up(&b, SENT);
	assert_int_equal(b.sender.acknowledged.packets, SENT);
	end(&b);
}

static double own_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* A long queue that is given back, behind which one more came meanwhile, takes little time. */
static void a_long_queue_is_given_back(void **state)
{
	struct bench b;
	double begun;

	(void)state;
	begin(&b, "1", false, 64000000);
	rd_kafka_mock_broker_set_down(rd_kafka_handle_mock_cluster(b.client.kafka), 1);
	for (int i = 0; i < MANY; i++)
		put_one(&b);
	sender_renew(&b.sender);
	put_one(&b);
	begun = own_seconds();
	for (int i = 0; i < 1000 && b.sender.rests; i++)
		sender_poll(&b.sender, 20);
	assert_true(own_seconds() - begun < 3);
	assert_false(b.sender.rests);
	sender_finish(&b.sender, 20000);
	adds_up(&b, (uint64_t)(MANY + 1) * PACKETS);
	assert_int_equal(b.sender.acknowledged.packets, (MANY + 1) * PACKETS);
	end(&b);
}

/* Nor is a section lost that is under way then, and that nobody answers. */
static void what_is_under_way_goes_by_another_producer(void **state)
{
	struct bench b;

	(void)state;
	begin(&b, "1", false, 64000000);
	send_one(&b);
	sender_finish(&b.sender, 20000);
	rd_kafka_mock_broker_set_rtt(rd_kafka_handle_mock_cluster(b.client.kafka), 1, 60000);
	send_all(&b);
	sender_poll(&b.sender, 100);
	sender_renew(&b.sender);
	for (int i = 0; i < 1000 && b.sender.rests; i++)
		sender_poll(&b.sender, 20);
	assert_false(b.sender.rests);
	assert_false(b.client.is_fatal);
	sender_finish(&b.sender, 20000);
	adds_up(&b, SENT + PACKETS);
	assert_int_equal(b.sender.acknowledged.packets, SENT + PACKETS);
	end(&b);
}

/* A producer that may go on no more: put ends, and nothing is in neither. */
static void a_fatal_error_spools_the_rest(void **state)
{
	struct bench b;

	(void)state;
	for (int has_spool = 0; has_spool < 2; has_spool++) {
		begin(&b, "1", has_spool, 64000000);
		send_one(&b);
		sender_finish(&b.sender, 20000);
		assert_int_equal(b.sender.acknowledged.packets, PACKETS);
		assert_int_equal(rd_kafka_test_fatal_error(b.client.kafka,
							   RD_KAFKA_RESP_ERR_OUT_OF_ORDER_SEQUENCE_NUMBER,
							   "a test"),
				 RD_KAFKA_RESP_ERR_NO_ERROR);
		send_all(&b);
		for (int i = 0; i < 50 && !b.client.is_fatal; i++)
			sender_poll(&b.sender, 100);
		assert_true(b.client.is_fatal);
		sender_finish(&b.sender, 0);
		adds_up(&b, SENT + PACKETS);
		assert_int_equal(b.spool.packets, has_spool ? SENT : 0);
		end(&b);
		empty_folder(NULL);
	}
}

/* At the end nobody has answered, and the queue has a part, or all. */
static void without_brokers_all_is_spooled_or_lost(void **state)
{
	static const uint64_t queues[] = {1000, 10000, 64000000};
	struct bench b;

	(void)state;
	for (size_t i = 0; i < sizeof(queues) / sizeof(queues[0]); i++)
		for (int has_spool = 0; has_spool < 2; has_spool++) {
			begin(&b, "1", has_spool, queues[i]);
			rd_kafka_mock_broker_set_down(rd_kafka_handle_mock_cluster(b.client.kafka),
						      1);
			send_all(&b);
			sender_finish(&b.sender, 300);
			adds_up(&b, SENT);
			assert_int_equal(b.sender.lost.packets, has_spool ? 0 : SENT);
			end(&b);
			empty_folder(NULL);
		}
}

/* A section behind one that was refused shows that it is missing, and says what that one had to:
 * whoever is started again tells the rest. */
static void what_is_refused_is_told_once(void **state)
{
	struct state next = {.to = NULL};
	struct bench b;

	(void)state;
	begin_with(&b, false, RD_KAFKA_RESP_ERR_INVALID_TIMESTAMP);
	b.section.label.dropped = 5;
	b.section.label.behind = 2;
	send_one(&b);
	sender_finish(&b.sender, 20000);
	adds_up(&b, PACKETS);
	assert_int_equal(b.sender.untold_dropped, 5);
	assert_int_equal(b.sender.untold_behind, 2);
	assert_int_equal(b.shared.told, 0);
	b.shared.given = PACKETS + 2;
	next.to = &b.shared;
	assert_int_equal(state_never_acknowledged(&next), PACKETS + 2);
	b.section.label.dropped = 6;
	send_one(&b);
	sender_finish(&b.sender, 20000);
	adds_up(&b, 2 * PACKETS);
	assert_int_equal(b.shared.told, PACKETS);
	assert_int_equal(b.shared.dropped, 6);
	b.shared.given += PACKETS;
	state_begin(&next, &b.spool);
	assert_int_equal(state_never_acknowledged(&next), 2);
	assert_int_equal(next.dropped, 6);
	end(&b);
}

/* Sections are ours, but for what a capture has of others. */
static void a_short_interface_has_no_keys(void **state)
{
	const uint32_t blocks[] = {BLOCK_SECTION, 28, 0x1a2b3c4d, 1,  0xffffffff,
				   0xffffffff,	  28, 1,	  20, 1,
				   65535,	  20, 1,	  12, 12};
	struct keys keys;

	(void)state;
	keys_make((const uint8_t *)blocks, sizeof(blocks), &keys);
	assert_int_equal(keys.size + keys.few_size, 0);
}

/* Sections that are larger than the topic takes are cut again, before or after they were given to
 * librdkafka. What fits into no part is lost, and the parts say so. */
static void large_sections_are_cut_again(void **state)
{
	struct bench b;

	(void)state;
	for (int turn = 0; turn < 4; turn++) {
		begin(&b, "1", turn & 1, 64000000);
		if (turn & 2)
			assert_true(sender_fits(&b.sender, 1));
		else
			rd_kafka_mock_broker_set_down(rd_kafka_handle_mock_cluster(b.client.kafka),
						      1);
		for (int i = 0; i < LARGE_SECTIONS; i++)
			put_large(&b, 2);
		if (!(turn & 2)) {
			assert_true(sender_fits(&b.sender, 1));
			sender_renew(&b.sender);
		}
		assert_false(sender_fits(&b.sender, 1));
		sender_finish(&b.sender, 20000);
		adds_up(&b, LARGE_SENT + 2 * LARGE_SECTIONS);
		assert_int_equal(b.sender.acknowledged.packets, LARGE_SENT);
		assert_int_equal(b.sender.lost.packets, 2 * LARGE_SECTIONS);
		assert_int_equal(b.shared.told, 2 * LARGE_SECTIONS);
		assert_int_equal(b.spool.used, 0);
		end(&b);
		empty_folder(NULL);
	}
}

/* One part is refused, or nobody answers: a section counts as a whole. */
static void a_section_counts_as_a_whole(void **state)
{
	struct bench b;

	(void)state;
	for (int turn = 0; turn < 4; turn++) {
		begin(&b, "1", turn & 1, 64000000);
		assert_true(sender_fits(&b.sender, 1));
		if (turn & 2)
			fail_with(&b, RD_KAFKA_RESP_ERR_INVALID_TIMESTAMP, 1);
		else
			rd_kafka_mock_broker_set_down(rd_kafka_handle_mock_cluster(b.client.kafka),
						      1);
		for (int i = 0; i < LARGE_SECTIONS; i++)
			put_large(&b, 1);
		sender_poll(&b.sender, 100);
		sender_finish(&b.sender, turn & 2 ? 20000 : 300);
		adds_up(&b, LARGE_SENT + LARGE_SECTIONS);
		if (!turn)
			assert_int_equal(b.sender.lost.packets, LARGE_SENT + LARGE_SECTIONS);
		else if (turn == 1)
			assert_int_equal(b.spool.packets, LARGE_SENT + LARGE_SECTIONS);
		else if (turn == 2)
			assert_int_equal(b.sender.lost.packets, LARGE_PACKETS + LARGE_SECTIONS);
		else
			assert_int_equal(b.sender.lost.packets, LARGE_SECTIONS);
		end(&b);
		empty_folder(NULL);
	}
}

/* What a run before has spooled, also one of the same capture: then xdpdump counts it as lost. */
static void the_spool_of_a_run_before_is_cut_again(void **state)
{
	struct put_state before;
	struct bench b;

	(void)state;
	begin(&b, "1", true, 64000000);
	state_begin(&b.state, &b.spool);
	rd_kafka_mock_broker_set_down(rd_kafka_handle_mock_cluster(b.client.kafka), 1);
	for (int i = 0; i < LARGE_SECTIONS; i++)
		put_large(&b, 1);
	sender_finish(&b.sender, 0);
	adds_up(&b, LARGE_SENT + LARGE_SECTIONS);
	before = b.shared;
	end(&b);
	begin(&b, "1", true, 64000000);
	b.shared = before;
	state_begin(&b.state, &b.spool);
	assert_true(sender_fits(&b.sender, 1));
	sender_finish(&b.sender, 20000);
	state_tell(&b.state, &b.sender);
	assert_int_equal(b.sender.earlier, LARGE_SENT);
	assert_int_equal(b.sender.earlier_lost, LARGE_SECTIONS);
	assert_int_equal(b.shared.lost, LARGE_SECTIONS);
	assert_int_equal(b.shared.acknowledged + b.shared.earlier - b.shared.repeated, LARGE_SENT);
	assert_int_equal(b.shared.spooled, 0);
	assert_int_equal(b.spool.used, 0);
	end(&b);
}

/* CPU seconds for a section, of all threads, where each answer takes its time. */
static double section_seconds(const char *requests, int sections)
{
	struct timespec from, to;
	struct bench b;

	batch_size = "400"; /* of one section */
	in_flight = requests;
	begin_far(&b, false);
	batch_size = in_flight = NULL;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
	for (int i = 0; i < sections; i++)
		send_one(&b);
	sender_finish(&b.sender, 20000);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
	assert_int_equal(b.sender.acknowledged.packets, (sections + 1) * PACKETS);
	end(&b);
	return ((double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) / 1e9) /
	       sections;
}

/* Librdkafka's thread sleeps until an answer comes: with one request more it does not. */
static void several_cost_no_more_than_one(void **state)
{
	double one = section_seconds("1", SPIN_SECTIONS / 4),
	       several = section_seconds(NULL, SPIN_SECTIONS);

	(void)state;
	print_message("CPU of a section: %.2f ms with one request, %.2f with several\n", one * 1e3,
		      several * 1e3);
	assert_true(several < 2 * one);
}

/* While nobody answers, nothing stays in memory alone; what comes then goes to the disk at once. */
static void what_waits_is_spooled(void **state)
{
	struct bench b;

	(void)state;
	begin(&b, "1", true, 64000000);
	rd_kafka_mock_broker_set_down(rd_kafka_handle_mock_cluster(b.client.kafka), 1);
	send_all(&b);
	assert_int_equal(b.sender.alone.packets + b.spool.packets, SENT);
	for (int i = 0; i < 600 && b.sender.alone.packets; i++)
		sender_poll(&b.sender, 20);
	assert_int_equal(b.sender.alone.packets, 0);
	assert_int_equal(b.spool.packets, SENT);
	send_one(&b);
	assert_int_equal(b.sender.alone.packets, 0);
	assert_int_equal(b.spool.packets, SENT + PACKETS);
	rd_kafka_mock_broker_set_up(rd_kafka_handle_mock_cluster(b.client.kafka), 1);
	sender_finish(&b.sender, 20000);
	adds_up(&b, SENT + PACKETS);
	assert_int_equal(b.sender.acknowledged.packets, SENT + PACKETS);
	assert_int_equal(b.spool.packets, 0);
	assert_int_equal(b.spool.used, 0);
	end(&b);
}

/* What there is no room for on the disk waits in memory, as without a spool. */
static void a_small_spool_leaves_the_queue(void **state)
{
	struct bench b;

	(void)state;
	begin(&b, "1", true, 64000000);
	b.spool.most = 4000;
	rd_kafka_mock_broker_set_down(rd_kafka_handle_mock_cluster(b.client.kafka), 1);
	send_all(&b);
	for (int i = 0; i < 150; i++)
		sender_poll(&b.sender, 20);
	send_one(&b);
	assert_true(b.spool.packets > 0);
	assert_int_equal(b.spool.packets + b.sender.alone.packets, SENT + PACKETS);
	assert_int_equal(b.sender.lost.packets, 0);
	rd_kafka_mock_broker_set_up(rd_kafka_handle_mock_cluster(b.client.kafka), 1);
	sender_finish(&b.sender, 20000);
	adds_up(&b, SENT + PACKETS);
	assert_int_equal(b.sender.acknowledged.packets, SENT + PACKETS);
	end(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(passing_errors_lose_nothing, empty_folder),
		cmocka_unit_test(several_are_under_way),
		cmocka_unit_test(a_key_goes_alone_until_it_is_known),
		cmocka_unit_test_teardown(what_no_broker_acknowledges_is_not, empty_folder),
		cmocka_unit_test_teardown(what_is_refused_is_lost, empty_folder),
		cmocka_unit_test_teardown(what_is_refused_is_told_once, empty_folder),
		cmocka_unit_test_teardown(with_a_spool_what_is_refused_waits, empty_folder),
		cmocka_unit_test_teardown(what_waits_at_the_end_is_spooled, empty_folder),
		cmocka_unit_test_teardown(what_is_refused_at_the_end_is_spooled, empty_folder),
		cmocka_unit_test(another_producer_goes_on),
		cmocka_unit_test(a_long_queue_is_given_back),
		cmocka_unit_test(what_is_under_way_goes_by_another_producer),
		cmocka_unit_test(a_short_interface_has_no_keys),
		cmocka_unit_test_teardown(a_fatal_error_spools_the_rest, empty_folder),
		cmocka_unit_test_teardown(without_brokers_all_is_spooled_or_lost, empty_folder),
		cmocka_unit_test_teardown(large_sections_are_cut_again, empty_folder),
		cmocka_unit_test_teardown(a_section_counts_as_a_whole, empty_folder),
		cmocka_unit_test_teardown(the_spool_of_a_run_before_is_cut_again, empty_folder),
		cmocka_unit_test(several_cost_no_more_than_one),
		cmocka_unit_test_teardown(what_waits_is_spooled, empty_folder),
		cmocka_unit_test_teardown(a_small_spool_leaves_the_queue, empty_folder),
	};
	int failed;

	own_net();
	run("ip link set lo up");
	if (!mkdtemp(folder))
		return 77;
	signals_catch();
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	rmdir(folder);
	return failed;
}
