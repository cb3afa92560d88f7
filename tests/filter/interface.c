/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* filter.h and splice.h without a frame: bad programs and options, lowering, splicing, the dump. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/bpf.h>

#include "instructions.h"
#include "filter/splice.h"
#include "variants.h"

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
	      "262144 instructions are valid");
	expect_invalid("a program of 262145", large, FILTER_MAX_INSNS + 1);
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

	options.unrolled = false;
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
	struct filter_options good = variant_options(&variants[2], 0), o;
	struct filter_code code;

#define REFUSED(field, value)                                                                      \
	(o = good, o.field = (value), filter_translate(f, 1, &o, &code, NULL, 0) == -EINVAL)
	check(REFUSED(stack_top, -4) && REFUSED(stack_top, 8) && REFUSED(stack_top, -400),
	      "bad stack is refused");
	check(REFUSED(tag_slot, -4) && REFUSED(tag_slot, 0) && REFUSED(tag_slot, -520),
	      "bad slot is refused");
	check(REFUSED(tag_beside, true), "a tag beside what is no skb is refused");
	check(REFUSED(ctx, (enum filter_ctx)7) && REFUSED(level, (enum filter_level)9),
	      "unknown context or level is refused");
	check(!filter_translate(f, 1, &good, &code, NULL, 0), "good ones are taken");
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

/* Addresses of subprograms lie on both sides of the marker, and what they name as well. */
static void splicing_functions(void)
{
	struct bpf_insn body[7] = {[6] = END};
	struct filter_code code = {.insns = body, .len = LENGTH(body)};
	const struct bpf_insn host[] = {
		INSN(BPF_LD | BPF_IMM | BPF_DW, 3, BPF_PSEUDO_FUNC, 0, 7), /* 0: to 8 */
		INSN(0, 0, 0, 0, 0),
		END,							    /* 2 */
		MARK,							    /* 3 */
		INSN(BPF_LD | BPF_IMM | BPF_DW, 4, BPF_PSEUDO_FUNC, 0, -4), /* 5: to 2 */
		INSN(0, 0, 0, 0, 0),
		INSN(BPF_LD | BPF_IMM | BPF_DW, 5, BPF_PSEUDO_MAP_FD, 0, 7), /* 7: no distance */
		INSN(0, 0, 0, 0, 0),
		END, /* 9 */
	};
	struct bpf_insn *out;
	unsigned n;
	int rc;

	for (unsigned i = 0; i < 6; i++)
		body[i] = (struct bpf_insn)INSN(BPF_ALU | BPF_MOV | BPF_K, 0, 0, 0, (int)i);
	rc = splice(host, LENGTH(host), &code, &out, &n);
	check(rc == 0 && n == LENGTH(host) + 5, "functions are spliced: %d", rc);
	if (rc)
		return;
	check(out[0].imm == 12, "an address past the filter is re-aimed: %d", out[0].imm);
	check(out[10].imm == -9, "an address before the filter is re-aimed: %d", out[10].imm);
	check(out[12].imm == 7, "the number of a map stays: %d", out[12].imm);
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
	const struct bpf_insn over[] = {INSN(BPF_JMP | BPF_JA, 0, 0, 0, 0), MARK};
	const struct bpf_insn half[] = {INSN(BPF_LD | BPF_IMM | BPF_DW, 0, 0, 0, 0x1111)};
	struct bpf_insn *out;
	unsigned n;

	check(splice(none, 3, &code, &out, &n) == -ENOENT, "no marker");
	check(splice(twice, 5, &code, &out, &n) == -EEXIST, "two markers");
	check(splice(hidden, 4, &code, &out, &n) == -ENOENT, "data is no marker");
	check(splice(into, 4, &code, &out, &n) == -EINVAL, "jump into the marker");
	check(splice(outside, 4, &code, &out, &n) == -EINVAL, "jump out of the host");
	check(splice(half, 1, &code, &out, &n) == -EINVAL, "half an instruction");
	check(splice(over, 3, &code, &out, &n) == -EINVAL, "nothing behind the marker");
}

/* Where a jump at i leads, by way of islands. */
static unsigned follow(const struct bpf_insn *insns, unsigned i, unsigned *islands)
{
	for (i += 1 + insns[i].off; insns[i].code == (BPF_JMP | BPF_JA); i += 1 + insns[i].off)
		++*islands;
	return i;
}

enum { FAR = 100000 };

/* Over, into and out of a filter of so many instructions, and back over it. */
static void splicing_far(void)
{
	const struct bpf_insn host[] = {
		INSN(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, 4, 1),  /* 0: past the marker, to 5 */
		INSN(BPF_ALU | BPF_MOV | BPF_K, 6, 0, 0, 1),  /* 1: from the end */
		MARK,					      /* 2 */
		INSN(BPF_JMP | BPF_JNE | BPF_K, 0, 0, -4, 0), /* 4: to 1 */
		INSN(BPF_ALU | BPF_MOV | BPF_K, 7, 0, 0, 1),  /* 5 */
		END,
	};
	struct bpf_insn *body = calloc(FAR, sizeof(*body)), *out;
	struct filter_code code = {.insns = body, .len = FAR};
	unsigned n, islands = 0, back;

	for (unsigned i = 0; i < FAR; i++)
		body[i] = (struct bpf_insn)INSN(BPF_ALU | BPF_MOV | BPF_K, 0, 0, 0, (int)i);
	body[0] = (struct bpf_insn)INSN(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, 1, 0);
	body[1] = (struct bpf_insn)END;
	check(splice(host, LENGTH(host), &code, &out, &n) == 0, "a filter of 100000 is spliced");
	for (back = n - 1; out[back].code != (BPF_JMP | BPF_JNE | BPF_K);)
		back--;
	check(out[back - 1].imm == FAR - 1 && n < LENGTH(host) + FAR + 50, "with few islands");
	check(follow(out, 0, &islands) == back + 1 && islands >= 3, "over it by islands");
	islands = 0;
	check(follow(out, 2, &islands) == 4, "near jumps are near");
	check(follow(out, 3, &islands) == back && islands >= 3, "out of it by islands");
	islands = 0;
	check(out[back].off < 0 && follow(out, back, &islands) == 1 && islands >= 3,
	      "back over it by islands");
	free(out);
	free(body);
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
	check(filter_dump(out, p.f, p.n, &code, program_line) == 0, "dumps");
	fclose(out);
	check(strstr(text, "(000) ldh      [12]") && strstr(text, "ldxb     4*([14]&0xf)") &&
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

/* What tells of a load that may take long: 0 for lists, and one for each place where ways meet. */
static unsigned meets_of(const struct sock_filter *f, unsigned n)
{
	struct filter_code code;
	unsigned meets, most = 0;

	for (unsigned i = 0; i < VARIANTS; i++) {
		struct filter_options options = variant_options(&variants[i], 0);

		check(filter_translate(f, n, &options, &code, NULL, 0) == 0, "%s",
		      variants[i].name);
		meets = code.meets;
		filter_code_free(&code);
		check(i == 0 || meets == most, "%s: %u ways meet, not %u", variants[i].name, meets,
		      most);
		most = meets;
	}
	return most;
}

static void ways_that_meet(void)
{
	enum { WAYS = 40 };
	const struct sock_filter by[3][2] = {
		{JUMP(BPF_JMP | BPF_JSET | BPF_K, 1, 0, 1), STMT(BPF_LDX | BPF_IMM, 1)},
		{JUMP(BPF_JMP | BPF_JSET | BPF_K, 1, 0, 1), STMT(BPF_ALU | BPF_ADD | BPF_K, 1)},
		{JUMP(BPF_JMP | BPF_JSET | BPF_K, 1, 0, 1), STMT(BPF_ST, 0)},
	};
	struct sock_filter f[2 * WAYS + 8];
	char text[10000];
	struct program p;

	for (unsigned k = 0; k < LENGTH(by); k++) {
		unsigned n = 0;

		f[n++] = (struct sock_filter)LDW(26);
		for (unsigned i = 0; i < WAYS; i++) {
			memcpy(&f[n], by[k], sizeof(by[k]));
			f[n].k = 0x9e3779b9u * (i + 1);
			f[n + 1].k = k == 2 ? 3 : i + 1;
			n += 2;
		}
		if (k == 2)
			f[n++] = (struct sock_filter)STMT(BPF_LDX | BPF_MEM, 3);
		f[n++] = (struct sock_filter)STMT(BPF_ALU | BPF_ADD | BPF_X, 0);
		f[n++] = (struct sock_filter)RETURN_A;
		check(meets_of(f, n) == WAYS, "ways that meet, %u", k);
	}
	expression_hosts(text, sizeof(text), 300);
	for (int optimised = 0; optimised < 2; optimised++) {
		check(program_compile(&p, text, optimised), "300 hosts compile");
		check(meets_of(p.f, p.n) == 0, "no ways meet in a list");
		free(p.f);
	}
}

int main(void)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} tests[] = {
		{"ancillary loads for user space", ancillary_loads_for_user_space},
		{"invalid programs", invalid_programs},
		{"all codes", all_codes},
		{"valid, but for user space", valid_but_for_user_space},
		{"bad options", bad_options},
		{"splicing", splicing},
		{"splicing functions", splicing_functions},
		{"splicing errors", splicing_errors},
		{"splicing far", splicing_far},
		{"dump", dump},
		{"ways that meet", ways_that_meet},
	};

	for (unsigned i = 0; i < LENGTH(tests); i++) {
		printf("%s\n", tests[i].name);
		fflush(stdout);
		tests[i].run();
	}
	return summary();
}
