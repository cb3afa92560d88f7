/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#pragma once

/*
 * Jump distances. A conditional jump has 16 bits for its distance, and so has `goto` before cpu v4:
 * a longer jump goes by islands, which are jumps on the way, each within reach of the next.
 */
#include <stdbool.h>

#include <linux/bpf.h>

#define NOWHERE UINT32_MAX

/* Instructions, of which jumps have a target that may be at any distance. */
struct aimed {
	struct bpf_insn *insns;
	unsigned *target; /* for jumps, calls of subprograms and their addresses; else NOWHERE */
	unsigned n;
};

/*
 * Returns in *out the program with distances; the caller frees it. moved (may be NULL) gets the new
 * index of each instruction. If no jump is far, nothing is added and nothing moves. Returns 0,
 * -ENOMEM, or -ERANGE: far jumps have more targets than islands are made for.
 */
int island_resolve(const struct aimed *in, struct bpf_insn **out, unsigned *n_out, unsigned *moved);

static inline bool is_wide(const struct bpf_insn *insn)
{
	return insn->code == (BPF_LD | BPF_IMM | BPF_DW);
}

static inline bool is_jump(const struct bpf_insn *insn)
{
	unsigned class = BPF_CLASS(insn->code), op = BPF_OP(insn->code);

	return (class == BPF_JMP || class == BPF_JMP32) && op != BPF_CALL && op != BPF_EXIT;
}

static inline bool falls_through(const struct bpf_insn *insn)
{
	return insn->code != (BPF_JMP | BPF_JA) && insn->code != (BPF_JMP32 | BPF_JA) &&
	       insn->code != (BPF_JMP | BPF_EXIT);
}
