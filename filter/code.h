/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#pragma once

/* A growing eBPF program with labels. Running out of memory is only reported by code_finish(). */
#include <stdbool.h>
#include <stdint.h>

#include <linux/bpf.h>

struct filter_code;
struct fixup;

struct code {
	struct bpf_insn *insns;
	int *origin; /* per instruction: the classic instruction that it is for, or -1 */
	unsigned len, insns_size, origins_size;
	int *label; /* where the label was placed, or -1 */
	unsigned n_labels, labels_size;
	struct fixup *fixups;
	unsigned n_fixups, fixups_size;
	int current_origin;
	unsigned branches; /* how many conditional jumps the verifier may have pending at once */
	bool break_branches;
	bool out_of_memory;
};

int code_labels(struct code *c, unsigned n); /* the first of n new labels */
void code_place(struct code *c, int label);
bool code_label_used(const struct code *c, int label);

void code_insn(struct code *c, uint8_t op, int dst, int src, int off, int32_t imm);
void code_jump(struct code *c, int label);
/* The comparison that is true if this one is false; 0 for JSET, which has none. */
uint8_t code_inverse(unsigned op);
/* JMP or JMP32 with a comparison; op also says whether it uses imm or src. */
void code_branch(struct code *c, uint8_t op, int dst, int src, int32_t imm, int label);

void code_move(struct code *c, int dst, int src);
void code_set(struct code *c, int dst, uint32_t value); /* zero-extended */
void code_add(struct code *c, int dst, int32_t value);	/* 64 bits */
void code_load(struct code *c, unsigned size, int dst, int base, int off);
void code_store(struct code *c, unsigned size, int base, int off, int src);
void code_call(struct code *c, int helper);

/*
 * Drops unreachable code (the verifier refuses it), resolves labels, and moves the program into
 * out. Returns 0; -ENOMEM; -ERANGE as island_resolve(); or -EFAULT if a label was never placed.
 */
int code_finish(struct code *c, struct filter_code *out);
void code_free(struct code *c);
