/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Vectors: what A holds is not loaded again, and ranges of it are searched. */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "instructions.h"
#include "vectors.h"

/* What A or X holds is not loaded again; but X + k is another place once X has changed. */
void held_and_not(void)
{
	const struct sock_filter moved[] = {STMT(BPF_LDX | BPF_B | BPF_MSH, 14),
					    STMT(BPF_LD | BPF_H | BPF_IND, 16),
					    JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x6000, 0, 3),
					    STMT(BPF_LDX | BPF_B | BPF_MSH, 15),
					    STMT(BPF_LD | BPF_H | BPF_IND, 16),
					    JUMP(BPF_JMP | BPF_JGT | BPF_K, 0x8000, 1, 0),
					    RETURN_A,
					    STMT(BPF_RET | BPF_K, 5)};
	const struct sock_filter set[] = {STMT(BPF_LDX | BPF_B | BPF_MSH, 14),
					  STMT(BPF_LD | BPF_H | BPF_IND, 16),
					  JUMP(BPF_JMP | BPF_JGE | BPF_K, 8, 0, 4),
					  STMT(BPF_LDX | BPF_IMM, 2),
					  STMT(BPF_LD | BPF_H | BPF_IND, 16),
					  JUMP(BPF_JMP | BPF_JGT | BPF_K, 9, 0, 1),
					  RETURN_A,
					  STMT(BPF_LDX | BPF_B | BPF_MSH, 14),
					  STMT(BPF_LD | BPF_H | BPF_IND, 16),
					  JUMP(BPF_JMP | BPF_JGE | BPF_K, 8, 0, 0),
					  RETURN_A};
	/* On one way X is another header's, on one A is. */
	const struct sock_filter meet[] = {STMT(BPF_LDX | BPF_B | BPF_MSH, 14),
					   STMT(BPF_LD | BPF_H | BPF_IND, 16),
					   JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x4000, 0, 2),
					   STMT(BPF_LDX | BPF_B | BPF_MSH, 15),
					   STMT(BPF_LD | BPF_H | BPF_IND, 16),
					   JUMP(BPF_JMP | BPF_JGE | BPF_K, 0xc000, 1, 0),
					   STMT(BPF_LD | BPF_H | BPF_IND, 18),
					   STMT(BPF_LDX | BPF_B | BPF_MSH, 14),
					   STMT(BPF_LD | BPF_H | BPF_IND, 16),
					   JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x8000, 0, 1),
					   RETURN_A,
					   STMT(BPF_RET | BPF_K, 5)};

	fill(80);
	for (unsigned i = 0; i < 256; i += 3) {
		frame.data[14] = 0x40 | (i & 7);
		frame.data[15] = 0x40 | (i >> 4);
		for (uint32_t at = 16; at < 64; at++)
			frame.data[at] = (uint8_t)(at * 37 + i);
		run_insns("X of another header", moved, LENGTH(moved));
		run_insns("X set", set, LENGTH(set));
		run_insns("two ways meet", meet, LENGTH(meet));
	}
}

/* Without libpcap's optimiser each range has the header's length and the port loaded twice. */
void ranges_are_loaded_once(void)
{
	struct filter_options options = variant_options(&variants[0], 0);
	struct filter_code few, many;
	char text[1000] = "udp dst portrange 0-2";
	struct program p;

	check(program_compile(&p, text, false), "compiles");
	check(!filter_translate(p.f, p.n, &options, &few, NULL, 0), "1 range is translated");
	free(p.f);
	for (unsigned i = 1; i < 20; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text),
			 " or udp dst portrange %u-%u", 10 * i, 10 * i + 2);
	check(program_compile(&p, text, false), "compiles");
	check(!filter_translate(p.f, p.n, &options, &many, NULL, 0), "20 ranges are translated");
	check(many.len < few.len + 19 * 60,
	      "20 ranges load no more than their port, each once: %u for one, %u", few.len,
	      many.len);
	filter_code_free(&few);
	filter_code_free(&many);
	free(p.f);
}

/* A list of ranges as libpcap's optimiser leaves it: one load, and X. */
void many_bounds(void)
{
	enum { BOUNDS = 80 };
	struct sock_filter f[BOUNDS + 6] = {STMT(BPF_LDX | BPF_B | BPF_MSH, 14),
					    STMT(BPF_LD | BPF_H | BPF_IND, 16)};

	for (unsigned i = 0; i < BOUNDS; i++)
		f[2 + i] = (struct sock_filter)JUMP(BPF_JMP | BPF_JGE | BPF_K, 0xffff - 800 * i,
						    BOUNDS + 1 - i, 0);
	f[BOUNDS + 2] = (struct sock_filter)STMT(BPF_ALU | BPF_SUB | BPF_X, 0);
	f[BOUNDS + 3] = (struct sock_filter)RETURN_A;
	f[BOUNDS + 4] = (struct sock_filter)STMT(BPF_ALU | BPF_ADD | BPF_X, 0);
	f[BOUNDS + 5] = (struct sock_filter)RETURN_A;
	for (uint32_t port = 0; port < 0x10000; port += 397) {
		fill(60);
		frame.data[14] = 0x45;
		frame.data[36] = (uint8_t)(port >> 8);
		frame.data[37] = (uint8_t)port;
		run_insns("80 bounds of A, with X", f, LENGTH(f));
		f[BOUNDS + 2].code = f[BOUNDS + 4].code = BPF_ALU | BPF_XOR | BPF_K;
		run_insns("80 bounds of A", f, LENGTH(f));
		f[BOUNDS + 2].code = BPF_ALU | BPF_SUB | BPF_X;
		f[BOUNDS + 4].code = BPF_ALU | BPF_ADD | BPF_X;
	}
}

/* Neither sorted nor apart; some are empty, single values, or reach the ends of what A can be. */
static const uint32_t span[][2] = {
	{700, 800},	      {0, 3},
	{100, 100},	      {0xfffffff0, UINT32_MAX},
	{750, 900},	      {901, 910},
	{500, 400},	      {720, 730},
	{1u << 31, 1u << 31}, {0x7ffffff0, 1u << 31},
	{200, 200},	      {202, 203},
	{100, 100},	      {3, 7},
	{201, 201},	      {UINT32_MAX, UINT32_MAX},
};
enum { SPANS = LENGTH(span), SPAN_AT = 26 };

/* Two comparisons each from f[at] on: the list's hits go to f[hit], its miss to f[miss]. */
static void put_spans(struct sock_filter *f, unsigned at, unsigned hit, unsigned miss)
{
	for (unsigned i = 0; i < SPANS; i++, at += 2) {
		unsigned past = (i + 1 < SPANS ? at + 2 : miss) - (at + 1);
		bool one = span[i][0] == span[i][1] && i % 2;

		f[at] = (struct sock_filter)JUMP(BPF_JMP | BPF_JGE | BPF_K, span[i][0], 0, past);
		f[at + 1] = (struct sock_filter)JUMP(BPF_JMP | BPF_JGT | BPF_K, span[i][1],
						     past - 1, hit - (at + 2));
		if (one)
			f[at] = (struct sock_filter)JUMP(BPF_JMP | BPF_JEQ | BPF_K, span[i][0],
							 hit - (at + 1), past);
	}
}

static void run_bounds(const char *name, const struct sock_filter *f, unsigned n)
{
	fill(60);
	for (unsigned i = 0; i < 2 * SPANS; i++) {
		for (uint32_t beside = 0; beside < 3; beside++) {
			uint32_t a = htonl(span[i / 2][i % 2] + beside - 1);

			memcpy(frame.data + SPAN_AT, &a, sizeof(a));
			run_insns(name, f, n);
		}
	}
}

/* What is made of a list, if it is one. */
static void expect_lists(const struct sock_filter *f, unsigned n, unsigned expected)
{
	struct filter_options options = variant_options(&variants[0], 0);
	struct filter_code code;

	check(!filter_translate(f, n, &options, &code, NULL, 0), "translates");
	check(code.chains == expected, "%u lists, not %u", expected, code.chains);
	filter_code_free(&code);
}

void lists_of_ranges(void)
{
	enum { HIT = 1 + 2 * SPANS, MISS = HIT + 2 };
	struct sock_filter f[MISS + 2] = {LDW(SPAN_AT)};
	const struct sock_filter end[4][4] = {
		{STMT(BPF_ALU | BPF_XOR | BPF_K, 5), RETURN_A, STMT(BPF_ALU | BPF_XOR | BPF_K, 9),
		 RETURN_A},
		{ACCEPT, ACCEPT, STMT(BPF_ALU | BPF_XOR | BPF_K, 9), RETURN_A},
		{REJECT, REJECT, ACCEPT, ACCEPT},
		{STMT(BPF_ALU | BPF_XOR | BPF_K, 5), RETURN_A, REJECT, REJECT},
	};

	put_spans(f, 1, HIT, MISS);
	for (unsigned i = 0; i < LENGTH(end); i++) {
		memcpy(f + HIT, end[i], sizeof(end[i]));
		run_bounds("a list of ranges", f, LENGTH(f));
		expect_lists(f, LENGTH(f), 1);
	}
}

/* One range has another hit, or its upper bound another miss. */
void almost_a_list(void)
{
	enum { HIT = 1 + 2 * SPANS, MISS = HIT + 2, ODD = 1 + 2 * 10 + 1 };
	struct sock_filter f[MISS + 2] = {LDW(SPAN_AT)};

	f[HIT] = (struct sock_filter)STMT(BPF_ALU | BPF_XOR | BPF_K, 5);
	f[MISS] = (struct sock_filter)STMT(BPF_ALU | BPF_XOR | BPF_K, 9);
	f[HIT + 1] = f[MISS + 1] = (struct sock_filter)RETURN_A;
	put_spans(f, 1, HIT, MISS);
	f[ODD].jf = MISS + 1 - (ODD + 1);
	run_bounds("a range with another target", f, LENGTH(f));
	put_spans(f, 1, HIT, MISS);
	f[ODD].jt = MISS + 1 - (ODD + 1);
	run_bounds("a range with two misses", f, LENGTH(f));
}

/* Other code comes into the list, at a second bound or at a first one: that stays as it is. */
void ways_into_a_list(void)
{
	enum { LIST = 6, HIT = LIST + 2 * SPANS, MISS = HIT + 1 };
	struct sock_filter f[MISS + 1] = {LDB(20), JUMP(BPF_JMP | BPF_JSET | BPF_K, 1, 0, 2),
					  LDW(SPAN_AT)};

	f[4] = (struct sock_filter)LDW(SPAN_AT);
	f[HIT] = (struct sock_filter)ACCEPT;
	f[MISS] = (struct sock_filter)RETURN_A;
	put_spans(f, LIST, HIT, MISS);
	for (unsigned to = LIST; to < HIT; to += 3) {
		f[3] = (struct sock_filter)JUMP(BPF_JMP | BPF_JGE | BPF_K, 760, to - 4, HIT - 4);
		f[5] = (struct sock_filter)JUMP(BPF_JMP | BPF_JGE | BPF_K, 7, 0, HIT - 6);
		for (uint8_t way = 0; way < 2; way++) {
			f[1].k = way ? 1u << 31 : 0xff;
			run_bounds("another way into a list", f, LENGTH(f));
		}
	}
}

void ports_behind_a_range_make_chains(void)
{
	struct filter_options options = variant_options(&variants[0], 0);
	struct filter_code code;
	char text[1000] = "udp dst portrange 0-2";
	struct program p;

	for (unsigned i = 1; i < 20; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), " or udp dst port %u",
			 10 * i);
	check(program_compile(&p, text, false), "compiles");
	check(!filter_translate(p.f, p.n, &options, &code, NULL, 0), "translates");
	check(code.chains == 2, "19 ports behind a range make 2 chains, not %u", code.chains);
	filter_code_free(&code);
	free(p.f);
}

/* As libpcap compiles them without its optimiser: the protocol is asked for 20 times. */
void protocols_are_asked_once(void)
{
	struct filter_options options = variant_options(&variants[0], 0);
	struct filter_code with, without;
	char text[1000] = "net 10.1.0.0/24";
	struct program p;

	for (unsigned i = 1; i < 20; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), " or net 10.1.%u.0/24",
			 i);
	check(program_compile(&p, text, false), "compiles");
	check(!filter_translate(p.f, p.n, &options, &with, NULL, 0) && with.chains == 3,
	      "20 nets make a chain each for IPv4, ARP and RARP, not %u", with.chains);
	options.disable = FILTER_NO_THREAD | FILTER_NO_CHAINS;
	check(!filter_translate(p.f, p.n, &options, &without, NULL, 0), "translates");
	check(without.len > 2 * with.len, "and less than half the code: %u, %u", with.len,
	      without.len);
	filter_code_free(&with);
	filter_code_free(&without);
	free(p.f);
}
