/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * libFuzzer target: any bytes as a program, options and a frame. What is translated must give what
 * the interpreter of classic BPF gives. Build with clang -fsanitize=fuzzer,address,undefined.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/bpf.h>

#include "filter/splice.h"
#include "variants.h"

enum { MAX_INSNS = 96, HEAD = 8 };

static const uint16_t codes[] = {
	BPF_LD | BPF_W | BPF_ABS,
	BPF_LD | BPF_H | BPF_ABS,
	BPF_LD | BPF_B | BPF_ABS,
	BPF_LD | BPF_W | BPF_IND,
	BPF_LD | BPF_H | BPF_IND,
	BPF_LD | BPF_B | BPF_IND,
	BPF_LD | BPF_W | BPF_LEN,
	BPF_LD | BPF_IMM,
	BPF_LD | BPF_MEM,
	BPF_LDX | BPF_W | BPF_LEN,
	BPF_LDX | BPF_B | BPF_MSH,
	BPF_LDX | BPF_IMM,
	BPF_LDX | BPF_MEM,
	BPF_ST,
	BPF_STX,
	BPF_JMP | BPF_JA,
	BPF_JMP | BPF_JEQ | BPF_K,
	BPF_JMP | BPF_JEQ | BPF_X,
	BPF_JMP | BPF_JGT | BPF_K,
	BPF_JMP | BPF_JGT | BPF_X,
	BPF_JMP | BPF_JGE | BPF_K,
	BPF_JMP | BPF_JSET | BPF_K,
	BPF_JMP | BPF_JSET | BPF_X,
	BPF_ALU | BPF_ADD | BPF_K,
	BPF_ALU | BPF_SUB | BPF_X,
	BPF_ALU | BPF_MUL | BPF_K,
	BPF_ALU | BPF_DIV | BPF_X,
	BPF_ALU | BPF_MOD | BPF_X,
	BPF_ALU | BPF_AND | BPF_K,
	BPF_ALU | BPF_OR | BPF_X,
	BPF_ALU | BPF_XOR | BPF_K,
	BPF_ALU | BPF_LSH | BPF_X,
	BPF_ALU | BPF_RSH | BPF_X,
	BPF_ALU | BPF_NEG,
	BPF_MISC | BPF_TAX,
	BPF_MISC | BPF_TXA,
	BPF_RET | BPF_A,
	BPF_RET | BPF_K,
	BPF_JMP | BPF_JEQ | BPF_K,
};

/* Bytes to programs: as they are, or bent so that most are valid. */
static unsigned make_program(struct sock_filter *f, const uint8_t *data, size_t size, bool bend)
{
	unsigned n = (unsigned)(size / sizeof(*f));

	n = n > MAX_INSNS ? MAX_INSNS : n;
	memcpy(f, data, n * sizeof(*f));
	for (unsigned i = 0; bend && i < n; i++) {
		struct sock_filter *q = &f[i];
		unsigned left = n - i - 1;

		q->code = codes[q->code % (sizeof(codes) / sizeof(codes[0]))];
		if (!left) {
			q->code = q->code & 1 ? BPF_RET | BPF_K : BPF_RET | BPF_A;
			break;
		}
		q->jt = (uint8_t)(q->jt % left);
		q->jf = (uint8_t)(q->jf % left);
		if (q->code == (BPF_JMP | BPF_JA))
			q->k %= left;
		if (q->code == (BPF_LD | BPF_MEM) || q->code == (BPF_LDX | BPF_MEM) ||
		    q->code == BPF_ST || q->code == BPF_STX)
			q->k %= BPF_MEMWORDS;
	}
	return n;
}

static void must(bool ok, const char *what)
{
	if (!ok) {
		fprintf(stderr, "%s\n", what);
		abort();
	}
}

static void splice_and_dump(const struct program *p, const struct filter_code *code)
{
	static const struct bpf_insn host[] = {
		{.code = BPF_JMP | BPF_JEQ | BPF_K, .dst_reg = 1, .off = 2},
		{.code = BPF_LD | BPF_IMM | BPF_DW, .imm = 1},
		{.imm = 2},
		{.code = BPF_JMP | BPF_EXIT},
	};
	struct bpf_insn *out;
	unsigned n;
	FILE *null = fopen("/dev/null", "w");
	int rc = filter_splice(host, 4, 2ull << 32 | 1, code, &out, &n);

	must(rc == 0, "splice failed");
	must(n == 2 + code->len && out[0].off == (int)code->len, "spliced wrongly");
	free(out);
	must(null && filter_dump(null, p->f, p->n, code, program_line) == 0, "dump failed");
	fclose(null);
}

static void compare(const struct program *p, const struct variant *v,
		    const struct filter_code *code, const uint8_t *data, size_t size,
		    uint8_t linear)
{
	static struct frame recorded, memory;
	struct machine m = {.ctx = v->ctx,
			    .tagged = v->tagged,
			    .tag_slot = TAG_SLOT,
			    .stack_top = STACK_TOP,
			    .ifindex = IFINDEX,
			    .queue = QUEUE};
	const struct frame *in = &recorded;
	struct program lowered;
	uint32_t expected, got = 0;
	const char *error;

	recorded.len = (uint32_t)(size < 2000 ? size : 2000);
	memcpy(recorded.data, data, recorded.len);
	if (v->tagged) {
		if (!frame_extract_tag(&memory, &recorded, &m.tpid, &m.tci))
			return;
		in = &memory;
	}
	m.data = in->data;
	m.len = in->len;
	m.linear = linear > in->len ? in->len : linear;
	program_lower(&lowered, p, 0);
	expected = variant_expect(v, &lowered, &recorded).unrolled;
	error = machine_run(&m, code->insns, code->len, &got);
	must(!error, error);
	must(got == expected, "mismatch");
	free(lowered.f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sock_filter f[MAX_INSNS];
	struct program p = {.f = f};
	struct filter_options options;
	struct filter_code code;
	const struct variant *v;
	char why[128] = "";
	size_t frame;
	int valid, rc;

	if (size < HEAD + sizeof(f[0]))
		return 0;
	v = &variants[data[0] % VARIANTS];
	options = variant_options(v, data[1]);
	frame = data[3] < size - HEAD ? data[3] : size - HEAD;
	p.n = make_program(f, data + HEAD, size - HEAD - frame, data[2] & 1);
	valid = filter_validate(f, p.n, why, sizeof(why));
	rc = filter_translate(f, p.n, &options, &code, why, sizeof(why));
	must((valid != 0) == (rc == -22), "validate and translate disagree");
	must(rc == 0 || why[0], "no reason given");
	if (!rc) {
		splice_and_dump(&p, &code);
		compare(&p, v, &code, data + size - frame, frame, data[4]);
	}
	filter_code_free(&code);
	return 0;
}
