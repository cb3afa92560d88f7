/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include "programs.h"

#include <stdlib.h>
#include <string.h>

#define LONGEST 262145
#define FAR	0xffffffffu

struct maker {
	struct sock_filter *f;
	unsigned n;
	unsigned number; /* what followed the colon */
};

static void add(struct maker *m, __u16 code, __u8 jt, __u8 jf, __u32 k)
{
	if (m->n < LONGEST)
		m->f[m->n++] = (struct sock_filter){code, jt, jf, k};
}

static void take(struct maker *m)
{
	add(m, BPF_RET | BPF_K, 0, 0, 262144);
}

static void drop(struct maker *m)
{
	add(m, BPF_RET | BPF_K, 0, 0, 0);
}

static void empty(struct maker *m)
{
	(void)m;
}

static void all(struct maker *m)
{
	take(m);
}

static void no_return(struct maker *m)
{
	add(m, BPF_LD | BPF_B | BPF_ABS, 0, 0, 0);
}

static void division_by_0(struct maker *m)
{
	add(m, BPF_LD | BPF_IMM, 0, 0, 1);
	add(m, BPF_ALU | BPF_DIV | BPF_K, 0, 0, 0);
	take(m);
}

static void jump_out(struct maker *m)
{
	add(m, BPF_JMP | BPF_JEQ | BPF_K, 5, 5, 0);
	take(m);
}

static void unknown_code(struct maker *m)
{
	add(m, 0xffff, 0, 0, 0);
	take(m);
}

/* The frame's byte 37 is the lower half of the UDP port 7777 (0x1e61): 16 times round a loop. */
static void backward(struct maker *m)
{
	add(m, BPF_LDX | BPF_IMM, 0, 0, 0);
	add(m, BPF_MISC | BPF_TXA, 0, 0, 0);
	add(m, BPF_ALU | BPF_ADD | BPF_K, 0, 0, 1);
	add(m, BPF_MISC | BPF_TAX, 0, 0, 0);
	add(m, BPF_JMP | BPF_JGE | BPF_K, 1, 0, 16);
	add(m, BPF_JMP | BPF_JA, 0, 0, (__u32)-5);
	add(m, BPF_LD | BPF_H | BPF_ABS, 0, 0, 36);
	add(m, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 7777);
	take(m);
	drop(m);
}

/* An ancillary load that neither side can answer rejects the frame: the second one is not run. */
static void ancillary(struct maker *m)
{
	add(m, BPF_LD | BPF_H | BPF_ABS, 0, 0, 36);
	add(m, BPF_JMP | BPF_JEQ | BPF_K, 2, 0, 7777);
	add(m, BPF_LD | BPF_W | BPF_ABS, 0, 0, (__u32)(SKF_AD_OFF + SKF_AD_RANDOM));
	take(m);
	take(m);
}

static void take_far(struct maker *m)
{
	add(m, BPF_JMP | BPF_JA, 0, 0, FAR); /* aimed by end_of_list() */
}

/*
 * The UDP port 7777 as well, or nothing; and the jumps of take_far() go to where frames are taken.
 */
static void end_of_list(struct maker *m)
{
	add(m, BPF_LD | BPF_H | BPF_ABS, 0, 0, 36);
	add(m, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, 7777);
	drop(m);
	take(m);
	for (unsigned i = 0; i < m->n; i++)
		if (m->f[i].code == (BPF_JMP | BPF_JA) && m->f[i].k == FAR)
			m->f[i].k = m->n - 2 - i;
}

/* Port 7777 at the end of comparisons that nobody can merge: number instructions. */
static void longer(struct maker *m)
{
	add(m, BPF_LD | BPF_B | BPF_ABS, 0, 0, 30);
	add(m, BPF_MISC | BPF_TAX, 0, 0, 0);
	while (m->n + 8 <= m->number) {
		add(m, BPF_LD | BPF_W | BPF_ABS, 0, 0, 26);
		add(m, BPF_ALU | BPF_ADD | BPF_X, 0, 0, 0);
		add(m, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0x01020304 + m->n * 7919);
		take_far(m);
	}
	while (m->n + 4 < m->number) /* to the number exactly */
		add(m, BPF_LD | BPF_IMM, 0, 0, 0);
	end_of_list(m);
}

/* A list as libpcap's optimiser leaves it, which takes minutes for that. */
static void hosts(struct maker *m)
{
	for (unsigned at = 26; at <= 30; at += 4) {
		add(m, BPF_LD | BPF_W | BPF_ABS, 0, 0, at);
		for (unsigned i = 0; i < m->number; i++) {
			add(m, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0xcb007100 + i);
			take_far(m);
		}
	}
	end_of_list(m);
}

/*
 * Port 7777, after number branches on bits of the frame that each change a word of memory: twice as
 * many states with each, which is more than a verifier follows.
 */
static void too_complex(struct maker *m)
{
	add(m, BPF_LDX | BPF_IMM, 0, 0, 0);
	for (unsigned i = 0; i < m->number; i++) {
		add(m, BPF_LD | BPF_B | BPF_ABS, 0, 0, i % 34);
		add(m, BPF_JMP | BPF_JSET | BPF_K, 0, 3, 1u << i % 8);
		add(m, BPF_MISC | BPF_TXA, 0, 0, 0);
		add(m, BPF_ALU | BPF_ADD | BPF_K, 0, 0, i + 1);
		add(m, BPF_MISC | BPF_TAX, 0, 0, 0);
		add(m, BPF_STX, 0, 0, i % 15);
	}
	/* All of it is used, and none is so large. */
	for (unsigned i = 0; i < 15; i++) {
		add(m, BPF_LD | BPF_MEM, 0, 0, i);
		add(m, BPF_JMP | BPF_JGE | BPF_K, 0, 1, 0x7fffffff);
		drop(m);
	}
	add(m, BPF_LD | BPF_H | BPF_ABS, 0, 0, 36);
	add(m, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 7777);
	take(m);
	drop(m);
}

/*
 * Port 7777 behind number comparisons of one word, each of which may change X or not: the verifier
 * has another state of both after each, and looks at all before it goes on with one.
 */
static void diamonds(struct maker *m)
{
	add(m, BPF_LD | BPF_W | BPF_ABS, 0, 0, 26);
	for (unsigned i = 0; i < m->number; i++) {
		add(m, BPF_JMP | BPF_JSET | BPF_K, 0, 1, 0x9e3779b9u * (i + 1));
		add(m, BPF_LDX | BPF_IMM, 0, 0, i);
	}
	add(m, BPF_ALU | BPF_ADD | BPF_X, 0, 0, 0);
	add(m, BPF_ST, 0, 0, 0);
	add(m, BPF_LD | BPF_H | BPF_ABS, 0, 0, 36);
	add(m, BPF_JMP | BPF_JEQ | BPF_K, 0, 3, 7777);
	add(m, BPF_LD | BPF_MEM, 0, 0, 0);
	add(m, BPF_ALU | BPF_OR | BPF_K, 0, 0, 0x10000);
	add(m, BPF_RET | BPF_A, 0, 0, 0);
	drop(m);
}

/* Port 7777 behind number loads that each take their place from the one before. */
static void chase(struct maker *m)
{
	add(m, BPF_LDX | BPF_B | BPF_MSH, 0, 0, 14);
	for (unsigned i = 0; i < m->number; i++) {
		add(m, BPF_LD | BPF_B | BPF_IND, 0, 0, 14);
		add(m, BPF_MISC | BPF_TAX, 0, 0, 0);
	}
	add(m, BPF_LD | BPF_H | BPF_ABS, 0, 0, 36);
	add(m, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 7777);
	take(m);
	drop(m);
}

static const struct {
	const char *name;
	void (*make)(struct maker *m);
} programs[] = {
	{"empty", empty},	  {"all", all},
	{"no-return", no_return}, {"division-by-0", division_by_0},
	{"jump-out", jump_out},	  {"unknown-code", unknown_code},
	{"backward", backward},	  {"ancillary", ancillary},
	{"long", longer},	  {"too-complex", too_complex},
	{"hosts", hosts},	  {"diamonds", diamonds},
	{"chase", chase},
};

struct sock_filter *program_by_name(const char *name, unsigned *n)
{
	size_t length = strcspn(name, ":");
	struct maker m = {.number = name[length] ? (unsigned)atoi(name + length + 1) : 0};

	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
		if (strncmp(programs[i].name, name, length) || programs[i].name[length])
			continue;
		m.f = calloc(LONGEST, sizeof(*m.f));
		if (m.f)
			programs[i].make(&m);
		*n = m.n;
		return m.f;
	}
	return NULL;
}
