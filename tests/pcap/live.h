/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What the tests of the pcap API share: a handle on xdp:vb, and frames sent into va. */
#pragma once

#include <pcap/pcap.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NS_PER_SEC 1000000000ULL
#define NS_PER_MS  1000000ULL
/* What is sure to come may take this long on a busy machine, in ms. */
#define PATIENCE 10000

struct open_options {
	const char *device; /* NULL: xdp:vb,ring=1M */
	int timeout_ms;	    /* 0: 100 */
	int snaplen;
	int immediate, nano, no_promisc;
};

pcap_t *live_create(const struct open_options *o);
/* Fails the test where it cannot be opened; o NULL: defaults. */
pcap_t *live_open(const struct open_options *o);
void live_close(pcap_t *p);
/* For cmocka: closes what a failed test left open. */
int live_teardown(void **state);
#define LIVE_TEST(f) cmocka_unit_test_teardown(f, live_teardown)
/* What main() returns: runs an array of these in a network namespace of its own, with va and vb. */
#define LIVE_RUN(tests)                                                                            \
	(live_begin(),                                                                             \
	 live_end(cmocka_run_group_tests(tests, NULL, NULL), sizeof(tests) / sizeof((tests)[0])))
void live_begin(void);
/* Prints the counts. Returns the program's status. */
int live_end(int failed, size_t count);
void live_filter(pcap_t *p, const char *expression);

/*
 * Send count frames of kind (an octet at offset 18), numbered on from the last ones at offset 14.
 */
void live_send(unsigned count, uint8_t kind);
void live_send_sized(unsigned count, uint8_t kind, unsigned size);
uint32_t live_number(const u_char *frame);
/* How many were sent so far. */
uint32_t live_sent(void);

/* Counts what it is given; checks that numbers only grow. */
struct count {
	unsigned frames, kinds[3], disorder;
	uint32_t last;
	struct pcap_pkthdr header; /* of the last */
	uint64_t latency;	   /* ns from the stamp to the callback, of the last */
};
void live_count(u_char *count, const struct pcap_pkthdr *h, const u_char *frame);
/* Whether a read has something within so many ms. Of itself a blocking read waits for ever. */
bool live_readable(pcap_t *p, int ms);
/* Dispatch until that many came, or the time is up. */
void live_read(pcap_t *p, struct count *c, unsigned frames, int limit_ms);

/*
 * Waits until so many frames have passed the filters of a handle since it was opened, by
 * pcap_stats(): it stands still when a filter leaves out what was queued.
 */
void live_await(pcap_t *p, unsigned frames);

uint64_t clock_ns(void); /* monotonic */
uint64_t cpu_ns(void);	 /* of this process */
uint64_t wall_ns(void);
void sleep_ms(unsigned ms);
unsigned fds_open(void);
int live_promiscuity(void);
