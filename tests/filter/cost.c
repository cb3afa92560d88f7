/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * What a filter costs over a program that returns at once, by BPF_PROG_TEST_RUN on one CPU: both
 * run in turn, medians of the differences. At most LIMIT ns, at most LIMIT_RANDOM when each run has
 * another source address. COST_STRICT=1 makes more than that an error, else it is only shown: other
 * work on the machine shows in the figures.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* sched_getcpu() */
#endif
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <linux/bpf.h>

#include "kernel.h"

enum { ROUNDS = 41, REPEAT = 100000, LIMIT = 6, LIMIT_RANDOM = 20, HOSTS_TEXT = 10000 };

struct row {
	const char *name, *expression;
	unsigned hosts; /* a list of so many instead of the expression */
	bool random;	/* another source address in each run */
	void (*hit)(struct frame *);
	void (*miss)(struct frame *);
};

static void put(struct frame *frame, uint32_t at, uint64_t value, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		frame->data[at + i] = (uint8_t)(value >> (8 * (size - 1 - i)));
}

/* Ethernet from `at` on, IPv4, and ports. */
static void ip4(struct frame *frame, uint32_t at, uint32_t protocol, uint32_t from, uint32_t to)
{
	put(frame, at, 0x0800, 2);
	put(frame, at + 2, 0x45, 1);
	put(frame, at + 11, protocol, 1);
	put(frame, at + 14, from, 4);
	put(frame, at + 18, to, 4);
	put(frame, at + 22, 1234, 2);
	put(frame, at + 24, protocol == 6 ? 80 : 53, 2);
	put(frame, at + 35, 2, 1); /* SYN */
}

static void start(struct frame *frame)
{
	memset(frame->data, 0, 128);
	frame->len = 128;
}

static void udp(struct frame *frame)
{
	start(frame);
	ip4(frame, 12, 17, 0x0a000001, 0x0a000002);
}

static void tcp(struct frame *frame)
{
	start(frame);
	ip4(frame, 12, 6, 0x0a000001, 0x0a000002);
}

static void tcp_other(struct frame *frame)
{
	start(frame);
	ip4(frame, 12, 6, 0xc0a80001, 0xc0a80002);
	put(frame, 36, 8080, 2);
}

static void vlan(struct frame *frame)
{
	start(frame);
	put(frame, 12, 0x81000005, 4);
	ip4(frame, 16, 17, 0x0a000001, 0x0a000002);
}

static const struct row rows[] = {
	{"udp", "udp", 0, false, udp, tcp},
	{"tcp port 80", "tcp port 80", 0, false, tcp, tcp_other},
	{"host & SYN", "host 10.0.0.1 and tcp[tcpflags] & tcp-syn != 0", 0, false, tcp, tcp_other},
	{"vlan and port 53", "vlan and port 53", 0, false, vlan, udp},
	{"10 hosts", NULL, 10, false, tcp, tcp_other},
	{"100 hosts", NULL, 100, false, tcp, tcp_other},
	{"10 hosts, random", NULL, 10, true, tcp_other, NULL},
	{"100 hosts, random", NULL, 100, true, tcp_other, NULL},
	{"300 hosts, random", NULL, 300, true, tcp_other, NULL},
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double time_run(enum host host, const struct loaded *loaded, const struct frame *frame)
{
	struct test_frame t = {.frame = frame, .linear = frame->len, .tpid = 0x8100, .tci = 5};
	double begin = now();
	uint32_t unused;

	if (kernel_time(host, loaded, &t, REPEAT, &unused))
		return -1;
	return (now() - begin) / REPEAT;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static double cost(enum host host, const struct loaded *filter, const struct loaded *empty,
		   const struct frame *frame)
{
	double difference[ROUNDS];

	for (unsigned i = 0; i < ROUNDS; i++) {
		double base = time_run(host, empty, frame);

		difference[i] = time_run(host, filter, frame) - base;
	}
	qsort(difference, ROUNDS, sizeof(difference[0]), by_value);
	return difference[ROUNDS / 2];
}

static bool compile(const struct row *row, struct program *p)
{
	static char text[HOSTS_TEXT];

	if (row->hosts)
		expression_hosts(text, sizeof(text), row->hosts);
	else
		snprintf(text, sizeof(text), "%s", row->expression);
	return program_compile(p, text, true);
}

static void judge(double ns, double limit, const char *name, const char *where)
{
	bool strict = getenv("COST_STRICT") != NULL;

	check(ns <= limit || !strict, "%s, %s: %.1f ns, at most %.0f", name, where, ns, limit);
	if (ns > limit && !strict)
		printf("note: %s, %s: %.1f ns, the aim is %.0f\n", name, where, ns, limit);
}

static void measure(const struct row *row, enum filter_ctx ctx, enum host host)
{
	static const struct bpf_insn nothing[] = {
		{.code = BPF_ALU | BPF_MOV | BPF_K, .imm = 0},
		{.code = BPF_JMP | BPF_EXIT},
	};
	struct filter_code empty_code = {.insns = (struct bpf_insn *)nothing, .len = 2}, code;
	struct filter_options options = {.ctx = ctx, .stack_top = STACK_TOP};
	const char *where = ctx == FILTER_XDP ? "xdp" : "tc";
	struct loaded empty, filter;
	static struct frame frame;
	struct program p;
	double hit, miss = 0;

	if (!compile(row, &p) || filter_translate(p.f, p.n, &options, &code, NULL, 0)) {
		check(false, "%s does not compile", row->name);
		return;
	}
	empty = kernel_load(host, &empty_code);
	filter = kernel_load(host, &code);
	check(filter.fd >= 0 && empty.fd >= 0, "%s: %s", row->name, filter.log);
	row->hit(&frame);
	hit = cost(host, &filter, &empty, &frame);
	if (row->miss) {
		row->miss(&frame);
		miss = cost(host, &filter, &empty, &frame);
	}
	printf("%-5s %-18s %6u classic %6u eBPF %3u chains   hit %5.1f ns   miss %5.1f ns\n", where,
	       row->name, p.n, code.len, code.chains, hit, miss);
	judge(hit > miss ? hit : miss, row->random ? LIMIT_RANDOM : LIMIT, row->name, where);
	kernel_unload(&empty);
	kernel_unload(&filter);
	filter_code_free(&code);
	free(p.f);
}

int main(void)
{
	cpu_set_t one;

	if (!kernel_available()) {
		skip("no privilege to load programs");
		return summary();
	}
	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	sched_setaffinity(0, sizeof(one), &one);
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		bool random = rows[i].random;

		measure(&rows[i], FILTER_XDP, random ? HOST_XDP_RANDOM : HOST_XDP);
		measure(&rows[i], FILTER_SKB, random ? HOST_SKB_RANDOM : HOST_SKB);
	}
	return summary();
}
