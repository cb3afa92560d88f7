/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include "interpret.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "tests/ebpf_ops.h"

#define STACK_SIZE 512
#define MAPS_MAX   32
#define LINE	   64u
#define LINES_MAX  (1u << 20) /* a power of two, more than a run touches */

struct map {
	int fd;
	uint32_t entries;
	size_t stride;
	uint8_t *memory; /* shared with the kernel; NULL: not of a kind that can be */
};

struct run {
	const struct code *code;
	const struct input *in;
	struct path *path;
	uint64_t reg[11];
	uint8_t stack[STACK_SIZE];
	bool failed;
};

static uint64_t unknown(struct run *r, const char *what, int number)
{
	fprintf(stderr, "interpret: %s %d is not known here\n", what, number);
	r->failed = true;
	return 0;
}

/* --- memory --- */

static void touch_line(struct path *path, uint64_t line)
{
	static uint64_t seen[LINES_MAX];
	uint64_t at = line * 0x9e3779b97f4a7c15ull >> 44;

	while (seen[at % LINES_MAX] && seen[at % LINES_MAX] != line)
		at++;
	path->lines += !seen[at % LINES_MAX];
	seen[at % LINES_MAX] = line;
}

static void touch(struct run *r, uint64_t at, uint64_t size)
{
	uint64_t stack = (uintptr_t)r->stack;

	if (!size || (at >= stack && at < stack + STACK_SIZE))
		return;
	for (uint64_t line = at / LINE; line <= (at + size - 1) / LINE; line++)
		touch_line(r->path, line);
}

static unsigned access_size(const struct bpf_insn *i)
{
	switch (BPF_SIZE(i->code)) {
	case BPF_DW:
		return 8;
	case BPF_W:
		return 4;
	case BPF_H:
		return 2;
	default:
		return 1;
	}
}

static uint64_t load(struct run *r, uint64_t at, unsigned size)
{
	uint64_t value = 0;

	touch(r, at, size);
	memcpy(&value, (void *)(uintptr_t)at, size);
	return value;
}

static void store(struct run *r, uint64_t at, uint64_t value, unsigned size)
{
	touch(r, at, size);
	memcpy((void *)(uintptr_t)at, &value, size);
}

static void atomic(struct run *r, const struct bpf_insn *i)
{
	uint64_t at = r->reg[i->dst_reg] + (uint64_t)(int64_t)i->off;
	unsigned size = access_size(i);
	uint64_t old = load(r, at, size), given = r->reg[i->src_reg];

	if (i->imm == BPF_XCHG)
		store(r, at, given, size);
	else if ((i->imm & ~BPF_FETCH) == BPF_ADD)
		store(r, at, old + given, size);
	else if ((i->imm & ~BPF_FETCH) == BPF_OR)
		store(r, at, old | given, size);
	else
		unknown(r, "atomic operation", i->imm);
	if (i->imm & BPF_FETCH)
		r->reg[i->src_reg] = old;
}

/* --- maps --- */

/* Constants are frozen: they can be read alone. Timers are the kernel's alone: they have other
 * memory. */
static uint8_t *share(int fd, size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (memory == MAP_FAILED)
		memory = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
	return memory == MAP_FAILED ? calloc(1, size) : memory;
}

static void open_map(struct map *m, int fd)
{
	struct bpf_map_info info = {0};
	uint32_t size = sizeof(info);

	m->fd = fd;
	if (bpf_obj_get_info_by_fd(fd, &info, &size) || info.type != BPF_MAP_TYPE_ARRAY)
		return;
	m->entries = info.max_entries;
	m->stride = (info.value_size + 7) & ~7ul;
	m->memory = share(fd, m->stride * m->entries);
}

static struct map *map_of(int fd)
{
	static struct map maps[MAPS_MAX];
	static unsigned count;

	for (unsigned i = 0; i < count; i++)
		if (maps[i].fd == fd)
			return &maps[i];
	if (count == MAPS_MAX)
		abort();
	open_map(&maps[count], fd);
	return &maps[count++];
}

static uint64_t lookup(struct run *r, const struct map *m, uint64_t key)
{
	uint64_t number = load(r, key, sizeof(uint32_t));

	if (!m->memory)
		return unknown(r, "the kind of map", m->fd);
	return number < m->entries ? (uintptr_t)m->memory + number * m->stride : 0;
}

static uint64_t wide_immediate(struct run *r, const struct bpf_insn *i)
{
	const struct map *m;

	if (!i->src_reg)
		return (uint64_t)(uint32_t)i[1].imm << 32 | (uint32_t)i->imm;
	if (i->src_reg != BPF_PSEUDO_MAP_FD && i->src_reg != BPF_PSEUDO_MAP_VALUE)
		return unknown(r, "an address of kind", i->src_reg);
	m = map_of(i->imm);
	if (i->src_reg == BPF_PSEUDO_MAP_FD)
		return (uintptr_t)m;
	return m->memory ? (uintptr_t)m->memory + (uint32_t)i[1].imm
			 : unknown(r, "the kind of map", m->fd);
}

/* --- calls --- */

static uint64_t read_clock(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static uint64_t load_bytes(struct run *r, uint64_t from, uint64_t to, uint64_t n)
{
	if (from + n > r->in->length)
		return (uint64_t)-EINVAL;
	touch(r, (uintptr_t)r->in->frame + from, n);
	touch(r, to, n);
	memcpy((void *)(uintptr_t)to, r->in->frame + from, n);
	return 0;
}

static uint64_t call(struct run *r, const struct bpf_insn *i)
{
	const uint64_t *a = &r->reg[BPF_REG_1];

	r->path->calls++;
	if (i->src_reg == BPF_PSEUDO_KFUNC_CALL)
		return (uint64_t)-ENODATA; /* as a driver says that has nothing to tell */
	if (i->src_reg)
		return unknown(r, "a call of kind", i->src_reg);
	switch (i->imm) {
	case BPF_FUNC_map_lookup_elem:
		return lookup(r, (struct map *)(uintptr_t)a[0], a[1]);
	case BPF_FUNC_get_smp_processor_id:
		return (uint64_t)sched_getcpu();
	case BPF_FUNC_ktime_get_ns:
		return read_clock(CLOCK_MONOTONIC);
	case BPF_FUNC_ktime_get_tai_ns:
		return read_clock(CLOCK_TAI);
	case BPF_FUNC_ktime_get_coarse_ns:
		return read_clock(CLOCK_MONOTONIC_COARSE);
	case BPF_FUNC_xdp_get_buff_len:
		return r->in->length;
	case BPF_FUNC_xdp_load_bytes:
	case BPF_FUNC_skb_load_bytes:
		return load_bytes(r, a[1], a[2], a[3]);
	case BPF_FUNC_timer_start:
	case BPF_FUNC_ringbuf_output: /* the reader does not sleep here */
		return 0;
	}
	return unknown(r, "helper", i->imm);
}

/* --- arithmetic --- */

static uint64_t swap_bytes(const struct bpf_insn *i, uint64_t value)
{
	bool swaps = BPF_SRC(i->code) == BPF_TO_BE || BPF_CLASS(i->code) == BPF_ALU64;

	if (i->imm == 16)
		return swaps ? __builtin_bswap16((uint16_t)value) : (uint16_t)value;
	if (i->imm == 32)
		return swaps ? __builtin_bswap32((uint32_t)value) : (uint32_t)value;
	return swaps ? __builtin_bswap64(value) : value;
}

static uint64_t compute(struct run *r, uint8_t op, uint64_t a, uint64_t b, bool wide)
{
	uint64_t result;

	return ebpf_compute(&result, op, a, b, wide) ? result : unknown(r, "operation", op);
}

static uint64_t operand(const struct run *r, const struct bpf_insn *i)
{
	return BPF_SRC(i->code) == BPF_X ? r->reg[i->src_reg] : (uint64_t)(int64_t)i->imm;
}

static void alu(struct run *r, const struct bpf_insn *i)
{
	uint64_t a = r->reg[i->dst_reg], b = operand(r, i);

	if (BPF_OP(i->code) == BPF_END)
		r->reg[i->dst_reg] = swap_bytes(i, a);
	else if (i->off)
		unknown(r, "a variant of operation", BPF_OP(i->code));
	else if (BPF_CLASS(i->code) == BPF_ALU64)
		r->reg[i->dst_reg] = compute(r, BPF_OP(i->code), a, b, true);
	else
		r->reg[i->dst_reg] =
			(uint32_t)compute(r, BPF_OP(i->code), (uint32_t)a, (uint32_t)b, false);
}

/* --- jumps --- */

static bool jumps(struct run *r, const struct bpf_insn *i)
{
	bool wide = BPF_CLASS(i->code) == BPF_JMP, holds;
	uint64_t a = r->reg[i->dst_reg], b = operand(r, i);

	if (BPF_OP(i->code) == BPF_JA)
		return true;
	if (!wide)
		a = (uint32_t)a, b = (uint32_t)b;
	return ebpf_compare(&holds, BPF_OP(i->code), a, b, wide)
		       ? holds
		       : unknown(r, "comparison", BPF_OP(i->code));
}

static void access_memory(struct run *r, const struct bpf_insn *i)
{
	uint8_t class = BPF_CLASS(i->code), base = class == BPF_LDX ? i->src_reg : i->dst_reg;
	uint64_t at = r->reg[base] + (uint64_t)(int64_t)i->off;

	if (class == BPF_STX && BPF_MODE(i->code) == BPF_ATOMIC)
		atomic(r, i);
	else if (BPF_MODE(i->code) != BPF_MEM)
		unknown(r, "access of mode", BPF_MODE(i->code));
	else if (class == BPF_LDX)
		r->reg[i->dst_reg] = load(r, at, access_size(i));
	else
		store(r, at, class == BPF_ST ? (uint64_t)(int64_t)i->imm : r->reg[i->src_reg],
		      access_size(i));
}

/* Has it but one way to go? The verifier takes it out then, and a jump to what follows. */
static bool is_settled(const struct code *c, const struct bpf_insn *i)
{
	const bool *reached = c->reached + (i - c->insns);

	if (BPF_OP(i->code) == BPF_JA)
		return !i->off;
	return !reached[1] || !reached[1 + i->off];
}

static const struct bpf_insn *jump(struct run *r, const struct bpf_insn *i)
{
	if (i->code == (BPF_JMP | BPF_CALL)) {
		r->reg[BPF_REG_0] = call(r, i);
		return i + 1;
	}
	if (i->code == (BPF_JMP32 | BPF_JA))
		return i + 1 + i->imm;
	if (is_settled(r->code, i))
		r->path->instructions--;
	return i + 1 + (jumps(r, i) ? i->off : 0);
}

/* One instruction; returns the next. */
static const struct bpf_insn *step(struct run *r, const struct bpf_insn *i)
{
	switch (BPF_CLASS(i->code)) {
	case BPF_LD:
		r->reg[i->dst_reg] = wide_immediate(r, i);
		return i + 2;
	case BPF_LDX:
	case BPF_ST:
	case BPF_STX:
		access_memory(r, i);
		return i + 1;
	case BPF_ALU:
	case BPF_ALU64:
		alu(r, i);
		return i + 1;
	}
	return jump(r, i);
}

int interpret(const struct code *code, const struct input *in, struct path *path)
{
	struct run r = {.code = code, .in = in, .path = path};
	const struct bpf_insn *i = code->insns;

	r.reg[BPF_REG_1] = (uintptr_t)in->context;
	r.reg[BPF_REG_10] = (uintptr_t)r.stack + STACK_SIZE;
	for (path->instructions++; i->code != (BPF_JMP | BPF_EXIT) && !r.failed;
	     path->instructions++)
		i = step(&r, i);
	return r.failed ? -1 : 0;
}
