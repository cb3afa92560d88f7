/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Vectors of chains of nets and ranges: searches of bounds, a field each. */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/bpf.h>

#include "instructions.h"
#include "vectors.h"

enum { SOURCE = 26, DESTINATION = 30, SOURCE_PORT = 34, PORT = 36 };

static void expect_chains(const char *name, const struct sock_filter *f, unsigned n,
			  unsigned expected)
{
	struct filter_options options = variant_options(&variants[0], 0);
	struct filter_code code;

	check(!filter_translate(f, n, &options, &code, NULL, 0), "%s translates", name);
	check(code.chains == expected, "%s: %u chains, not %u", name, code.chains, expected);
	filter_code_free(&code);
}

static void put(uint32_t at, uint32_t value, unsigned size)
{
	value = htonl(value << (8 * (4 - size)));
	memcpy(frame.data + at, &value, size);
}

/* Around both ends of what a mask and a value, or two bounds, let through. */
static void run_around(const char *name, const struct sock_filter *f, unsigned n, uint32_t at,
		       unsigned size, uint32_t from, uint32_t to)
{
	for (unsigned i = 0; i < 6; i++) {
		put(at, (i < 3 ? from : to) + i % 3 - 1, size);
		run_insns(name, f, n);
	}
}

/*
 * Of both addresses in turn. Some nets lie in others, some have bits where their masks have none;
 * some masks are of no net.
 */
static const struct {
	uint32_t value, mask;
} net[] = {
	{0x0a000000, 0xff000000}, {0x0a010000, 0xffff0000}, {0xc0a80100, 0xffffff00},
	{0xc0a80200, 0xffffff00}, {0xc0a80300, 0xffffff80}, {0x0b000001, 0xff000000},
	{0xac100000, 0xfff00000}, {0xcb007101, 0xffffffff}, {0xcb007102, 0xffffffff},
	{0xe0000000, 0xf0000000}, {0x80000000, 0xffffffff}, {0x7ffffffe, 0xfffffffe},
	{0x00000000, 0xffffffff}, {0x14000014, 0xff0000ff}, {0x14000015, 0xff0000ff},
	{0x14000016, 0xff0000ff}, {0x14000017, 0xff0000ff}, {0x14000018, 0xff0000ff},
	{0x1e000000, 0xfe000000}, {0x28000000, 0xfffff000}, {0x28001000, 0xfffff000},
};
enum { NETS = LENGTH(net) };

void nets_of_any_length(void)
{
	enum { HIT = 3 * 2 * NETS, MISS = HIT + 1 };
	struct sock_filter f[MISS + 2];
	static const struct sock_filter end[][3] = {
		{ACCEPT, REJECT, REJECT},
		{ACCEPT, STMT(BPF_ALU | BPF_XOR | BPF_K, 9), RETURN_A},
		{REJECT, STMT(BPF_ALU | BPF_ADD | BPF_K, 9), RETURN_A},
	};

	for (unsigned i = 0; i < 2 * NETS; i++) {
		unsigned at = 3 * i, k = i / 2;

		f[at] = (struct sock_filter)LDW(i % 2 ? SOURCE : DESTINATION);
		f[at + 1] = (struct sock_filter)STMT(BPF_ALU | BPF_AND | BPF_K, net[k].mask);
		f[at + 2] = (struct sock_filter)JUMP(BPF_JMP | BPF_JEQ | BPF_K, net[k].value,
						     HIT - at - 3, 0);
		if (i + 1 == 2 * NETS)
			f[at + 2].jf = MISS - at - 3;
	}
	for (unsigned e = 0; e < LENGTH(end); e++) {
		memcpy(f + HIT, end[e], sizeof(end[e]));
		expect_chains("nets", f, LENGTH(f), 1);
		for (unsigned i = 0; i < NETS; i++) {
			uint32_t value = net[i].value;

			fill(60);
			run_around("nets, sources", f, LENGTH(f), SOURCE, 4, value,
				   value | ~net[i].mask);
			fill(60);
			run_around("nets, destinations", f, LENGTH(f), DESTINATION, 4, value,
				   value | ~net[i].mask);
		}
		for (uint32_t len = 25; len <= 34; len++) {
			fill(len);
			run_insns("nets, and short frames", f, LENGTH(f));
		}
	}
}

/* Empty, of one port, upside down, and beyond what a port can be. */
static const uint32_t range[][2] = {
	{20, 21},	   {1000, 1999},       {80, 80}, {300, 200}, {1999, 2002},     {5000, 5000},
	{0xfff0, 0x1000f}, {0x10005, 0x10009}, {0, 3},	 {443, 443}, {0x8000, 0x80ff}, {6000, 6063},
};
enum { RANGES = LENGTH(range) };

static unsigned put_ranges(struct sock_filter *f, unsigned field[2], unsigned size, unsigned hit,
			   unsigned miss)
{
	unsigned n = 0;

	for (unsigned i = 0; i < 2 * RANGES; i++, n += 3) {
		unsigned past = (i + 1 < 2 * RANGES ? n + 3 : miss) - n;
		const uint32_t *r = range[i / 2];

		f[n] = (struct sock_filter)STMT(BPF_LD | BPF_ABS | size, field[i % 2]);
		f[n + 1] = (struct sock_filter)JUMP(BPF_JMP | BPF_JGE | BPF_K, r[0], 0, past - 2);
		f[n + 2] = (struct sock_filter)JUMP(BPF_JMP | BPF_JGT | BPF_K, r[1], past - 3,
						    hit - n - 3);
	}
	return n;
}

static void run_ranges(const char *name, const struct sock_filter *f, unsigned n)
{
	for (unsigned i = 0; i < RANGES; i++) {
		fill(60);
		put(SOURCE_PORT, 50, 2);
		put(PORT, 51, 2);
		run_around(name, f, n, SOURCE_PORT, 2, range[i][0] & 0xffff, range[i][1] & 0xffff);
		put(SOURCE_PORT, 50, 2);
		run_around(name, f, n, PORT, 2, range[i][0] & 0xffff, range[i][1] & 0xffff);
	}
}

void ranges_of_two_fields(void)
{
	enum { HIT = 3 * 2 * RANGES, MISS = HIT + 2, ODD = 3 * 22 };
	struct sock_filter f[MISS + 2];
	unsigned ports[] = {SOURCE_PORT, PORT};

	f[HIT] = f[HIT + 1] = (struct sock_filter)ACCEPT;
	f[MISS] = (struct sock_filter)STMT(BPF_ALU | BPF_ADD | BPF_K, 5);
	f[MISS + 1] = (struct sock_filter)RETURN_A;
	put_ranges(f, ports, BPF_H, HIT, MISS);
	expect_chains("ranges of two fields", f, LENGTH(f), 1);
	run_ranges("ranges of two fields", f, LENGTH(f));
	put_ranges(f, ports, BPF_B, HIT, MISS);
	run_ranges("ranges of two bytes", f, LENGTH(f));
	/* Neither of these is a range, and the chain ends before it. */
	put_ranges(f, ports, BPF_H, HIT, MISS);
	f[ODD + 2].jt = MISS + 1 - ODD - 3;
	run_ranges("a range with two misses", f, LENGTH(f));
	put_ranges(f, ports, BPF_H, HIT, MISS);
	f[ODD + 2].code = BPF_JMP | BPF_JGE | BPF_K;
	run_ranges("a range without its last", f, LENGTH(f));
	put_ranges(f, ports, BPF_H, HIT, MISS);
	f[ODD + 2].jf = MISS + 1 - ODD - 3;
	run_ranges("a range with another target", f, LENGTH(f));
}

/* What is left behind the mask is compared with bounds: that is no range of the field's. */
void ranges_of_masked_values(void)
{
	enum { TERMS = 20, HIT = 2 + 2 * TERMS, MISS = HIT + 1 };
	struct sock_filter f[MISS + 1] = {LDH(PORT), STMT(BPF_ALU | BPF_AND | BPF_K, 0xff00)};
	unsigned n = 2;

	for (unsigned i = 0; i < TERMS; i++, n += 2) {
		unsigned past = (i + 1 < TERMS ? n + 2 : MISS) - n;

		f[n] = (struct sock_filter)JUMP(BPF_JMP | BPF_JGE | BPF_K, 300 * i, 0, past - 1);
		f[n + 1] = (struct sock_filter)JUMP(BPF_JMP | BPF_JGT | BPF_K, 300 * i + 150,
						    past - 2, HIT - n - 2);
	}
	f[HIT] = (struct sock_filter)ACCEPT;
	f[MISS] = (struct sock_filter)RETURN_A;
	for (unsigned port = 0; port < 0x10000; port += 101) {
		fill(60);
		put(PORT, port, 2);
		run_insns("ranges of a masked value", f, LENGTH(f));
	}
}

/* As libpcap compiles them, with its optimiser and without. */
void nets_and_ranges_are_searched(void)
{
	static const char *const term[] = {"net 10.%u.0.0/%u", "portrange %u-10%u"};
	char text[4000];

	for (unsigned kind = 0; kind < LENGTH(term); kind++) {
		for (int optimise = 0; optimise < 2; optimise++) {
			struct filter_options options = variant_options(&variants[0], 0);
			struct filter_code code;
			struct program p;

			text[0] = 0;
			for (unsigned i = 0; i < 30; i++) {
				if (i)
					strcat(text, " or ");
				snprintf(text + strlen(text), sizeof(text) - strlen(text),
					 term[kind], 8 * i, 16 + i % 8);
			}
			check(program_compile(&p, text, optimise), "compiles");
			check(!filter_translate(p.f, p.n, &options, &code, NULL, 0) &&
				      (code.chains >= 2 || (kind && program_asks_again())),
			      "%s: %u chains", p.name, code.chains);
			filter_code_free(&code);
			free(p.f);
		}
	}
}
