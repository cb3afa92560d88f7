/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * What tests of the sender share: one with its spool and its brokers, which are librdkafka's own,
 * in this process, and make the errors they are told to.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <unistd.h>

#include "kafka/client.h"
#include "kafka/put/sender.h"
#include "kafka/put/spool.h"
#include "kafka/put/state.h"
#include "kafka/section.h"
#include "util/put_state.h"

#define LARGE 40000 /* bytes of a packet that is too large for any part */

/* For sender_finish(): far longer than a busy machine needs, as it ends when all is acknowledged. */
#define BENCH_ALL_MS 300000

extern const char *bench_batch_size, *bench_in_flight; /* NULL: as it is */

struct bench {
	struct client client;
	struct spool spool;
	struct sender sender;
	struct put_state shared;
	struct state state;
	struct section section;
};

/* A network namespace and a folder for spools. False: there is none. */
bool bench_open(void);
void bench_close(void);

void bench_begin(struct bench *b, const char *brokers, bool has_spool, uint64_t queue);
void bench_end(struct bench *b);
void bench_begin_section(struct bench *b);
void bench_give_packet(struct bench *b, uint32_t length);
/* What there is no room for is lost. */
void bench_send_section(struct bench *b);
/* All that was sent is acknowledged, spooled or lost: here and in the memory that xdpdump looks at.
 */
void bench_adds_up(struct bench *b, uint64_t sent);
/* So many answers to sections are that. */
void bench_fail_with(struct bench *b, rd_kafka_resp_err_t e, int times);
/* The sender's clock stands: a refusal rests for as long as the machine needs to see it. */
void bench_stop_clock(void);
void bench_start_clock(void);
/* Polls until it is so, or for five minutes; bench_wait() only looks, and the sender hears nothing.
 */
#define bench_poll_until(b, is_so)                                                                 \
	for (uint64_t bench_begun = bench_now(); !(is_so) && bench_is_early(bench_begun);)         \
	sender_poll(&(b)->sender, 20)
#define bench_wait(is_so)                                                                          \
	for (uint64_t bench_begun = bench_now(); !(is_so) && bench_is_early(bench_begun);)         \
	usleep(5000)
uint64_t bench_now(void);
bool bench_is_early(uint64_t begun);
/* For cmocka: no spool is left. */
int bench_empty_folder(void **state);
