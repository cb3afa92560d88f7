/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Vectors for bugs that somebody seeded and no test noticed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/bpf.h>

#include "instructions.h"
#include "vectors.h"

enum { BIG = 66000 };

static void put_word(uint32_t at, uint32_t value)
{
	for (unsigned i = 0; i < 4; i++)
		frame.data[at + i] = (uint8_t)(value >> (24 - 8 * i));
}

/* The sign stays where it is. */
void shifts_are_logical(void)
{
	for (uint32_t by = 1; by < 32; by += 6) {
		const struct sock_filter loaded[] = {LDW(16), STMT(BPF_ALU | BPF_RSH | BPF_K, by),
						     RETURN_A};
		const struct sock_filter known[] = {STMT(BPF_LD | BPF_IMM, 0x80000001),
						    STMT(BPF_ALU | BPF_RSH | BPF_K, by), RETURN_A};
		const struct sock_filter by_x[] = {LDB(20), STMT(BPF_MISC | BPF_TAX, 0), LDW(16),
						   STMT(BPF_ALU | BPF_RSH | BPF_X, 0), RETURN_A};

		fill(60);
		put_word(16, 0xfedcba98);
		frame.data[20] = (uint8_t)by;
		run_insns("a constant shift right", loaded, LENGTH(loaded));
		run_insns("a shift right of a constant", known, LENGTH(known));
		run_insns("a shift right by X", by_x, LENGTH(by_x));
	}
}

/*
 * The first field has what its second group of tests asks for; before that stand the tests of
 * another field, which under XDP may be behind the last byte that there is.
 */
void chains_end_at_65535(void)
{
	enum { GROUP = 8, APART = 40 };
	struct sock_filter f[3 * (GROUP + 1) + 4] = {LDW(20), STMT(BPF_MISC | BPF_TAX, 0)};
	unsigned n = 2;

	for (unsigned g = 0; g < 3; g++) {
		f[n++] = (struct sock_filter)STMT(BPF_LD | BPF_B | BPF_IND, g == 1 ? APART : 0);
		for (unsigned i = 0; i < GROUP; i++, n++)
			f[n] = (struct sock_filter)JUMP(BPF_JMP | BPF_JEQ | BPF_K, 10 * g + i,
							LENGTH(f) - 2 - n, 0);
	}
	f[n++] = (struct sock_filter)REJECT;
	f[n] = (struct sock_filter)ACCEPT;
	for (uint32_t x = 65490; x <= 65500; x++) {
		fill(BIG);
		put_word(20, x);
		frame.data[x] = 22;
		frame.data[x + APART] = 99;
		run_insns("a chain behind byte 65535", f, LENGTH(f));
	}
}

/* A header's length is 60 at most, and that is not always little enough. */
void header_lengths_count(void)
{
	static const uint32_t at[] = {65400, 65474, 65475, 65476, 65490, 65505, 65520, 65534};

	for (unsigned i = 0; i < LENGTH(at); i++) {
		const struct sock_filter f[] = {STMT(BPF_LDX | BPF_B | BPF_MSH, 14),
						STMT(BPF_LD | BPF_B | BPF_IND, at[i]), RETURN_A};

		for (uint32_t length = 0; length <= 15; length += 5) {
			fill(BIG);
			frame.data[14] = (uint8_t)(0x40 | length);
			run_insns("far behind a header", f, LENGTH(f));
		}
	}
}

/* X was little enough for the first load, and is not for the second. */
void bounds_of_x_are_asked_again(void)
{
	const struct sock_filter f[] = {LDW(20), STMT(BPF_MISC | BPF_TAX, 0),
					STMT(BPF_LD | BPF_B | BPF_IND, 2),
					STMT(BPF_LD | BPF_B | BPF_IND, 100), RETURN_A};

	for (uint32_t x = 65430; x <= 65534; x += 4) {
		fill(BIG);
		put_word(20, x);
		run_insns("two loads from X", f, LENGTH(f));
	}
}

static uint32_t run_code(const struct filter_code *code)
{
	struct machine m = {.ctx = FILTER_XDP,
			    .stack_top = STACK_TOP,
			    .data = frame.data,
			    .len = frame.len,
			    .linear = frame.len};
	uint32_t got = 0;
	const char *error = machine_run(&m, code->insns, code->len, &got);

	check(!error, "comparisons behind 5000 branches: %s", error ? error : "");
	return got;
}

/* From so many branches on each is written as its opposite: with the right results? */
void opposites_hold(void)
{
	enum { BRANCHES = 5100 };
	static const uint32_t value[] =
		{0, 49, 50, 51, 99, 100, 101, 149, 150, 151, 200, 201, UINT32_MAX - BRANCHES};
	static const struct sock_filter questions[] = {
		JUMP(BPF_JMP | BPF_JGE | BPF_K, 100, 0, 6),
		JUMP(BPF_JMP | BPF_JEQ | BPF_K, 150, 0, 1),
		STMT(BPF_RET | BPF_K, 1),
		JUMP(BPF_JMP | BPF_JGT | BPF_K, 200, 1, 0),
		JUMP(BPF_JMP | BPF_JGE | BPF_K, 101, 1, 4),
		STMT(BPF_RET | BPF_K, 2),
		STMT(BPF_RET | BPF_K, 3),
		JUMP(BPF_JMP | BPF_JEQ | BPF_K, 50, 2, 0),
		JUMP(BPF_JMP | BPF_JGT | BPF_K, 50, 2, 0),
		STMT(BPF_RET | BPF_K, 4),
		STMT(BPF_RET | BPF_K, 5),
		STMT(BPF_RET | BPF_K, 6),
	};
	struct filter_options options = variant_options(&variants[0], 0);
	struct sock_filter *f = calloc(2 * BRANCHES + 1 + LENGTH(questions), sizeof(*f));
	struct filter_code code;
	unsigned n = 1;

	f[0] = (struct sock_filter)LDW(20);
	for (unsigned i = 0; i < BRANCHES; i++) {
		f[n++] = (struct sock_filter)JUMP(BPF_JMP | BPF_JGT | BPF_K, UINT32_MAX - 1 - i, 0,
						  1);
		f[n++] = (struct sock_filter)STMT(BPF_RET | BPF_K, 7);
	}
	memcpy(f + n, questions, sizeof(questions));
	n += LENGTH(questions);
	check(!filter_translate(f, n, &options, &code, NULL, 0), "5100 branches are translated");
	for (unsigned i = 0; i < LENGTH(value) && code.insns; i++) {
		uint32_t expected, got;

		fill(60);
		put_word(20, value[i]);
		expected = libpcap_filter(f, frame.data, frame.len, frame.len);
		got = run_code(&code);
		check(got == expected, "%u behind 5000 branches: got %u, expected %u", value[i],
		      got, expected);
	}
	filter_code_free(&code);
	free(f);
}

/* Hosts, nets, ranges of ports, each with a return of its own. */
void separate_returns_are_searched(void)
{
	enum { TERMS = 60 };
	struct filter_options options = variant_options(&variants[0], 0);
	struct sock_filter f[4 * TERMS + 2] = {LDW(26)}, g[3 * TERMS + 2] = {LDH(36)};
	struct filter_code code;
	unsigned n = 1, m = 1;

	for (unsigned i = 0; i < TERMS; i++) {
		f[n++] = (struct sock_filter)LDW(26);
		f[n++] = (struct sock_filter)STMT(BPF_ALU | BPF_AND | BPF_K, 0xffffff00);
		f[n++] = (struct sock_filter)JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x0a000000 + (i << 8),
						  0, 1);
		f[n++] = (struct sock_filter)ACCEPT;
		g[m++] = (struct sock_filter)JUMP(BPF_JMP | BPF_JGE | BPF_K, 50 * i, 0, 2);
		g[m++] = (struct sock_filter)JUMP(BPF_JMP | BPF_JGT | BPF_K, 50 * i + 9, 1, 0);
		g[m++] = (struct sock_filter)ACCEPT;
	}
	f[n++] = g[m++] = (struct sock_filter)REJECT;
	check(!filter_translate(f, n, &options, &code, NULL, 0) && code.chains == 1,
	      "nets with returns of their own make a chain, not %u", code.chains);
	filter_code_free(&code);
	check(!filter_translate(g, m, &options, &code, NULL, 0) && code.chains == 1,
	      "ranges with returns of their own make a list, not %u", code.chains);
	filter_code_free(&code);
	for (unsigned i = 0; i < TERMS; i += 7) {
		fill(60);
		put_word(26, 0x0a000000 + (i << 8) + 3);
		put_word(36, (50 * i + 5 + i % 3 * 20) << 16);
		run_insns("nets with returns of their own", f, n);
		run_insns("ranges with returns of their own", g, m);
	}
}

/* How often the verifier forgets a value on the way of the helper form (shape.c). */
static void expect_forgotten(const char *name, const struct sock_filter *f, unsigned n,
			     unsigned expected)
{
	enum { FORGETFUL = STACK_TOP - 20 };
	struct filter_options options = variant_options(&variants[5], 0);
	struct filter_code code;
	unsigned found = 0;

	options.never_tagged = true;
	check(!filter_translate(f, n, &options, &code, NULL, 0), "%s translates", name);
	for (unsigned i = 0; i < code.len; i++)
		found += code.insns[i].code == (BPF_STX | BPF_MEM | BPF_W) &&
			 code.insns[i].off == FORGETFUL;
	check(found == expected, "%s: forgotten %u times, not %u", name, found, expected);
	filter_code_free(&code);
}

/* Only some kernels tell when it should have forgotten, and never of all shapes. */
void verifier_forgets(void)
{
	const struct sock_filter bits[] = {LDB(14), JUMP(BPF_JMP | BPF_JGE | BPF_K, 5, 0, 1),
					   JUMP(BPF_JMP | BPF_JSET | BPF_K, 0xff, 1, 0), RETURN_A,
					   ACCEPT};
	const struct sock_filter interval[] = {LDB(14),
					       STMT(BPF_ALU | BPF_AND | BPF_K, 0x40),
					       JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0),
					       JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x40, 1, 0),
					       RETURN_A,
					       ACCEPT};
	const struct sock_filter flags[] = {LDB(14), JUMP(BPF_JMP | BPF_JSET | BPF_K, 5, 0, 1),
					    JUMP(BPF_JMP | BPF_JSET | BPF_K, 0xf0, 1, 0), RETURN_A,
					    ACCEPT};
	const struct sock_filter range[] = {LDB(14), JUMP(BPF_JMP | BPF_JGE | BPF_K, 5, 0, 1),
					    JUMP(BPF_JMP | BPF_JGT | BPF_K, 9, 1, 0), RETURN_A,
					    ACCEPT};

	expect_forgotten("bits behind an interval", bits, LENGTH(bits), 1);
	expect_forgotten("an interval behind bits", interval, LENGTH(interval), 1);
	expect_forgotten("bits alone", flags, LENGTH(flags), 0);
	expect_forgotten("an interval alone", range, LENGTH(range), 0);
}
