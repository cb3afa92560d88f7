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
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sender_bench.h"
#include "kafka/commands.h"
#include "kafka/keys.h"
#include "kafka/put/claim.h"
#include "pcapng/write.h"
#include "util/clock.h"

#define SECTIONS      40
#define PACKETS	      3 /* of each section */
#define MANY	      20000
#define FAR_MS	      200 /* of a round trip */
#define SPIN_SECTIONS 48
#define TRIES	      5 /* where others have the processors, one of these meets a bound of time */
#define PUT_SECONDS   60
#define SENT	      ((uint64_t)SECTIONS * PACKETS)

static void put_one(struct bench *b)
{
	bench_begin_section(b);
	for (int i = 0; i < PACKETS; i++)
		bench_give_packet(b, 60);
	bench_send_section(b);
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

/* One broker, which answers so once. */
static void begin_with(struct bench *b, bool has_spool, rd_kafka_resp_err_t e)
{
	bench_begin(b, "1", has_spool, 64000000);
	bench_fail_with(b, e, 1);
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
		bench_begin(&b, "3", false, 64000000);
		bench_fail_with(&b, errors[i], 2);
		send_all(&b);
		sender_finish(&b.sender, BENCH_ALL_MS);
		bench_adds_up(&b, SENT);
		assert_int_equal(b.sender.acknowledged.packets, SENT);
		bench_end(&b);
	}
}

static void begin_far(struct bench *b, bool has_spool)
{
	bench_begin(b, "1", has_spool, 64000000);
	send_one(b);
	sender_finish(&b->sender, BENCH_ALL_MS);
	assert_int_equal(b->sender.acknowledged.packets, PACKETS);
	rd_kafka_mock_broker_set_rtt(rd_kafka_handle_mock_cluster(b->client.kafka), 1, FAR_MS);
}

static uint64_t far_ns(void)
{
	struct bench b;
	uint64_t begun, took;

	bench_batch_size = "400"; /* of one section */
	begin_far(&b, false);
	bench_batch_size = NULL;
	begun = clock_monotonic();
	send_all(&b);
	sender_finish(&b.sender, BENCH_ALL_MS);
	took = clock_monotonic() - begun;
	bench_adds_up(&b, SENT + PACKETS);
	assert_int_equal(b.sender.acknowledged.packets, SENT + PACKETS);
	bench_end(&b);
	return took;
}

/* Where the brokers are far away, several requests are under way: one after another would take this
 * long, each time. */
static void several_are_under_way(void **state)
{
	const uint64_t in_turn = (uint64_t)SECTIONS * FAR_MS * NS_PER_MS;
	int tries = 1;

	(void)state;
	while (far_ns() >= in_turn)
		assert_true(tries++ < TRIES);
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
		bench_fail_with(&b, RD_KAFKA_RESP_ERR_DUPLICATE_SEQUENCE_NUMBER, 1);
		put_one(&b);
		sender_finish(&b.sender, BENCH_ALL_MS);
		bench_adds_up(&b, 2 * PACKETS);
		assert_int_equal(b.sender.lost.packets, has_spool ? 0 : PACKETS);
		bench_end(&b);
	}
}

/* What brokers refuse is lost, and the next is not. */
static void what_is_refused_is_lost(void **state)
{
	struct bench b;

	(void)state;
	begin_with(&b, false, RD_KAFKA_RESP_ERR_INVALID_TIMESTAMP);
	send_one(&b);
	sender_finish(&b.sender, BENCH_ALL_MS);
	bench_adds_up(&b, PACKETS);
	assert_int_equal(b.sender.lost.packets, PACKETS);
	send_all(&b);
	sender_finish(&b.sender, BENCH_ALL_MS);
	bench_adds_up(&b, SENT + PACKETS);
	assert_int_equal(b.sender.lost.packets, PACKETS);
	bench_end(&b);
}

/* Who sends may hear first that there is a refusal, and of the next answer only which. */
static void send_until_it_rests(struct bench *b)
{
	bench_stop_clock();
	send_all(b);
	bench_poll_until(b, b->sender.rests && b->sender.refused);
	bench_start_clock();
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
		send_until_it_rests(&b);
		assert_int_equal(b.sender.refused, errors[i]);
		assert_int_equal(b.sender.lost.packets, 0);
		send_one(&b);
		sender_finish(&b.sender, BENCH_ALL_MS);
		bench_adds_up(&b, SENT + PACKETS);
		assert_int_equal(b.sender.acknowledged.packets, SENT + PACKETS);
		assert_int_equal(b.spool.used, 0);
		bench_end(&b);
	}
}

/* ... and when the end comes before: it stays there, and is told. */
static void what_waits_at_the_end_is_spooled(void **state)
{
	struct bench b;

	(void)state;
	begin_with(&b, true, RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED);
	send_until_it_rests(&b);
	sender_finish(&b.sender, 0);
	bench_adds_up(&b, SENT);
	assert_int_equal(b.spool.packets + b.sender.acknowledged.packets, SENT);
	assert_true(b.spool.packets > 0);
	assert_true(b.sender.is_refused);
	assert_int_equal(b.shared.trouble, PUT_NO_RIGHT);
	assert_true(b.shared.spool_bytes > 0 && b.shared.spool_since > 0);
	bench_end(&b);
}

/* ... as what was refused while nobody looked, just before the end. */
static void what_is_refused_at_the_end_is_spooled(void **state)
{
	rd_kafka_queue_t *answers;
	struct bench b;

	(void)state;
	begin_with(&b, true, RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED);
	answers = rd_kafka_queue_get_main(b.client.kafka);
	put_one(&b);
	bench_wait(rd_kafka_queue_length(answers));
	rd_kafka_queue_destroy(answers);
	sender_finish(&b.sender, 0);
	bench_adds_up(&b, PACKETS);
	assert_int_equal(b.sender.lost.packets, 0);
	assert_int_equal(b.spool.packets, PACKETS);
	assert_true(b.sender.is_refused);
	assert_int_equal(b.shared.trouble, PUT_NO_RIGHT);
	bench_end(&b);
}

/* Another producer in the middle, as for a new password: nothing is lost, nor spooled. */
static void another_producer_goes_on(void **state)
{
	struct bench b;

	(void)state;
	bench_begin(&b, "1", false, 64000000);
	for (int i = 0; i < SECTIONS; i++) {
		send_one(&b);
		if (i % 10 == 9)
			sender_renew(&b.sender);
	}
	sender_finish(&b.sender, BENCH_ALL_MS);
	bench_adds_up(&b, SENT);
	assert_int_equal(b.sender.acknowledged.packets, SENT);
	bench_end(&b);
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
	bench_begin(&b, "1", false, 64000000);
	rd_kafka_mock_broker_set_down(rd_kafka_handle_mock_cluster(b.client.kafka), 1);
	for (int i = 0; i < MANY; i++)
		put_one(&b);
	sender_renew(&b.sender);
	put_one(&b);
	begun = own_seconds();
	bench_poll_until(&b, !b.sender.rests);
	assert_true(own_seconds() - begun < 3);
	assert_false(b.sender.rests);
	sender_finish(&b.sender, BENCH_ALL_MS);
	bench_adds_up(&b, (uint64_t)(MANY + 1) * PACKETS);
	assert_int_equal(b.sender.acknowledged.packets, (MANY + 1) * PACKETS);
	bench_end(&b);
}

/* Nor is a section lost that is under way then, and that nobody answers. */
static void what_is_under_way_goes_by_another_producer(void **state)
{
	struct bench b;

	(void)state;
	bench_begin(&b, "1", false, 64000000);
	send_one(&b);
	sender_finish(&b.sender, BENCH_ALL_MS);
	rd_kafka_mock_broker_set_rtt(rd_kafka_handle_mock_cluster(b.client.kafka), 1, 60000);
	send_all(&b);
	sender_poll(&b.sender, 100);
	sender_renew(&b.sender);
	bench_poll_until(&b, !b.sender.rests);
	assert_false(b.sender.rests);
	assert_false(b.client.is_fatal);
	sender_finish(&b.sender, BENCH_ALL_MS);
	bench_adds_up(&b, SENT + PACKETS);
	assert_int_equal(b.sender.acknowledged.packets, SENT + PACKETS);
	bench_end(&b);
}

/* A producer that may go on no more: put ends, and nothing is in neither. */
static void a_fatal_error_spools_the_rest(void **state)
{
	struct bench b;

	(void)state;
	for (int has_spool = 0; has_spool < 2; has_spool++) {
		bench_begin(&b, "1", has_spool, 64000000);
		send_one(&b);
		sender_finish(&b.sender, BENCH_ALL_MS);
		assert_int_equal(b.sender.acknowledged.packets, PACKETS);
		assert_int_equal(rd_kafka_test_fatal_error(b.client.kafka,
							   RD_KAFKA_RESP_ERR_OUT_OF_ORDER_SEQUENCE_NUMBER,
							   "a test"),
				 RD_KAFKA_RESP_ERR_NO_ERROR);
		send_all(&b);
		bench_poll_until(&b, b.client.is_fatal);
		assert_true(b.client.is_fatal);
		sender_finish(&b.sender, 0);
		bench_adds_up(&b, SENT + PACKETS);
		assert_int_equal(b.spool.packets, has_spool ? SENT : 0);
		bench_end(&b);
		bench_empty_folder(NULL);
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
			bench_begin(&b, "1", has_spool, queues[i]);
			rd_kafka_mock_broker_set_down(rd_kafka_handle_mock_cluster(b.client.kafka),
						      1);
			send_all(&b);
			sender_finish(&b.sender, 300);
			bench_adds_up(&b, SENT);
			assert_int_equal(b.sender.lost.packets, has_spool ? 0 : SENT);
			bench_end(&b);
			bench_empty_folder(NULL);
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
	sender_finish(&b.sender, BENCH_ALL_MS);
	bench_adds_up(&b, PACKETS);
	assert_int_equal(b.sender.untold_dropped, 5);
	assert_int_equal(b.sender.untold_behind, 2);
	assert_int_equal(b.shared.told, 0);
	b.shared.given = PACKETS + 2;
	next.to = &b.shared;
	assert_int_equal(state_never_acknowledged(&next), PACKETS + 2);
	b.section.label.dropped = 6;
	send_one(&b);
	sender_finish(&b.sender, BENCH_ALL_MS);
	bench_adds_up(&b, 2 * PACKETS);
	assert_int_equal(b.shared.told, PACKETS);
	assert_int_equal(b.shared.dropped, 6);
	b.shared.given += PACKETS;
	state_begin(&next, &b.spool);
	assert_int_equal(state_never_acknowledged(&next), 2);
	assert_int_equal(next.dropped, 6);
	bench_end(&b);
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

/* CPU seconds for a section, of all threads, where each answer takes its time. */
static double section_seconds(const char *requests, int sections)
{
	struct timespec from, to;
	struct bench b;

	bench_batch_size = "400"; /* of one section */
	bench_in_flight = requests;
	begin_far(&b, false);
	bench_batch_size = bench_in_flight = NULL;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
	for (int i = 0; i < sections; i++)
		send_one(&b);
	sender_finish(&b.sender, BENCH_ALL_MS);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
	assert_int_equal(b.sender.acknowledged.packets, (sections + 1) * PACKETS);
	bench_end(&b);
	return ((double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) / 1e9) /
	       sections;
}

/* Librdkafka's thread sleeps until an answer comes: with one request more it does not. */
static void several_cost_no_more_than_one(void **state)
{
	int tries = 1;
	double one, several;

	(void)state;
	do {
		one = section_seconds("1", SPIN_SECTIONS / 4);
		several = section_seconds(NULL, SPIN_SECTIONS);
		print_message("CPU of a section: %.2f ms with one request, %.2f with several\n",
			      one * 1e3, several * 1e3);
	} while (several >= 2 * one && tries++ < TRIES);
	assert_true(several < 2 * one);
}

/* While nobody answers, nothing stays in memory alone; what comes then goes to the disk at once. */
static void what_waits_is_spooled(void **state)
{
	char why[1024];
	struct bench b;

	(void)state;
	bench_begin(&b, "1", true, 64000000);
	rd_kafka_mock_broker_set_down(rd_kafka_handle_mock_cluster(b.client.kafka), 1);
	send_all(&b);
	assert_int_equal(b.sender.alone.packets + b.spool.packets, SENT);
	bench_poll_until(&b, !b.sender.alone.packets);
	assert_int_equal(b.sender.alone.packets, 0);
	assert_int_equal(b.spool.packets, SENT);
	send_one(&b);
	assert_int_equal(b.sender.alone.packets, 0);
	assert_int_equal(b.spool.packets, SENT + PACKETS);
	assert_non_null(strstr(trouble_why(&b.sender, why, sizeof(why)), "no broker answers at"));
	b.spool.is_unclaimed = true; /* a broker may answer, and not tell its cluster */
	assert_non_null(strstr(trouble_why(&b.sender, why, sizeof(why)), "of which cluster it is"));
	b.spool.is_unclaimed = false;
	rd_kafka_mock_broker_set_up(rd_kafka_handle_mock_cluster(b.client.kafka), 1);
	sender_finish(&b.sender, BENCH_ALL_MS);
	bench_adds_up(&b, SENT + PACKETS);
	assert_int_equal(b.sender.acknowledged.packets, SENT + PACKETS);
	assert_int_equal(b.spool.packets, 0);
	assert_int_equal(b.spool.used, 0);
	bench_end(&b);
}

/* What there is no room for on the disk waits in memory, as without a spool. */
static void a_small_spool_leaves_the_queue(void **state)
{
	struct bench b;

	(void)state;
	bench_begin(&b, "1", true, 64000000);
	b.spool.most = 4000;
	rd_kafka_mock_broker_set_down(rd_kafka_handle_mock_cluster(b.client.kafka), 1);
	send_all(&b);
	bench_poll_until(&b, b.spool.packets);
	assert_true(b.spool.packets > 0);
	for (int i = 0; i < 50; i++) /* and no more than there is room for */
		sender_poll(&b.sender, 20);
	send_one(&b);
	assert_int_equal(b.spool.packets + b.sender.alone.packets, SENT + PACKETS);
	assert_int_equal(b.sender.lost.packets, 0);
	rd_kafka_mock_broker_set_up(rd_kafka_handle_mock_cluster(b.client.kafka), 1);
	sender_finish(&b.sender, BENCH_ALL_MS);
	bench_adds_up(&b, SENT + PACKETS);
	assert_int_equal(b.sender.acknowledged.packets, SENT + PACKETS);
	bench_end(&b);
}

/* As put is started once more by a capture, before brokers have told their cluster. */
static int put_file(const char *folder, const char *file, const char *conf)
{
	const struct put_state before = {.runs = 1};
	char address[] = "kafka://127.0.0.1:1/t", spool[64];
	char *const rest[] = {(char *)file, NULL};
	int fd = memfd_create("state", MFD_CLOEXEC);
	const struct options o = {.address = address,
				  .rest = rest,
				  .spool = spool,
				  .queue = 1000000,
				  .section_size = SECTION_SIZE,
				  .state_fd = (uint64_t)fd,
				  .no_index = true,
				  .kafka_conf = conf};

	snprintf(spool, sizeof(spool), "%s:1M", folder);
	if (fd < 0 || write(fd, &before, sizeof(before)) != sizeof(before))
		return -1;
	return put_run(&o);
}

/* Brokers of its own, which have a cluster. */
static void write_settings(const char *path)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_true(fputs("test.mock.num.brokers=1\n", f) >= 0);
	assert_int_equal(fclose(f), 0);
}

/* A file of so many packets. */
static void write_packets(const char *path, unsigned n)
{
	static const uint8_t frame[LARGE];
	static uint8_t memory[LARGE + 1024];
	const struct pcapng_section header = {.os = "o"};
	const struct pcapng_interface interface = {.name = "v0", .link_type = 1};
	const struct pcapng_frame packet = {0, 1000, LARGE, LARGE, frame};
	struct bytes b = {.at = memory, .room = sizeof(memory)};
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	pcapng_put_section(&b, &header);
	pcapng_put_interface(&b, &interface);
	for (; n--; b.used = 0) {
		pcapng_put_frame(&b, &packet);
		assert_int_equal(fwrite(b.at, 1, b.used, f), b.used);
	}
	assert_int_equal(fclose(f), 0);
}

/* A section, for that topic of another cluster. */
static void leave_section(const char *folder)
{
	struct spool s = {.folder = -1, .written = -1};
	struct buffer message;
	struct label l;
	struct bench b;
	char text[64];

	bench_begin(&b, "1", false, 64000000);
	bench_begin_section(&b);
	bench_give_packet(&b, 60);
	assert_int_equal(section_cut(&b.section, 0, 0, &message, &l), 0);
	snprintf(text, sizeof(text), "%s:1M", folder);
	assert_int_equal(spool_open(&s, text), 0);
	assert_int_equal(claim_spool(&s, "t", "another", false), 0);
	assert_int_equal(spool_add(&s, message.at, message.used, l.packets, 0), 0);
	spool_close(&s);
	buffer_free(&message);
	bench_end(&b);
}

static void remove_folder(const char *folder)
{
	DIR *d = opendir(folder);
	struct dirent *one;

	while (d && (one = readdir(d)))
		unlinkat(dirfd(d), one->d_name, 0);
	closedir(d);
	rmdir(folder);
}

/*
 * Nothing of a spool for another cluster is sent, so there is never room for a file that is larger
 * than queue and spool: put ends all the same.
 */
static void no_file_waits_for_another_cluster(void **state)
{
	char folder[] = "/tmp/sender_test.XXXXXX", conf[64], file[64];
	int status = 0;
	pid_t child;

	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(conf, sizeof(conf), "%s/conf", folder);
	snprintf(file, sizeof(file), "%s/file", folder);
	leave_section(folder);
	write_settings(conf);
	write_packets(file, 500);
	child = fork();
	if (child == 0) {
		alarm(PUT_SECONDS);
		_exit(put_file(folder, file, conf));
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	remove_folder(folder);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), EXIT_FAILURE);
}

/* What of an address is refused is named. */
static void too_many_brokers_are_told(void **state)
{
	int standard = dup(STDERR_FILENO), file = open("/tmp", O_TMPFILE | O_RDWR, 0600);
	char text[2048] = "kafka://", said[256] = "";
	struct address a;

	(void)state;
	memset(text + strlen(text), 'b', sizeof(a.brokers));
	memcpy(text + strlen(text), "/topic", sizeof("/topic"));
	assert_true(file >= 0);
	dup2(file, STDERR_FILENO);
	assert_int_equal(address_parse(&a, text), -1);
	dup2(standard, STDERR_FILENO);
	assert_true(pread(file, said, sizeof(said) - 1, 0) > 0);
	assert_non_null(strstr(said, "the brokers of topic topic have more than 1023 bytes"));
	close(standard);
	close(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(passing_errors_lose_nothing, bench_empty_folder),
		cmocka_unit_test(several_are_under_way),
		cmocka_unit_test(a_key_goes_alone_until_it_is_known),
		cmocka_unit_test_teardown(what_no_broker_acknowledges_is_not, bench_empty_folder),
		cmocka_unit_test_teardown(what_is_refused_is_lost, bench_empty_folder),
		cmocka_unit_test_teardown(what_is_refused_is_told_once, bench_empty_folder),
		cmocka_unit_test_teardown(with_a_spool_what_is_refused_waits, bench_empty_folder),
		cmocka_unit_test_teardown(what_waits_at_the_end_is_spooled, bench_empty_folder),
		cmocka_unit_test_teardown(what_is_refused_at_the_end_is_spooled,
					  bench_empty_folder),
		cmocka_unit_test(another_producer_goes_on),
		cmocka_unit_test(a_long_queue_is_given_back),
		cmocka_unit_test(what_is_under_way_goes_by_another_producer),
		cmocka_unit_test(a_short_interface_has_no_keys),
		cmocka_unit_test_teardown(a_fatal_error_spools_the_rest, bench_empty_folder),
		cmocka_unit_test_teardown(without_brokers_all_is_spooled_or_lost,
					  bench_empty_folder),
		cmocka_unit_test(several_cost_no_more_than_one),
		cmocka_unit_test_teardown(what_waits_is_spooled, bench_empty_folder),
		cmocka_unit_test_teardown(a_small_spool_leaves_the_queue, bench_empty_folder),
		cmocka_unit_test(no_file_waits_for_another_cluster),
		cmocka_unit_test(too_many_brokers_are_told),
	};
	int failed;

	if (!bench_open())
		return 77;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	bench_close();
	return failed;
}
