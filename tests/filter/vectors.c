/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Unit tests without privilege: the vectors that broke earlier attempts, each by its name, on every
 * level.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/bpf.h>
#include <linux/if_packet.h>

#include "instructions.h"
#include "vectors.h"

enum { LARGE = 2000 }; /* frames for which fewer places have to do */

struct frame frame;
static struct frame memory;

void fill(uint32_t len)
{
	for (uint32_t i = 0; i < len; i++)
		frame.data[i] = (uint8_t)(i * 7 + 3);
	frame.data[12] = 0x08;
	frame.data[13] = 0x00;
	frame.len = len;
}

/* One frame through one form; several places for the end of the linear part. */
static void run_form(const char *name, const struct variant *v, const struct filter_code *code,
		     uint32_t expected)
{
	static const uint32_t linear[] = {UINT32_MAX, 0, 1, 12, 13, 14, 15, 16, 20, 33, 54};
	unsigned places = frame.len > LARGE ? 2 : LENGTH(linear);

	for (unsigned i = 0; i < places; i++) {
		struct machine m = {.ctx = v->ctx,
				    .tagged = v->tagged,
				    .tag_slot = TAG_SLOT,
				    .stack_top = STACK_TOP,
				    .ifindex = IFINDEX,
				    .queue = QUEUE};
		const struct frame *in = &frame;
		uint32_t got = 0;
		const char *error;

		if (v->tagged) {
			if (!frame_extract_tag(&memory, &frame, &m.tpid, &m.tci))
				return;
			in = &memory;
		}
		m.data = in->data;
		m.len = in->len;
		m.linear = linear[i] < in->len ? linear[i] : in->len;
		error = machine_run(&m, code->insns, code->len, &got);
		check(!error && got == expected,
		      "%s, %s: %s, got %#x, expected %#x, linear %u of %u", name, v->name,
		      error ? error : "mismatch", got, expected, m.linear, m.len);
	}
}

/* The frame through every level; the expected value is bpf_filter()'s. */
static void run(const char *name, const struct program *p)
{
	const struct translated *t;

	if (filter_validate(p->f, p->n, NULL, 0)) {
		check(false, "%s: the test's program is invalid", name);
		return;
	}
	t = variants_translated(name, p);
	for (unsigned i = 0; i < VARIANTS; i++) {
		const struct variant *v = &variants[i];
		struct verdict expected = variant_expect(v, &t->lowered, &frame);

		check(variant_libpcap_agrees(v, &t->lowered, &frame, &expected),
		      "%s: the oracles disagree", name);
		for (unsigned level = 0; level < LEVELS; level++)
			if (t->code[i][level].insns)
				run_form(name, v, &t->code[i][level], expected.unrolled);
	}
}

void run_insns(const char *name, const struct sock_filter *f, unsigned n)
{
	struct program p = {.f = (struct sock_filter *)f, .n = n};

	run(name, &p);
}

static void run_lengths(const char *name, const struct sock_filter *f, unsigned n, uint32_t from,
			uint32_t to)
{
	for (uint32_t len = from; len <= to; len++) {
		fill(len);
		run_insns(name, f, n);
	}
}

static void run_expression(const char *name, const char *text)
{
	for (int optimise = 0; optimise < 2; optimise++) {
		struct program p;

		check(program_compile(&p, text, optimise), "%s: libpcap does not take %s", name,
		      text);
		if (p.f)
			run(name, &p);
		free(p.f);
	}
}

static void a_live_behind_a_chain(void)
{
	struct sock_filter f[24] = {LDH(12)};

	for (unsigned i = 1; i <= 20; i++)
		f[i] = (struct sock_filter)JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x1000 + i, 21 - i, 0);
	f[21] = (struct sock_filter)RETURN_A;
	f[22] = (struct sock_filter)ACCEPT;
	run_lengths("A live behind a chain", f, 23, 12, 15);
	fill(40);
	frame.data[12] = 0x10;
	frame.data[13] = 5;
	run_insns("A live behind a chain, hit", f, 23);
	f[22] = (struct sock_filter)RETURN_A;
	run_insns("A live behind a hit", f, 23);
}

/* What follows the chain compares the masked field once more, with another target. */
static void masked_a_behind_a_chain(void)
{
	struct sock_filter f[27] = {LDB(18), LDH(12), STMT(BPF_ALU | BPF_AND | BPF_K, 0xff0)};

	for (unsigned i = 3; i <= 22; i++)
		f[i] = (struct sock_filter)JUMP(BPF_JMP | BPF_JEQ | BPF_K, i << 4, 25 - i, 0);
	f[23] = (struct sock_filter)JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x800, 0, 1);
	f[24] = (struct sock_filter)STMT(BPF_RET | BPF_K, 5);
	f[25] = (struct sock_filter)STMT(BPF_RET | BPF_K, 6);
	f[26] = (struct sock_filter)ACCEPT;
	for (unsigned value = 0; value < 0x1000; value += 8) {
		fill(20);
		frame.data[12] = (uint8_t)(value >> 8);
		frame.data[13] = (uint8_t)value;
		run_insns("masked A behind a chain", f, 27);
	}
}

static void wide_constant_in_a_chain(void)
{
	struct sock_filter f[23] = {LDH(12)};

	for (unsigned i = 1; i <= 20; i++)
		f[i] = (struct sock_filter)JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x107f0 + i, 21 - i, 0);
	f[21] = (struct sock_filter)REJECT;
	f[22] = (struct sock_filter)ACCEPT;
	run_lengths("constant wider than the load in a chain", f, 23, 20, 20);
}

static void short_ip4_in_a_host_list(void)
{
	char text[4000];

	expression_hosts(text, sizeof(text), 40);
	for (uint32_t len = 30; len <= 34; len++) {
		fill(len);
		memcpy(frame.data + 26, "\x0a\x00\x00\x05", 4);
		run_expression("30-33 byte IPv4 in a host list", text);
	}
}

static void indexed_load_does_not_wrap(void)
{
	const struct sock_filter f[] = {STMT(BPF_LDX | BPF_IMM, 0xfffffff0),
					STMT(BPF_LD | BPF_B | BPF_IND, 0x14), ACCEPT};

	run_lengths("X + k does not wrap", f, LENGTH(f), 60, 61);
}

static void constant_wider_than_the_load(void)
{
	const struct sock_filter f[] = {LDH(12), JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x10800, 0, 1),
					ACCEPT, STMT(BPF_RET | BPF_K, 7)};
	const struct sock_filter bits[] = {LDH(12),
					   JUMP(BPF_JMP | BPF_JSET | BPF_K, 0xffff0000, 0, 1),
					   ACCEPT, STMT(BPF_RET | BPF_K, 7)};

	run_lengths("JEQ constant wider than the load", f, LENGTH(f), 60, 60);
	run_lengths("JSET constant wider than the load", bits, LENGTH(bits), 60, 60);
}

static void dead_load_rejects(void)
{
	const struct sock_filter load[] = {LDW(60), STMT(BPF_LD | BPF_IMM, 1), ACCEPT};
	const struct sock_filter division[] = {STMT(BPF_LDX | BPF_IMM, 0),
					       STMT(BPF_LD | BPF_IMM, 9),
					       STMT(BPF_ALU | BPF_DIV | BPF_X, 0),
					       STMT(BPF_LD | BPF_IMM, 1), ACCEPT};
	const struct sock_filter modulo[] = {STMT(BPF_LDX | BPF_B | BPF_MSH, 20), LDB(0),
					     STMT(BPF_ALU | BPF_MOD | BPF_X, 0),
					     STMT(BPF_LD | BPF_IMM, 1), ACCEPT};

	run_lengths("dead load past the end", load, LENGTH(load), 61, 66);
	run_lengths("dead division by X = 0", division, LENGTH(division), 60, 60);
	fill(60);
	frame.data[20] = 0xf0;
	run_insns("dead modulo by X = 0", modulo, LENGTH(modulo));
}

static void shifts(void)
{
	for (uint32_t by = 31; by <= 33; by++) {
		const struct sock_filter left[] = {LDW(0), STMT(BPF_LDX | BPF_IMM, by),
						   STMT(BPF_ALU | BPF_LSH | BPF_X, 0), RETURN_A};
		const struct sock_filter right[] = {LDB(14), STMT(BPF_MISC | BPF_TAX, 0), LDW(0),
						    STMT(BPF_ALU | BPF_RSH | BPF_X, 0), RETURN_A};
		const struct sock_filter constant[] = {LDW(0), STMT(BPF_ALU | BPF_LSH | BPF_K, 31),
						       RETURN_A};

		run_lengths("shift left by X", left, LENGTH(left), 60, 60);
		frame.data[14] = (uint8_t)by;
		run_insns("shift right by X", right, LENGTH(right));
		run_insns("shift by 31", constant, LENGTH(constant));
	}
}

static void far_offsets(void)
{
	static const uint32_t far[] = {0x7ffe,	0x7fff,	    0x8000,    0x8003, 0xfffb,
				       0xfffc,	0xfffd,	    0xfffe,    0xffff, 0x10000,
				       0x10003, 0x7fffffff, 0x80000000};

	for (unsigned i = 0; i < LENGTH(far); i++) {
		const struct sock_filter byte[] = {LDB(far[i]), RETURN_A};
		const struct sock_filter word[] = {LDW(far[i]), RETURN_A};
		const struct sock_filter indexed[] = {STMT(BPF_LDX | BPF_IMM, far[i]),
						      STMT(BPF_LD | BPF_H | BPF_IND, 2), RETURN_A};
		const struct sock_filter loaded[] = {LDW(20), STMT(BPF_MISC | BPF_TAX, 0),
						     STMT(BPF_LD | BPF_B | BPF_IND, 1), RETURN_A};

		for (uint32_t len = 0x7fff; len <= 0x10004; len += len == 0x8006 ? 0x7ff4 : 1) {
			fill(len);
			frame.data[20] = (uint8_t)(far[i] >> 24);
			frame.data[21] = (uint8_t)(far[i] >> 16);
			frame.data[22] = (uint8_t)(far[i] >> 8);
			frame.data[23] = (uint8_t)far[i];
			run_insns("far byte", byte, LENGTH(byte));
			run_insns("far word", word, LENGTH(word));
			run_insns("far indexed", indexed, LENGTH(indexed));
			run_insns("far loaded index", loaded, LENGTH(loaded));
		}
	}
}

static void linked_registers(void)
{
	const struct sock_filter f[] = {LDB(14),
					STMT(BPF_MISC | BPF_TAX, 0),
					STMT(BPF_ALU | BPF_ADD | BPF_K, 0x10),
					JUMP(BPF_JMP | BPF_JSET | BPF_K, 0x20, 0, 1),
					STMT(BPF_LD | BPF_B | BPF_IND, 4),
					STMT(BPF_LD | BPF_H | BPF_IND, 2),
					RETURN_A};

	fill(60);
	for (unsigned i = 0; i < 256; i += 5) {
		frame.data[14] = (uint8_t)i;
		run_insns("tax; add; jset; ld [x+k]", f, LENGTH(f));
	}
}

static void lengths(void)
{
	for (uint32_t len = 98; len <= 104; len++) {
		fill(len);
		run_expression("less with a short linear part", "less 100");
		run_expression("greater with a short linear part", "greater 102");
		run_expression("ether[len - 20]", "ether[len - 20] > 100");
	}
}

static void across_fragments(void)
{
	const struct sock_filter f[] = {LDW(18), STMT(BPF_MISC | BPF_TAX, 0), LDW(30),
					STMT(BPF_ALU | BPF_XOR | BPF_X, 0), RETURN_A};

	run_lengths("load across the frag boundary", f, LENGTH(f), 33, 35);
}

static void negative_offset(void)
{
	fill(80);
	frame.data[14] = 0x45;
	frame.data[20] = frame.data[21] = 0;
	frame.data[23] = 6;
	run_expression("tcp[0 - 20]", "tcp[0 - 20] > 1");
}

static void memory_read_before_written(void)
{
	const struct sock_filter f[] = {STMT(BPF_LD | BPF_MEM, 5),
					STMT(BPF_LDX | BPF_MEM, 15),
					STMT(BPF_ALU | BPF_OR | BPF_X, 0),
					JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1),
					STMT(BPF_RET | BPF_K, 3),
					REJECT};

	run_lengths("M[] read before written", f, LENGTH(f), 60, 60);
}

static void returned_values(void)
{
	static const uint32_t value[] = {0, 1, 60, 0x7fffffff, 0x80000000, 0xffffffff};

	fill(60);
	for (unsigned i = 0; i < LENGTH(value); i++) {
		const struct sock_filter a[] = {STMT(BPF_LD | BPF_IMM, value[i]), RETURN_A};
		const struct sock_filter k[] = {STMT(BPF_RET | BPF_K, value[i])};
		const struct sock_filter loaded[] = {LDW(16), RETURN_A};

		for (unsigned b = 0; b < 4; b++)
			frame.data[16 + b] = (uint8_t)(value[i] >> (24 - 8 * b));
		run_insns("ret A", a, LENGTH(a));
		run_insns("ret K", k, LENGTH(k));
		run_insns("ret A as loaded", loaded, LENGTH(loaded));
	}
}

static void encapsulations(void)
{
	static const char *const text[] = {"vlan and vlan and ip",
					   "vlan 5 and vlan 9",
					   "mpls 1000",
					   "mpls and mpls and host 10.0.0.1",
					   "pppoes and ip",
					   "pppoes 1 and tcp port 80",
					   "geneve and ip",
					   "vlan and host 10.0.0.1",
					   "not vlan"};
	static const uint8_t head[] = {0x81, 0x00, 0x00, 0x05, 0x81, 0x00, 0x00, 0x09, 0x08, 0x00};
	static const uint16_t type[] = {0x0800, 0x8100, 0x88a8, 0x9100, 0x8847, 0x8864, 0x86dd};

	for (unsigned i = 0; i < LENGTH(text); i++) {
		for (unsigned k = 0; k < LENGTH(type); k++) {
			fill(100);
			memcpy(frame.data + 12, head, sizeof(head));
			frame.data[12] = (uint8_t)(type[k] >> 8);
			frame.data[13] = (uint8_t)type[k];
			run_expression(text[i], text[i]);
		}
	}
}

/* All loads that touch the tag, from every side. */
static void around_the_tag(void)
{
	static const uint16_t size[] = {BPF_B, BPF_H, BPF_W};

	for (unsigned s = 0; s < LENGTH(size); s++) {
		for (uint32_t at = 6; at < 20; at++) {
			const struct sock_filter direct[] = {STMT(BPF_LD | BPF_ABS | size[s], at),
							     RETURN_A};
			const struct sock_filter indexed[] = {LDB(0), STMT(BPF_MISC | BPF_TAX, 0),
							      STMT(BPF_LD | BPF_IND | size[s], 4),
							      RETURN_A};
			const struct sock_filter nibble[] = {STMT(BPF_LDX | BPF_B | BPF_MSH, at),
							     LDB(1),
							     STMT(BPF_ALU | BPF_ADD | BPF_X, 0),
							     RETURN_A};

			for (uint32_t len = 18; len <= 24; len += 3) {
				fill(len);
				frame.data[0] = (uint8_t)(at - 4);
				run_insns("load at the tag", direct, LENGTH(direct));
				run_insns("indexed load at the tag", indexed, LENGTH(indexed));
				run_insns("header length at the tag", nibble, LENGTH(nibble));
			}
		}
	}
}

/* libpcap jumps over islands where a distance exceeds 255. */
static void islands(void)
{
	static struct sock_filter f[1000];
	unsigned n = 0;

	f[n++] = (struct sock_filter)LDH(12);
	f[n++] = (struct sock_filter)JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x800, 1, 0);
	f[n++] = (struct sock_filter)STMT(BPF_JMP | BPF_JA, 300);
	f[n++] = (struct sock_filter)STMT(BPF_JMP | BPF_JA, 250);
	for (; n < 400; n++)
		f[n] = (struct sock_filter)STMT(BPF_ALU | BPF_ADD | BPF_K, n);
	f[n++] = (struct sock_filter)RETURN_A;
	run_lengths("islands past 255", f, n, 60, 60);
	frame.data[12] = 0x86;
	run_insns("islands past 255, other side", f, n);
}

static void many_branches(void)
{
	struct filter_options options = variant_options(&variants[0], 0);
	struct filter_code code;
	struct program p;

	program_branches(&p, 8193);
	fill(60);
	check(filter_translate(p.f, p.n, &options, &code, NULL, 0) == 0 && code.len <= INT16_MAX,
	      "8193 branches are taken");
	if (code.insns)
		run_form("8193 branches", &variants[0], &code, 0x40000);
	filter_code_free(&code);
	free(p.f);
}

/* `udp port a or udp port b ...`: libpcap shares the tests between IPv4 and IPv6. */
static void ports_make_chains(void)
{
	struct filter_options options = variant_options(&variants[0], 0);
	static char text[4000];
	struct filter_code code;
	struct program p;
	size_t len = 0;

	for (unsigned i = 0; i < 100; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%sudp port %u",
					i ? " or " : "", 2000 + 7 * i);
	check(program_compile(&p, text, true), "100 ports compile");
	check(!filter_translate(p.f, p.n, &options, &code, NULL, 0) && code.chains == 2,
	      "100 ports make 2 chains, not %u", code.chains);
	filter_code_free(&code);
	free(p.f);
}

static void chains_are_made(void)
{
	struct program p;
	struct filter_options options = variant_options(&variants[0], 0);
	struct filter_code with, without;
	static char text[4000];

	expression_hosts(text, sizeof(text), 100);
	check(program_compile(&p, text, true), "100 hosts compile");
	check(!filter_translate(p.f, p.n, &options, &with, NULL, 0) && with.chains == 2,
	      "100 hosts make 2 chains, not %u", with.chains);
	check(with.raw > 0, "loads stay in network order");
	options.disable = FILTER_NO_CHAINS | FILTER_NO_RAW;
	check(!filter_translate(p.f, p.n, &options, &without, NULL, 0) && !without.chains &&
		      !without.raw,
	      "optimisations can be switched off");
	filter_code_free(&with);
	filter_code_free(&without);
	free(p.f);
}

static void guards_are_hoisted(void)
{
	struct program p;
	struct filter_options options = variant_options(&variants[0], 0);
	struct filter_code code;

	check(program_compile(&p, "udp and ip", true), "compiles");
	check(!filter_translate(p.f, p.n, &options, &code, NULL, 0) && code.guards == 1,
	      "one guard does for all fixed loads, not %u", code.guards);
	filter_code_free(&code);
	free(p.f);
}

/* No call before the first return on the way of a frame that is linear. */
static void no_call_on_the_fast_path(void)
{
	struct program p;
	struct filter_options options = variant_options(&variants[0], 0);
	struct filter_code code;
	unsigned i = 0;

	check(program_compile(&p, "tcp port 80", true), "compiles");
	check(!filter_translate(p.f, p.n, &options, &code, NULL, 0), "translates");
	while (i < code.len && code.insns[i].code != (BPF_JMP | BPF_EXIT) &&
	       code.insns[i].code != (BPF_JMP | BPF_CALL))
		i++;
	check(i < code.len && code.insns[i].code == (BPF_JMP | BPF_EXIT),
	      "no call on the fast path");
	filter_code_free(&code);
	free(p.f);
}

static void one_ancillary(uint32_t what, uint32_t expected)
{
	const struct sock_filter f[] = {LDW(SKF_AD_OFF + what), RETURN_A};
	const struct sock_filter narrow[] = {LDB(SKF_AD_OFF + what), RETURN_A};

	for (unsigned i = 0; i < VARIANTS; i++) {
		struct filter_options options = variant_options(&variants[i], 0);
		struct filter_code code;

		options.direction = PACKET_OUTGOING;
		fill(60);
		check(!filter_translate(f, 2, &options, &code, NULL, 0), "ancillary load %u", what);
		run_form("ancillary load", &variants[i], &code, expected);
		filter_code_free(&code);
		check(!filter_translate(narrow, 2, &options, &code, NULL, 0), "narrow load");
		run_form("narrow ancillary load", &variants[i], &code, expected);
		filter_code_free(&code);
	}
}

static void ancillary_loads(void)
{
	const struct sock_filter exclusive[] = {LDB(20), STMT(BPF_MISC | BPF_TAX, 0), LDB(21),
						LDW(SKF_AD_OFF + SKF_AD_ALU_XOR_X), RETURN_A};
	const struct sock_filter unknown[] = {LDW(SKF_AD_OFF + 200), ACCEPT};

	one_ancillary(SKF_AD_PKTTYPE, PACKET_OUTGOING);
	one_ancillary(SKF_AD_IFINDEX, IFINDEX);
	one_ancillary(SKF_AD_QUEUE, QUEUE);
	one_ancillary(SKF_AD_VLAN_TAG, 0);
	one_ancillary(SKF_AD_VLAN_TAG_PRESENT, 0);
	one_ancillary(SKF_AD_MARK, 0);
	one_ancillary(SKF_AD_HATYPE, 1);
	run_lengths("XOR X", exclusive, LENGTH(exclusive), 60, 60);
	run_lengths("load beyond the ancillary ones", unknown, LENGTH(unknown), 60, 60);
}

static void run_types(const char *name, const struct sock_filter *f, unsigned n)
{
	static const uint16_t type[] = {0x0800, 0x0806, 0x86dd};

	for (unsigned i = 0; i < LENGTH(type); i++) {
		fill(60);
		frame.data[12] = (uint8_t)(type[i] >> 8);
		frame.data[13] = (uint8_t)type[i];
		run_insns(name, f, n);
	}
}

/* One of two values is known where both ways meet, but not which. */
static void one_of_two_values(void)
{
	const struct sock_filter f[] = {
		LDH(12),
		JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x800, 2, 0),
		JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x806, 1, 0),
		REJECT,
		LDB(20),
		LDH(12),
		JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x800, 0, 1),
		STMT(BPF_RET | BPF_K, 1),
		STMT(BPF_RET | BPF_K, 2),
	};

	run_types("one of two values", f, LENGTH(f));
}

/* The comparison is known to hold, but its A is looked at behind it; or not. */
static void known_but_its_a_is_live(void)
{
	const struct sock_filter live[] = {
		LDH(12), JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x800, 1, 0), REJECT,	 LDB(20),
		LDH(12), JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x800, 0, 1), RETURN_A, REJECT,
	};
	const struct sock_filter unasked[] = {LDB(20), LDW(60), ACCEPT};

	run_types("A of a known comparison", live, LENGTH(live));
	run_lengths("a load behind which nothing is asked", unasked, LENGTH(unasked), 61, 66);
}

/* A frame that fits the first field of a chain, but has not the second, and one that has, meet. */
static void hit_before_the_end(void)
{
	struct sock_filter f[28] = {LDH(12), JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x800, 1, 0),
				    STMT(BPF_RET | BPF_K, 7), LDW(26), [14] = LDW(30)};

	for (unsigned i = 0; i < 10; i++) {
		f[4 + i] = (struct sock_filter)JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x01010101 + i,
						    21 - i, 0);
		f[15 + i] = (struct sock_filter)JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x02020202 + i,
						     10 - i, 0);
	}
	f[25] = (struct sock_filter)STMT(BPF_RET | BPF_K, 6);
	f[26] = (struct sock_filter)LDB(40);
	f[27] = (struct sock_filter)RETURN_A;
	for (uint32_t len = 28; len <= 44; len++) {
		fill(len);
		run_insns("a chain's miss", f, LENGTH(f));
		memset(frame.data + 26, 1, 4);
		run_insns("a chain's first field", f, LENGTH(f));
		memset(frame.data + 30, 2, 4);
		run_insns("a chain's two fields", f, LENGTH(f));
		frame.data[26] = 0;
		run_insns("a chain's second field", f, LENGTH(f));
	}
}

int main(void)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} tests[] = {
		{"A live behind a chain", a_live_behind_a_chain},
		{"masked A behind a chain", masked_a_behind_a_chain},
		{"constant wider than the load in a chain", wide_constant_in_a_chain},
		{"30-33 byte IPv4 in a host list", short_ip4_in_a_host_list},
		{"X + k does not wrap", indexed_load_does_not_wrap},
		{"JEQ constant wider than the load", constant_wider_than_the_load},
		{"dead loads and divisions reject", dead_load_rejects},
		{"shifts by 31, 32, 33", shifts},
		{"offsets 0x7fff to 2^31", far_offsets},
		{"tax; add; jset; ld [x+k]", linked_registers},
		{"less and greater, linear < total", lengths},
		{"load across the frag boundary", across_fragments},
		{"tcp[0 - 20]", negative_offset},
		{"M[] read before written", memory_read_before_written},
		{"returned values", returned_values},
		{"QinQ, MPLS, PPPoE, Geneve", encapsulations},
		{"loads around the tag", around_the_tag},
		{"islands past 255", islands},
		{"8193 branches", many_branches},
		{"chains are made", chains_are_made},
		{"ports make chains", ports_make_chains},
		{"guards are hoisted", guards_are_hoisted},
		{"one of two values", one_of_two_values},
		{"A of a known comparison", known_but_its_a_is_live},
		{"hit before a chain's end", hit_before_the_end},
		{"what is held, and what is not", held_and_not},
		{"ranges are loaded once", ranges_are_loaded_once},
		{"80 bounds", many_bounds},
		{"lists of ranges", lists_of_ranges},
		{"almost a list of ranges", almost_a_list},
		{"ways into a list of ranges", ways_into_a_list},
		{"ports behind a range make chains", ports_behind_a_range_make_chains},
		{"protocols are asked once", protocols_are_asked_once},
		{"no call on the fast path", no_call_on_the_fast_path},
		{"ancillary loads", ancillary_loads},
		{"what the verifier forgets", verifier_forgets},
		{"shifts are logical", shifts_are_logical},
		{"chains end at 65535", chains_end_at_65535},
		{"header lengths count", header_lengths_count},
		{"X asked again", bounds_of_x_are_asked_again},
		{"opposites hold", opposites_hold},
		{"separate returns are searched", separate_returns_are_searched},
		{"nets of any length", nets_of_any_length},
		{"ranges of two fields", ranges_of_two_fields},
		{"ranges of masked values", ranges_of_masked_values},
		{"nets and ranges are searched", nets_and_ranges_are_searched},
		{"addresses of several words", addresses_of_several_words},
		{"almost addresses", almost_addresses},
		{"too many fields", too_many_fields},
		{"one word behind others", one_word_behind_others},
		{"addresses of Ethernet", addresses_of_ethernet},
		{"addresses are searched", addresses_are_searched},
		{"headers are followed", headers_are_followed},
		{"rounds are counted", rounds_are_counted},
		{"rounds are forgotten", rounds_are_forgotten},
		{"rounds without end", rounds_without_end_end},
		{"long loops", long_loops_are_left},
	};

	for (unsigned i = 0; i < LENGTH(tests); i++) {
		printf("%s\n", tests[i].name);
		fflush(stdout);
		tests[i].run();
	}
	return summary();
}
