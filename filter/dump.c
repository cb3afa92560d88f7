/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Prints eBPF in the notation of the kernel's log, beside the classic instructions. */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <linux/bpf.h>
#include <linux/filter.h>

#include "filter.h"

enum { TEXT = 64, LEFT_WIDTH = 48 };

static const char *const alu_name[16] = {"add", "sub", "mul", "div", "or",  "and",  "lsh",
					 "rsh", "neg", "mod", "xor", "mov", "arsh", "end"};
static const char *const jump_name[16] = {"ja",	  "jeq",  "jgt",  "jge", "jset", "jne",	 "jsgt",
					  "jsge", "call", "exit", "jlt", "jle",	 "jslt", "jsle"};

static const char *name_or(const char *const *names, unsigned op)
{
	return names[op >> 4] ? names[op >> 4] : "?";
}

static const char *access_type(uint8_t code)
{
	switch (BPF_SIZE(code)) {
	case BPF_DW:
		return "u64";
	case BPF_W:
		return "u32";
	case BPF_H:
		return "u16";
	default:
		return "u8";
	}
}

static void ebpf_jump(const struct bpf_insn *q, unsigned i, char *text)
{
	char width = BPF_CLASS(q->code) == BPF_JMP32 ? 'w' : 'r';
	const char *name = name_or(jump_name, BPF_OP(q->code));
	int to = (int)i + 1 + q->off;

	switch (BPF_OP(q->code)) {
	case BPF_EXIT:
		snprintf(text, TEXT, "exit");
		break;
	case BPF_CALL:
		snprintf(text, TEXT, "call %" PRId32, q->imm);
		break;
	case BPF_JA:
		snprintf(text, TEXT, "ja %d", to);
		break;
	default:
		if (BPF_SRC(q->code) == BPF_X)
			snprintf(text, TEXT, "%s %c%d, %c%d, %d", name, width, q->dst_reg, width,
				 q->src_reg, to);
		else
			snprintf(text, TEXT, "%s %c%d, %#" PRIx32 ", %d", name, width, q->dst_reg,
				 (uint32_t)q->imm, to);
	}
}

static void ebpf_alu(const struct bpf_insn *q, char *text)
{
	char width = BPF_CLASS(q->code) == BPF_ALU ? 'w' : 'r';
	const char *name = name_or(alu_name, BPF_OP(q->code));

	if (BPF_OP(q->code) == BPF_END)
		snprintf(text, TEXT, "be%" PRId32 " r%d", q->imm, q->dst_reg);
	else if (BPF_OP(q->code) == BPF_NEG)
		snprintf(text, TEXT, "%s %c%d", name, width, q->dst_reg);
	else if (BPF_SRC(q->code) == BPF_X)
		snprintf(text, TEXT, "%s %c%d, %c%d", name, width, q->dst_reg, width, q->src_reg);
	else
		snprintf(text, TEXT, "%s %c%d, %" PRId32, name, width, q->dst_reg, q->imm);
}

static void ebpf_text(const struct bpf_insn *q, unsigned i, char *text)
{
	switch (BPF_CLASS(q->code)) {
	case BPF_LDX:
		snprintf(text, TEXT, "r%d = *(%s *)(r%d %+d)", q->dst_reg, access_type(q->code),
			 q->src_reg, q->off);
		break;
	case BPF_ST:
		snprintf(text, TEXT, "*(%s *)(r%d %+d) = %" PRId32, access_type(q->code),
			 q->dst_reg, q->off, q->imm);
		break;
	case BPF_STX:
		snprintf(text, TEXT, "*(%s *)(r%d %+d) = r%d", access_type(q->code), q->dst_reg,
			 q->off, q->src_reg);
		break;
	case BPF_JMP:
	case BPF_JMP32:
		ebpf_jump(q, i, text);
		break;
	case BPF_ALU:
	case BPF_ALU64:
		ebpf_alu(q, text);
		break;
	default:
		snprintf(text, TEXT, "code %#x", q->code);
	}
}

/*
 * Prints the classic instructions in order, and beside each what was made of it there. What has no
 * classic origin, and later forms of the same instruction, have an empty left side.
 */
int filter_dump(FILE *out, const struct sock_filter *f, unsigned n, const struct filter_code *code,
		filter_text *classic)
{
	unsigned shown = 0; /* number of classic instructions printed */
	int last = -1;

	for (unsigned i = 0; i < code->len; i++) {
		int origin = code->origin[i];
		char text[TEXT];

		ebpf_text(&code->insns[i], i, text);
		for (; origin > (int)shown && shown < n; shown++) /* nothing was made of these */
			fprintf(out, "%s\n", classic(f, shown));
		if (origin == (int)shown && shown < n)
			fprintf(out, "%-*s", LEFT_WIDTH, classic(f, shown++));
		else if (origin >= 0 && origin != last)
			fprintf(out, "(%03d) %-*s", origin, LEFT_WIDTH - 6, "again");
		else
			fprintf(out, "%*s", LEFT_WIDTH, "");
		fprintf(out, "%5u: %s\n", i, text);
		last = origin;
	}
	for (; shown < n; shown++)
		fprintf(out, "%s\n", classic(f, shown));
	return ferror(out) ? -EIO : 0;
}
