/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#pragma once

/*
 * Distances for jumps. A conditional jump has 16 bits for its own, and so has `goto` before cpu v4:
 * a longer one goes by islands: jumps on the way, each within reach of the next.
 */
#include <stdbool.h>

#include <linux/bpf.h>

#define NOWHERE UINT32_MAX

/* Instructions that name the one they go to, whatever its distance. */
struct aimed {
	struct bpf_insn *insns;
	unsigned *target; /* of jumps, calls of subprograms and their addresses; else NOWHERE */
	unsigned n;
};

/*
 * The program with distances; *out is malloc'ed and the caller's. moved (may be NULL) gets where
 * each instruction is now. Without a far jump nothing is added and nothing moves. 0, -ENOMEM, or
 * -ERANGE: far jumps to more places than islands are made for.
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
