/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "filter/island.h"
#include "settle.h"

/* The verifier removes this. */
static const struct bpf_insn nothing = {.code = BPF_JMP | BPF_JA};

/* For each instruction: is it the target of a jump? NULL: no memory. */
static bool *find_targets(const struct bpf_insn *insns, size_t n)
{
	bool *target = calloc(n, sizeof(*target));

	for (size_t i = 0; target && i < n; i += is_wide(&insns[i]) ? 2 : 1) {
		bool far = insns[i].code == (BPF_JMP32 | BPF_JA);
		int64_t to = (int64_t)i + 1 + (far ? insns[i].imm : insns[i].off);

		if ((far || is_jump(&insns[i])) && to >= 0 && to < (int64_t)n)
			target[to] = true;
	}
	return target;
}

static size_t load_size(const struct bpf_insn *i)
{
	static const uint8_t sizes[] = {4, 2, 1, 8}; /* of BPF_W, _H, _B, _DW */

	return sizes[BPF_SIZE(i->code) >> 3];
}

static uint64_t value_at(const uint8_t *at, size_t size)
{
	uint8_t byte;
	uint16_t half;
	uint32_t word;
	uint64_t all;

	switch (size) {
	case 1:
		return memcpy(&byte, at, size), byte;
	case 2:
		return memcpy(&half, at, size), half;
	case 4:
		return memcpy(&word, at, size), word;
	}
	return memcpy(&all, at, size), all;
}

/* Does it write the register without reading it? */
static bool overwrites(const struct bpf_insn *i, unsigned reg)
{
	unsigned class = BPF_CLASS(i->code);
	bool alu = class == BPF_ALU || class == BPF_ALU64;
	bool moves = alu && BPF_OP(i->code) == BPF_MOV;
	bool reads = class == BPF_LDX || (moves && BPF_SRC(i->code) == BPF_X);

	return i->dst_reg == reg && (moves || class == BPF_LDX || is_wide(i)) &&
	       !(reads && i->src_reg == reg);
}

/* May it read the register? No field names the registers that calls and atomic operations read. */
static bool may_read(const struct bpf_insn *i, unsigned reg)
{
	unsigned class = BPF_CLASS(i->code);

	return class == BPF_JMP || class == BPF_JMP32 || i->dst_reg == reg || i->src_reg == reg ||
	       (class == BPF_LD && !is_wide(i)) ||
	       (class == BPF_STX && BPF_MODE(i->code) != BPF_MEM);
}

/* Is the register written before control flow may divide, and not read before that? */
static bool is_done(const struct bpf_insn *insns, size_t n, size_t from, unsigned reg,
		    const bool *target)
{
	for (size_t i = from; i < n && !target[i]; i += is_wide(&insns[i]) ? 2 : 1) {
		if (overwrites(&insns[i], reg))
			return true;
		if (may_read(&insns[i], reg))
			return false;
	}
	return false;
}

/* insns: loads an address of the constants, then a value from there. done: nothing else uses the
 * address. */
static void settle(struct bpf_insn *insns, const uint8_t *values, size_t length, bool done)
{
	struct bpf_insn *load = &insns[2];
	int64_t at = (int64_t)insns[1].imm + load->off;
	size_t size = load_size(load);
	uint64_t value;

	if (at < 0 || (uint64_t)at + size > length)
		return;
	value = value_at(values + at, size);
	if (value >> 32) /* no short instruction takes such a value */
		return;
	if (done || load->dst_reg == insns->dst_reg)
		insns[0] = insns[1] = nothing;
	*load = (struct bpf_insn){.code = BPF_ALU | BPF_MOV | BPF_K,
				  .dst_reg = load->dst_reg,
				  .imm = (int32_t)(uint32_t)value};
}

int settle_constants(struct bpf_insn *insns, size_t n, struct bpf_map *constants)
{
	size_t length;
	const uint8_t *values = bpf_map__initial_value(constants, &length);
	int fd = bpf_map__fd(constants);
	bool *target;

	if (!values)
		return 0;
	target = find_targets(insns, n);
	if (!target)
		return -ENOMEM;
	for (size_t i = 0; i + 2 < n; i++) {
		const struct bpf_insn *address = &insns[i], *load = &insns[i + 2];

		if (!is_wide(address))
			continue;
		if (address->src_reg == BPF_PSEUDO_MAP_VALUE && address->imm == fd &&
		    !target[i + 2] && BPF_CLASS(load->code) == BPF_LDX &&
		    BPF_MODE(load->code) == BPF_MEM && load->src_reg == address->dst_reg)
			settle(&insns[i], values, length,
			       is_done(insns, n, i + 3, address->dst_reg, target));
		i++;
	}
	free(target);
	return 0;
}
