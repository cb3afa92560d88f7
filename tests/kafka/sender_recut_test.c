/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* A section that is larger than the topic takes is sent as parts, and counts as a whole. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <librdkafka/rdkafka.h>
#include <librdkafka/rdkafka_mock.h>
#include <string.h>

#include "kafka/put/letter.h"
#include "sender_bench.h"
#include "tests/ranges.h"
#include "util/clock.h"

#define LARGE_SECTIONS 5
#define LARGE_PACKETS  60 /* of 1000 bytes */
#define LARGE_SENT     ((uint64_t)LARGE_SECTIONS * LARGE_PACKETS)

/* Of several parts, where sections are small; unfit: packets that fit into none. */
static void put_large(struct bench *b, int unfit)
{
	bench_begin_section(b);
	for (int i = 0; i < LARGE_PACKETS; i++)
		bench_give_packet(b, 1000);
	while (unfit--)
		bench_give_packet(b, LARGE);
	bench_send_section(b);
}

static void all_but_these_are_sent(struct bench *b, uint64_t lost)
{
	bench_adds_up(b, LARGE_SENT + lost);
	assert_int_equal(b->sender.acknowledged.packets, LARGE_SENT);
	assert_int_equal(b->sender.lost.packets, lost);
	assert_int_equal(b->shared.told, lost);
	assert_int_equal(b->spool.used, 0);
}

/* Sections that are larger than the topic takes are cut again, before or after they were given to
 * librdkafka. What fits into no part is lost, and the parts say so. */
static void large_sections_are_cut_again(void **state)
{
	struct bench b;

	(void)state;
	for (int turn = 0; turn < 4; turn++) {
		bench_begin(&b, "1", turn & 1, 64000000);
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
		sender_finish(&b.sender, BENCH_ALL_MS);
		all_but_these_are_sent(&b, 2 * LARGE_SECTIONS);
		bench_end(&b);
		bench_empty_folder(NULL);
	}
}

/* One part is refused, or nobody answers: a section counts as a whole. */
static void a_section_counts_as_a_whole(void **state)
{
	struct bench b;

	(void)state;
	for (int turn = 0; turn < 4; turn++) {
		bench_begin(&b, "1", turn & 1, 64000000);
		assert_true(sender_fits(&b.sender, 1));
		if (turn & 2)
			bench_fail_with(&b, RD_KAFKA_RESP_ERR_INVALID_TIMESTAMP, 1);
		else
			rd_kafka_mock_broker_set_down(rd_kafka_handle_mock_cluster(b.client.kafka),
						      1);
		for (int i = 0; i < LARGE_SECTIONS; i++)
			put_large(&b, 1);
		sender_poll(&b.sender, 100);
		sender_finish(&b.sender, turn & 2 ? BENCH_ALL_MS : 300);
		bench_adds_up(&b, LARGE_SENT + LARGE_SECTIONS);
		if (!turn)
			assert_int_equal(b.sender.lost.packets, LARGE_SENT + LARGE_SECTIONS);
		else if (turn == 1)
			assert_int_equal(b.spool.packets, LARGE_SENT + LARGE_SECTIONS);
		else if (turn == 2)
			assert_int_equal(b.sender.lost.packets, LARGE_PACKETS + LARGE_SECTIONS);
		else
			assert_int_equal(b.sender.lost.packets, LARGE_SECTIONS);
		bench_end(&b);
		bench_empty_folder(NULL);
	}
}

/* What a run before has spooled, also one of the same capture: then xdpdump counts it as lost. */
static void the_spool_of_a_run_before_is_cut_again(void **state)
{
	struct put_state before;
	struct bench b;

	(void)state;
	bench_begin(&b, "1", true, 64000000);
	state_begin(&b.state, &b.spool);
	rd_kafka_mock_broker_set_down(rd_kafka_handle_mock_cluster(b.client.kafka), 1);
	for (int i = 0; i < LARGE_SECTIONS; i++)
		put_large(&b, 1);
	sender_finish(&b.sender, 0);
	bench_adds_up(&b, LARGE_SENT + LARGE_SECTIONS);
	before = b.shared;
	bench_end(&b);
	bench_begin(&b, "1", true, 64000000);
	b.shared = before;
	state_begin(&b.state, &b.spool);
	assert_true(sender_fits(&b.sender, 1));
	sender_finish(&b.sender, BENCH_ALL_MS);
	state_tell(&b.state, &b.sender);
	assert_int_equal(b.sender.earlier, LARGE_SENT);
	assert_int_equal(b.sender.earlier_lost, LARGE_SECTIONS);
	assert_int_equal(b.shared.lost, LARGE_SECTIONS);
	assert_int_equal(b.shared.acknowledged + b.shared.earlier - b.shared.repeated, LARGE_SENT);
	assert_int_equal(b.shared.spooled, 0);
	assert_int_equal(b.spool.used, 0);
	bench_end(&b);
}

/* Its middle is no block: nobody can cut it. */
static void put_broken(struct bench *b)
{
	struct buffer message;
	struct label l;

	bench_begin_section(b);
	for (int i = 0; i < LARGE_PACKETS; i++)
		bench_give_packet(b, 1000);
	assert_int_equal(section_cut(&b->section, 0, 0, &message, &l), 0);
	memset(message.at + message.used / 2, 0xff, 2048);
	assert_int_equal(sender_send(&b->sender, &message, &l), 0);
	buffer_free(&message);
}

/* What cannot be cut keeps nothing back, with a spool as without, and is counted. */
static void what_cannot_be_cut_is_lost(void **state)
{
	struct bench b;

	(void)state;
	for (int turn = 0; turn < 2; turn++) {
		bench_begin(&b, "1", turn, 64000000);
		rd_kafka_mock_broker_set_down(rd_kafka_handle_mock_cluster(b.client.kafka), 1);
		put_broken(&b);
		for (int i = 0; i < LARGE_SECTIONS; i++)
			put_large(&b, 0);
		put_broken(&b);
		assert_true(sender_fits(&b.sender, 1));
		sender_renew(&b.sender);
		sender_finish(&b.sender, BENCH_ALL_MS);
		all_but_these_are_sent(&b, 2 * LARGE_PACKETS);
		assert_true(b.sender.uncut_told);
		bench_end(&b);
		bench_empty_folder(NULL);
	}
}

/* Of a release that did not say a section's place: what is behind its packets is no label. */
static void put_older(struct bench *b)
{
	struct buffer message;
	char *text, *before;
	uint16_t length;
	struct label l;

	bench_begin_section(b);
	for (int i = 0; i < LARGE_PACKETS; i++)
		bench_give_packet(b, 1000);
	assert_int_equal(section_cut(&b->section, 0, 0, &message, &l), 0);
	text = memmem(message.at, message.used, "pcapng-kafka", 12);
	before = memmem(message.at, message.used, "before=", 7);
	assert_true(text && before);
	length = (uint16_t)(before - text);
	memcpy(text - sizeof(length), &length, sizeof(length));
	assert_int_equal(sender_send(&b->sender, &message, &l), 0);
	buffer_free(&message);
}

/* It cannot be cut, and waits with all behind it until the brokers take it whole. */
static void what_an_older_release_spooled_waits(void **state)
{
	struct bench b;

	(void)state;
	bench_begin(&b, "1", true, 64000000);
	rd_kafka_mock_broker_set_down(rd_kafka_handle_mock_cluster(b.client.kafka), 1);
	put_older(&b);
	put_large(&b, 0);
	sender_finish(&b.sender, 0);
	assert_int_equal(b.spool.packets, 2 * LARGE_PACKETS);
	bench_end(&b);
	for (int turn = 0; turn < 2; turn++) {
		bench_begin(&b, "1", true, 64000000);
		assert_true(sender_fits(&b.sender, 1));
		bench_fail_with(&b, RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE, turn ? 0 : 1);
		if (turn) {
			sender_finish(&b.sender, BENCH_ALL_MS);
		} else {
			bench_stop_clock();
			bench_poll_until(&b, b.sender.older_told);
			bench_start_clock();
			sender_finish(&b.sender, 0);
		}
		assert_int_equal(b.sender.earlier_lost, 0);
		assert_int_equal(b.sender.earlier, turn ? 2 * LARGE_PACKETS : 0);
		assert_true(b.sender.older_told);
		assert_false(b.sender.uncut_told);
		bench_end(&b);
	}
}

#define MANY	 60    /* sections of some 62 KB */
#define ONE_MOST 80000 /* bytes of one, whole or in parts */
#define QUEUE	 4000000

/* Bytes of sections and parts that are there. */
static uint64_t count_held(const struct sender *s)
{
	uint64_t sum = 0;

	for (const struct letter *l = s->oldest; l; l = l->after) {
		sum += l->section.used;
		for (const struct part *p = l->parts; p; p = p->next)
			sum += p->section.used;
	}
	return sum;
}

/* Parts and the whole of a section, which the spool may need: the queue has room for both, or it is
 * not cut yet. */
static void the_queue_holds_no_more(void **state)
{
	struct bench b;

	(void)state;
	for (int turn = 0; turn < 2; turn++) {
		bool were_parts = false;
		uint64_t begun;

		bench_begin(&b, "1", turn, QUEUE);
		rd_kafka_mock_broker_set_down(rd_kafka_handle_mock_cluster(b.client.kafka), 1);
		for (int i = 0; i < MANY; i++)
			put_large(&b, 0);
		assert_in_range(b.sender.held, QUEUE - 8 * ONE_MOST, QUEUE);
		assert_true(sender_fits(&b.sender, 1));
		sender_renew(&b.sender);
		begun = clock_monotonic();
		while (b.sender.waiting) {
			assert_true(bench_is_early(begun));
			sender_poll(&b.sender, 5);
			were_parts |= b.sender.oldest && !letter_is_wanting(b.sender.oldest);
			if (!b.spool.used) /* on a slow machine some go there, too */
				assert_int_equal(b.sender.held, count_held(&b.sender));
			assert_in_range(b.sender.held, 0, QUEUE + ONE_MOST);
		}
		assert_true(were_parts);
		bench_adds_up(&b, (uint64_t)MANY * LARGE_PACKETS);
		assert_int_equal(b.sender.acknowledged.packets, (uint64_t)MANY * LARGE_PACKETS);
		assert_int_equal(b.sender.held, 0);
		bench_end(&b);
		bench_empty_folder(NULL);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(large_sections_are_cut_again, bench_empty_folder),
		cmocka_unit_test_teardown(a_section_counts_as_a_whole, bench_empty_folder),
		cmocka_unit_test_teardown(what_cannot_be_cut_is_lost, bench_empty_folder),
		cmocka_unit_test_teardown(what_an_older_release_spooled_waits, bench_empty_folder),
		cmocka_unit_test_teardown(the_queue_holds_no_more, bench_empty_folder),
		cmocka_unit_test_teardown(the_spool_of_a_run_before_is_cut_again,
					  bench_empty_folder),
	};
	int failed;

	if (!bench_open())
		return 77;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	bench_close();
	return failed;
}
