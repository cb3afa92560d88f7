/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Unit tests without privilege: the vectors that broke earlier attempts, each by its name, on every
 * rung; bad programs; splicing; the dump.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/bpf.h>
#include <linux/if_packet.h>

#include "splice.h"
#include "variants.h"

#define LENGTH(array) ((unsigned)(sizeof(array) / sizeof((array)[0])))
#define STMT(c, a)                                                                                 \
	{                                                                                          \
		.code = (uint16_t)(c), .k = (uint32_t)(a)                                          \
	}
#define JUMP(c, a, yes, no)                                                                        \
	{                                                                                          \
		.code = (uint16_t)(c), .jt = (yes), .jf = (no), .k = (uint32_t)(a)                 \
	}
#define LDW(at)	 STMT(BPF_LD | BPF_W | BPF_ABS, at)
#define LDH(at)	 STMT(BPF_LD | BPF_H | BPF_ABS, at)
#define LDB(at)	 STMT(BPF_LD | BPF_B | BPF_ABS, at)
#define ACCEPT	 STMT(BPF_RET | BPF_K, 0x40000)
#define REJECT	 STMT(BPF_RET | BPF_K, 0)
#define RETURN_A STMT(BPF_RET | BPF_A, 0)

enum { LARGE = 2000 }; /* frames for which fewer places have to do */

static struct frame frame, memory;

static void fill(uint32_t len)
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
	unsigned places = v->rung == FILTER_RUNG_LINEAR ? 1
			  : frame.len > LARGE		? 2
							: LENGTH(linear);

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

/* The frame through every rung; the expected value is bpf_filter()'s. */
static void run(const char *name, const struct program *p)
{
	struct program lowered;

	if (filter_validate(p->f, p->n, NULL, 0)) {
		check(false, "%s: the test's program is invalid", name);
		return;
	}
	program_lower(&lowered, p, 0);
	for (unsigned i = 0; i < VARIANTS; i++) {
		const struct variant *v = &variants[i];
		struct verdict expected = variant_expect(v, &lowered, &frame);

		check(variant_libpcap_agrees(v, &lowered, &frame, &expected),
		      "%s: the oracles disagree", name);
		for (unsigned disable = 0; disable < 32; disable = 2 * disable + 1) {
			struct filter_options options = variant_options(v, disable);
			struct filter_code code;
			char why[128] = "";
			int rc = filter_translate(p->f, p->n, &options, &code, why, sizeof(why));

			check(rc == 0, "%s, %s: %s", name, v->name, why);
			if (!rc)
				run_form(name, v, &code, expected.value);
			filter_code_free(&code);
		}
	}
	free(lowered.f);
}

static void run_insns(const char *name, const struct sock_filter *f, unsigned n)
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
	const struct sock_filter division[] = {
		STMT(BPF_LDX | BPF_IMM, 0), STMT(BPF_LD | BPF_IMM, 9),
		STMT(BPF_ALU | BPF_DIV | BPF_X, 0), STMT(BPF_LD | BPF_IMM, 1), ACCEPT};
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
	const struct sock_filter f[] = {
		STMT(BPF_LD | BPF_MEM, 5),	   STMT(BPF_LDX | BPF_MEM, 15),
		STMT(BPF_ALU | BPF_OR | BPF_X, 0), JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1),
		STMT(BPF_RET | BPF_K, 3),	   REJECT};

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
			const struct sock_filter nibble[] = {
				STMT(BPF_LDX | BPF_B | BPF_MSH, at), LDB(1),
				STMT(BPF_ALU | BPF_ADD | BPF_X, 0), RETURN_A};

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
	while (n < 400)
		f[n++] = (struct sock_filter)STMT(BPF_ALU | BPF_ADD | BPF_K, n);
	f[n++] = (struct sock_filter)RETURN_A;
	run_lengths("islands past 255", f, n, 60, 60);
	frame.data[12] = 0x86;
	run_insns("islands past 255, other side", f, n);
}

static void many_branches(void)
{
	struct filter_options options = variant_options(&variants[1], 0);
	struct filter_code code;
	struct program p;

	program_branches(&p, 8193);
	fill(60);
	check(filter_translate(p.f, p.n, &options, &code, NULL, 0) == 0 && code.len <= INT16_MAX,
	      "8193 branches are taken");
	if (code.insns)
		run_form("8193 branches", &variants[1], &code, 0x40000);
	filter_code_free(&code);
	free(p.f);
}

static void chains_are_made(void)
{
	struct program p;
	struct filter_options options = variant_options(&variants[1], 0);
	struct filter_code with, without;
	static char text[4000];

	expression_hosts(text, sizeof(text), 100);
	check(program_compile(&p, text, true), "100 hosts compile");
	check(!filter_translate(p.f, p.n, &options, &with, NULL, 0) && with.chains == 2,
	      "100 hosts make 2 chains, not %u", with.chains);
	check(with.raw > 0 && with.slow == 0, "loads stay in network order, no helper form");
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
	struct filter_options options = variant_options(&variants[1], 0);
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
	struct filter_options options = variant_options(&variants[0], 0);
	struct filter_code code;

	one_ancillary(SKF_AD_PKTTYPE, PACKET_OUTGOING);
	one_ancillary(SKF_AD_IFINDEX, IFINDEX);
	one_ancillary(SKF_AD_QUEUE, QUEUE);
	one_ancillary(SKF_AD_VLAN_TAG, 0);
	one_ancillary(SKF_AD_VLAN_TAG_PRESENT, 0);
	one_ancillary(SKF_AD_MARK, 0);
	one_ancillary(SKF_AD_HATYPE, 1);
	run_lengths("XOR X", exclusive, LENGTH(exclusive), 60, 60);
	run_lengths("load beyond the ancillary ones", unknown, LENGTH(unknown), 60, 60);
	options.ifindex = 99;
	check(!filter_translate(
		      (const struct sock_filter[]){LDW(SKF_AD_OFF + SKF_AD_IFINDEX), RETURN_A}, 2,
		      &options, &code, NULL, 0),
	      "interface index as an option");
	run_form("interface index as an option", &variants[0], &code, 99);
	filter_code_free(&code);
}

static void ancillary_loads_for_user_space(void)
{
	static const uint32_t none[] = {SKF_AD_PROTOCOL, SKF_AD_NLATTR,	  SKF_AD_NLATTR_NEST,
					SKF_AD_RXHASH,	 SKF_AD_CPU,	  SKF_AD_PAY_OFFSET,
					SKF_AD_RANDOM,	 SKF_AD_VLAN_TPID};
	const struct filter_user_facts facts = {.ifindex = 4, .queue = 5, .direction = 6};
	struct sock_filter f[] = {LDW(SKF_AD_OFF + SKF_AD_IFINDEX),
				  LDW(SKF_AD_OFF + SKF_AD_QUEUE),
				  LDH(SKF_AD_OFF + SKF_AD_PKTTYPE),
				  LDB(SKF_AD_OFF + SKF_AD_VLAN_TAG_PRESENT),
				  LDW(12),
				  ACCEPT};
	struct sock_filter out[LENGTH(f)];
	struct filter_options options = variant_options(&variants[0], 0);

	check(filter_lower_user(f, LENGTH(f), &facts, out) == 0, "user space answers");
	check(out[0].code == (BPF_LD | BPF_IMM) && out[0].k == 4 && out[1].k == 5 &&
		      out[2].k == 6 && out[3].k == 0 && !memcmp(&out[4], &f[4], 2 * sizeof(f[0])),
	      "ancillary loads as constants");
	for (unsigned i = 0; i < LENGTH(none); i++) {
		const struct sock_filter g[] = {LDW(SKF_AD_OFF + none[i]), ACCEPT};
		struct filter_code code;
		char why[100] = "";

		check(filter_translate(g, 2, &options, &code, why, sizeof(why)) == -EOPNOTSUPP &&
			      why[0] && !code.insns,
		      "ancillary load %u is left to user space", none[i]);
		check(filter_lower_user(g, 2, &facts, out) == -EOPNOTSUPP &&
			      out[0].code == g[0].code,
		      "ancillary load %u stays", none[i]);
	}
}

static void expect_invalid(const char *name, const struct sock_filter *f, unsigned n)
{
	struct filter_options options = variant_options(&variants[0], 0);
	struct filter_code code = {.len = 1};
	char why[100] = "";

	check(filter_validate(f, n, why, sizeof(why)) == -EINVAL && why[0], "%s is invalid", name);
	check(filter_translate(f, n, &options, &code, why, sizeof(why)) == -EINVAL && !code.insns &&
		      !code.len,
	      "%s is not translated", name);
	check(filter_validate(f, n, NULL, 0) == -EINVAL, "%s needs no room for a reason", name);
}

#define INVALID(name, ...)                                                                         \
	do {                                                                                       \
		const struct sock_filter f_[] = {__VA_ARGS__};                                     \
		expect_invalid(name, f_, LENGTH(f_));                                              \
	} while (0)

static void invalid_programs(void)
{
	struct sock_filter *large = calloc(FILTER_MAX_INSNS + 1, sizeof(*large));

	for (unsigned i = 0; i <= FILTER_MAX_INSNS; i++)
		large[i] = (struct sock_filter)ACCEPT;
	check(filter_validate(large, FILTER_MAX_INSNS, NULL, 0) == 0,
	      "65535 instructions are valid");
	expect_invalid("a program of 65536", large, FILTER_MAX_INSNS + 1);
	free(large);
	expect_invalid("a program of 0", NULL, 0);
	INVALID("no return", LDH(12));
	INVALID("jump at the end", ACCEPT, STMT(BPF_JMP | BPF_JA, 0));
	INVALID("JA out of range", STMT(BPF_JMP | BPF_JA, 1), ACCEPT);
	INVALID("JA far out of range", STMT(BPF_JMP | BPF_JA, 0x7fffffff), ACCEPT);
	INVALID("JA before the start", STMT(BPF_JMP | BPF_JA, 0x80000000), ACCEPT);
	INVALID("true side out of range", JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0), ACCEPT);
	INVALID("false side out of range", JUMP(BPF_JMP | BPF_JGT | BPF_X, 0, 0, 255), ACCEPT);
	INVALID("division by constant 0", STMT(BPF_ALU | BPF_DIV | BPF_K, 0), ACCEPT);
	INVALID("modulo constant 0", STMT(BPF_ALU | BPF_MOD | BPF_K, 0), ACCEPT);
	INVALID("M[16] loaded", STMT(BPF_LD | BPF_MEM, 16), ACCEPT);
	INVALID("M[16] loaded to X", STMT(BPF_LDX | BPF_MEM, 16), ACCEPT);
	INVALID("M[16] stored", STMT(BPF_ST, 16), ACCEPT);
	INVALID("M[16] stored from X", STMT(BPF_STX, 0xffffffff), ACCEPT);
	INVALID("unknown load", STMT(BPF_LD | BPF_DW | BPF_ABS, 0), ACCEPT);
	INVALID("MSH to A", STMT(BPF_LD | BPF_B | BPF_MSH, 14), ACCEPT);
	INVALID("ABS to X", STMT(BPF_LDX | BPF_W | BPF_ABS, 14), ACCEPT);
	INVALID("unknown operation", STMT(BPF_ALU | 0xb0 | BPF_K, 1), ACCEPT);
	INVALID("NEG of X", STMT(BPF_ALU | BPF_NEG | BPF_X, 1), ACCEPT);
	INVALID("unknown jump", JUMP(BPF_JMP | 0x50 | BPF_K, 1, 0, 0), ACCEPT);
	INVALID("return of X", STMT(BPF_RET | BPF_X, 1));
	INVALID("unknown miscellany", STMT(BPF_MISC | 0x40, 1), ACCEPT);
	INVALID("high bits of the code", STMT(0x100 | BPF_LD | BPF_IMM, 1), ACCEPT);
}

/* Every 16-bit code is either taken or refused by both sides. */
static void all_codes(void)
{
	unsigned valid = 0;

	for (unsigned code = 0; code <= UINT16_MAX; code++) {
		const struct sock_filter f[] = {JUMP(code, 1, 0, 0), ACCEPT};

		valid += filter_validate(f, 2, NULL, 0) == 0;
	}
	check(valid == 48, "bpf_filter() knows 48 codes and JA, not %u", valid);
}

static void valid_but_for_user_space(void)
{
	const struct sock_filter back[] = {LDH(12), STMT(BPF_JMP | BPF_JA, -2), ACCEPT};
	const struct sock_filter shift[] = {STMT(BPF_ALU | BPF_LSH | BPF_K, 32), ACCEPT};
	struct filter_options options = variant_options(&variants[0], 0);
	struct filter_code code;
	struct program p;
	char why[100] = "";

	check(filter_validate(back, 3, NULL, 0) == 0, "protochain is valid");
	check(filter_translate(back, 3, &options, &code, why, sizeof(why)) == -EOPNOTSUPP && why[0],
	      "backward jumps are left to user space");
	check(filter_validate(shift, 2, NULL, 0) == 0, "shift by 32 is valid");
	check(filter_translate(shift, 2, &options, &code, why, sizeof(why)) == -EOPNOTSUPP,
	      "undefined shifts are left to user space");
	check(program_compile(&p, "ip6 protochain 6", true) &&
		      filter_translate(p.f, p.n, &options, &code, NULL, 0) == -EOPNOTSUPP,
	      "ip6 protochain is left to user space");
	free(p.f);
}

static void bad_options(void)
{
	const struct sock_filter f[] = {ACCEPT};
	struct filter_options good = variant_options(&variants[3], 0), o;
	struct filter_code code;

#define REFUSED(field, value)                                                                      \
	(o = good, o.field = (value), filter_translate(f, 1, &o, &code, NULL, 0) == -EINVAL)
	check(REFUSED(stack_top, -4) && REFUSED(stack_top, 8) && REFUSED(stack_top, -392),
	      "bad stack is refused");
	check(REFUSED(tag_slot, -4) && REFUSED(tag_slot, 0) && REFUSED(tag_slot, -520),
	      "bad slot is refused");
	check(REFUSED(ctx, (enum filter_ctx)7) && REFUSED(rung, (enum filter_rung)9),
	      "unknown context or rung is refused");
	good.rung = FILTER_RUNG_USER;
	check(!filter_translate(f, 1, &good, &code, NULL, 0) && code.len == 2 &&
		      (uint32_t)code.insns[0].imm == UINT32_MAX,
	      "the rung for user space accepts all");
	filter_code_free(&code);
	filter_code_free(&code);
	check(!code.insns && !code.origin, "freed twice");
}

#define INSN(c, d, s, o, i)                                                                        \
	{                                                                                          \
		.code = (c), .dst_reg = (d), .src_reg = (s), .off = (o), .imm = (i)                \
	}
#define MARK   INSN(BPF_LD | BPF_IMM | BPF_DW, 0, 0, 0, 0x1111), INSN(0, 0, 0, 0, 0x2222)
#define MARKER 0x222200001111ull
#define END    INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)

static int splice(const struct bpf_insn *host, unsigned n, const struct filter_code *code,
		  struct bpf_insn **out, unsigned *n_out)
{
	*out = NULL;
	return filter_splice(host, n, MARKER, code, out, n_out);
}

static void splicing(void)
{
	struct bpf_insn body[] = {INSN(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, 2, 0),
				  INSN(BPF_ALU | BPF_MOV | BPF_K, 0, 0, 0, 1), END,
				  INSN(BPF_ALU | BPF_MOV | BPF_K, 0, 0, 0, 2), END};
	struct filter_code code = {.insns = body, .len = 5};
	const struct bpf_insn host[] = {
		INSN(BPF_JMP | BPF_JA, 0, 0, 2, 0),			   /* 0: to the marker */
		INSN(BPF_JMP32 | BPF_JEQ | BPF_K, 2, 0, 3, 0),		   /* 1: past it */
		INSN(BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_CALL, 0, 6),	   /* 2: past it */
		MARK,							   /* 3 */
		INSN(BPF_JMP | BPF_JNE | BPF_K, 0, 0, -5, 0),		   /* 5: to 1 */
		INSN(BPF_LD | BPF_IMM | BPF_DW, 3, BPF_PSEUDO_FUNC, 0, 2), /* 6: to 9 */
		INSN(BPF_JMP | BPF_JA, 0, 0, 77, 0),			   /* 7: only data */
		END,							   /* 8 */
		INSN(BPF_JMP32 | BPF_JA, 0, 0, 0, -7),			   /* 9: to 3 */
		END,							   /* 10 */
	};
	struct bpf_insn *out;
	unsigned n;
	int rc = splice(host, LENGTH(host), &code, &out, &n);

	check(rc == 0 && n == LENGTH(host) + 3, "spliced: %d", rc);
	if (rc)
		return;
	check(out[0].off == 2 && out[1].off == 6 && out[2].imm == 9, "forward jumps are re-aimed");
	check(out[3].off == 2 && out[4].code == body[1].code, "the filter is in place");
	check(out[5].code == (BPF_JMP | BPF_JA) && out[5].off == 2 &&
		      out[7].code == (BPF_JMP | BPF_JA) && out[7].off == 0,
	      "exits become jumps to its end");
	check(out[8].off == -8, "backward jumps are re-aimed: %d", out[8].off);
	check(out[9].imm == 2 && out[10].off == 77, "wide instructions keep their data");
	check(out[12].imm == -10, "32-bit jumps are re-aimed: %d", out[12].imm);
	free(out);
}

static void splicing_errors(void)
{
	struct bpf_insn ret[] = {END};
	struct filter_code code = {.insns = ret, .len = 1};
	const struct bpf_insn none[] = {INSN(BPF_LD | BPF_IMM | BPF_DW, 1, 0, 0, 0x1111),
					INSN(0, 0, 0, 0, 0x2222), END};
	const struct bpf_insn twice[] = {MARK, MARK, END};
	const struct bpf_insn hidden[] = {INSN(BPF_LD | BPF_IMM | BPF_DW, 1, 0, 0, 5), MARK, END};
	const struct bpf_insn into[] = {INSN(BPF_JMP | BPF_JA, 0, 0, 1, 0), MARK, END};
	const struct bpf_insn outside[] = {INSN(BPF_JMP | BPF_JA, 0, 0, 9, 0), MARK, END};
	const struct bpf_insn over[] = {INSN(BPF_JMP | BPF_JA, 0, 0, 2, 0), MARK, END};
	const struct bpf_insn half[] = {INSN(BPF_LD | BPF_IMM | BPF_DW, 0, 0, 0, 0x1111)};
	struct bpf_insn *out, *large = calloc(INT16_MAX + 1, sizeof(*large));
	unsigned n;

	check(splice(none, 3, &code, &out, &n) == -ENOENT, "no marker");
	check(splice(twice, 5, &code, &out, &n) == -EEXIST, "two markers");
	check(splice(hidden, 4, &code, &out, &n) == -ENOENT, "data is no marker");
	check(splice(into, 4, &code, &out, &n) == -EINVAL, "jump into the marker");
	check(splice(outside, 4, &code, &out, &n) == -EINVAL, "jump out of the host");
	check(splice(half, 1, &code, &out, &n) == -EINVAL, "half an instruction");
	for (unsigned i = 0; i <= INT16_MAX; i++)
		large[i] = (struct bpf_insn)INSN(BPF_ALU | BPF_MOV | BPF_K, 0, 0, 0, 0);
	code = (struct filter_code){.insns = large, .len = INT16_MAX + 1};
	check(splice(over, 4, &code, &out, &n) == -E2BIG, "host jump too long");
	check(splice(over + 1, 3, &code, &out, &n) == 0, "no jump, no limit");
	free(out);
	large[0] = (struct bpf_insn)END;
	check(splice(over + 1, 3, &code, &out, &n) == 0, "a jump of 32767 fits");
	free(out);
	free(large);
}

static void dump(void)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	struct filter_options options = variant_options(&variants[0], 0);
	struct filter_code code;
	struct program p;

	check(program_compile(&p, "udp port 53 and len > 100", true), "compiles");
	check(!filter_translate(p.f, p.n, &options, &code, NULL, 0), "translates");
	check(filter_dump(out, p.f, p.n, &code) == 0, "dumps");
	fclose(out);
	check(strstr(text, "(000) ldh [12]") && strstr(text, "ldxb 4*([14]&0xf)") &&
		      strstr(text, "#pktlen") && strstr(text, "exit") && strstr(text, "call 189"),
	      "classic and eBPF are there");
	for (unsigned i = 0; i < p.n; i++) {
		char label[16];

		snprintf(label, sizeof(label), "(%03u)", i);
		check(strstr(text, label) != NULL, "%s is shown", label);
	}
	free(text);
	filter_code_free(&code);
	free(p.f);
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
		{"guards are hoisted", guards_are_hoisted},
		{"no call on the fast path", no_call_on_the_fast_path},
		{"ancillary loads", ancillary_loads},
		{"ancillary loads for user space", ancillary_loads_for_user_space},
		{"invalid programs", invalid_programs},
		{"all codes", all_codes},
		{"valid, but for user space", valid_but_for_user_space},
		{"bad options", bad_options},
		{"splicing", splicing},
		{"splicing errors", splicing_errors},
		{"dump", dump},
	};

	for (unsigned i = 0; i < LENGTH(tests); i++) {
		printf("%s\n", tests[i].name);
		fflush(stdout);
		tests[i].run();
	}
	return summary();
}
