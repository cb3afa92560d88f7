/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Vectors of programs that jump backward, as libpcap's protochain does. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/bpf.h>

#include "instructions.h"
#include "vectors.h"

enum { IP6 = 14, IP6_HEAD = 40, DESTINATION = 60, AUTHENTICATION = 51 };

/* IPv6 with so many extension headers, and UDP. */
static void fill_headers(unsigned n)
{
	fill(IP6 + IP6_HEAD + 8 * n + 8);
	frame.data[12] = 0x86;
	frame.data[13] = 0xdd;
	frame.data[IP6 + 6] = n ? DESTINATION : 17;
	for (unsigned i = 0; i < n; i++) {
		uint8_t *header = &frame.data[IP6 + IP6_HEAD + 8 * i];

		header[0] = i + 1 < n ? DESTINATION : 17;
		header[1] = 0;
	}
}

/* Up to so many headers the code is exact, and then it takes all. */
void headers_are_followed(void)
{
	struct program p, not_there;

	check(program_compile(&p, "ip6 protochain 17", true) &&
		      program_compile(&not_there, "ip6 protochain 6", true),
	      "protochain compiles");
	for (unsigned n = 0; n <= FILTER_TURNS + 3; n++) {
		struct verdict v;

		fill_headers(n);
		v = oracle(not_there.f, not_there.n, frame.data, frame.len, frame.len);
		check(v.value == 0 && (v.unrolled == 0) == (n <= FILTER_TURNS),
		      "%u headers are in the way", n);
		run_insns("headers", p.f, p.n);
		run_insns("headers of another", not_there.f, not_there.n);
	}
	free(p.f);
	free(not_there.f);
}

static void expect_no_meets(const char *name, const struct sock_filter *f, unsigned n)
{
	for (unsigned i = 0; i < VARIANTS; i++) {
		struct filter_options options = variant_options(&variants[i], 0);
		struct filter_code code;

		check(!filter_translate(f, n, &options, &code, NULL, 0) && !code.meets,
		      "%s, %s: %u ways meet", name, variants[i].name, code.meets);
		filter_code_free(&code);
	}
}

/* A verifier does not follow a round for each way that leads there. */
void rounds_are_forgotten(void)
{
	const struct sock_filter behind_a_jump[] = {STMT(BPF_JMP | BPF_JA, 0),
						    STMT(BPF_LD | BPF_B | BPF_IND, 14),
						    JUMP(BPF_JMP | BPF_JEQ | BPF_K, 5, 0, 2),
						    STMT(BPF_LDX | BPF_IMM, 1),
						    STMT(BPF_JMP | BPF_JA, -5),
						    JUMP(BPF_JMP | BPF_JEQ | BPF_K, 6, 0, 2),
						    STMT(BPF_LDX | BPF_IMM, 2),
						    STMT(BPF_JMP | BPF_JA, -8),
						    RETURN_A};
	struct program p;

	check(program_compile(&p, "ip6 protochain 17", true), "protochain compiles");
	expect_no_meets("protochain", p.f, p.n);
	expect_no_meets("rounds behind a jump", behind_a_jump, LENGTH(behind_a_jump));
	for (unsigned i = 0; i < 27; i++) {
		fill(60);
		for (unsigned k = 0, digit = i; k < 3; k++, digit /= 3)
			frame.data[14 + k] = (uint8_t)(5 + digit % 3);
		run_insns("rounds behind a jump", behind_a_jump, LENGTH(behind_a_jump));
	}
	free(p.f);
}

/* What comes to no backward jump is there once, whichever round it is of. */
void rounds_are_counted(void)
{
	const struct sock_filter to_itself[] = {LDB(14), JUMP(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, 1),
						STMT(BPF_JMP | BPF_JA, -1), RETURN_A};
	const struct sock_filter counts[] = {STMT(BPF_LD | BPF_MEM, 3),
					     STMT(BPF_ALU | BPF_ADD | BPF_K, 1),
					     STMT(BPF_ST, 3),
					     STMT(BPF_MISC | BPF_TAX, 0),
					     LDB(14),
					     JUMP(BPF_JMP | BPF_JEQ | BPF_X, 0, 2, 0),
					     STMT(BPF_LDX | BPF_IMM, 0),
					     STMT(BPF_JMP | BPF_JA, -8),
					     STMT(BPF_MISC | BPF_TXA, 0),
					     RETURN_A};
	/* Where it jumps back, X alone is another than the last time. */
	const struct sock_filter counts_in_x[] = {STMT(BPF_MISC | BPF_TXA, 0),
						  STMT(BPF_ALU | BPF_ADD | BPF_K, 1),
						  STMT(BPF_MISC | BPF_TAX, 0),
						  LDB(14),
						  JUMP(BPF_JMP | BPF_JEQ | BPF_X, 0, 1, 0),
						  STMT(BPF_JMP | BPF_JA, -6),
						  STMT(BPF_MISC | BPF_TXA, 0),
						  RETURN_A};
	/* The last jump backward is of no round: from there no other is to be had. */
	const struct sock_filter there_and_back[] = {STMT(BPF_JMP | BPF_JA, 2),
						     STMT(BPF_JMP | BPF_JA, 2),
						     STMT(BPF_RET | BPF_K, 5),
						     STMT(BPF_JMP | BPF_JA, -3),
						     STMT(BPF_JMP | BPF_JA, -3),
						     REJECT};

	for (unsigned n = 0; n < 2 * FILTER_TURNS; n++) {
		fill(60);
		frame.data[14] = (uint8_t)n;
		run_insns("a jump to itself", to_itself, LENGTH(to_itself));
		if (n) { /* else it counts for long */
			run_insns("a loop that counts", counts, LENGTH(counts));
			run_insns("a loop that counts in X", counts_in_x, LENGTH(counts_in_x));
		}
		run_insns("there and back", there_and_back, LENGTH(there_and_back));
	}
}

/* An authentication header of libpcap's says where the next one is, in words. */
static void put_header(unsigned at, unsigned next)
{
	frame.data[14 + 4 * at] = AUTHENTICATION;
	frame.data[14 + 4 * at + 1] = (uint8_t)(next - 2);
}

static void expect_run(const char *name, const struct program *p, uint32_t expected)
{
	uint32_t got = filter_run(p->f, frame.data, frame.len, frame.len);

	check(got == expected, "%s: %#x, not %#x", name, got, expected);
	run_insns(name, p->f, p->n);
}

/* bpf_filter() would go round for ever. */
void rounds_without_end_end(void)
{
	struct program p;

	check(program_compile(&p, "ip protochain 6", true), "protochain compiles");
	for (unsigned round = 1; round <= 20; round++) {
		for (unsigned before = 0; before <= 20; before += 1 + before / 4) {
			fill(300);
			frame.data[14] = 0x45;
			frame.data[23] = AUTHENTICATION;
			for (unsigned i = 0; i < before + round; i++)
				put_header(5 + i, 6 + i);
			put_header(5 + before + round - 1, 5 + before);
			expect_run("authentication for ever", &p, 0);
			frame.data[14 + 4 * (5 + before + round - 1)] = 6;
			expect_run("authentication, and TCP", &p, 262144);
		}
	}
	free(p.f);
}

/* Each round has as many instructions, and so has what could be made of them. */
void long_loops_are_left(void)
{
	struct filter_options options = variant_options(&variants[0], 0);
	unsigned n = FILTER_MAX_INSNS / 2;
	struct sock_filter *f = calloc(n, sizeof(*f));
	struct filter_code code;
	char why[100] = "";

	for (unsigned i = 0; i < n - 3; i++)
		f[i] = (struct sock_filter)STMT(BPF_MISC | BPF_TAX, 0);
	f[n - 3] = (struct sock_filter)JUMP(BPF_JMP | BPF_JEQ | BPF_K, 1, 1, 0);
	f[n - 2] = (struct sock_filter)STMT(BPF_JMP | BPF_JA, 1 - n);
	f[n - 1] = (struct sock_filter)ACCEPT;
	check(filter_translate(f, n, &options, &code, why, sizeof(why)) == -EOPNOTSUPP &&
		      strstr(why, "backward jump in a long program"),
	      "a loop of %u instructions is not unrolled: %s", n, why);
	free(f);
}
