/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Runs the translator's output and watches it: typed registers, every access inside what the frame,
 * the context or the stack has, nothing read before it was written, r6-r9 left alone.
 */
#include <stddef.h>
#include <string.h>

#include <linux/bpf.h>

#include "support.h"
#include "tests/ebpf_ops.h"

enum kind { NOTHING, SCALAR, CONTEXT, STACK, PACKET, PACKET_END };

struct value {
	enum kind kind;
	uint64_t bits; /* scalar, or offset from the frame's start or from fp */
};

enum { STACK_SIZE = 512 };

struct run {
	const struct machine *m;
	struct value reg[11];
	uint8_t stack[STACK_SIZE];
	bool written[STACK_SIZE];
	bool pointer[STACK_SIZE / 8]; /* a slot holds the context */
	const char *error;
};

static struct value scalar(uint64_t bits)
{
	return (struct value){.kind = SCALAR, .bits = bits};
}

static struct value fail(struct run *r, const char *error)
{
	if (!r->error)
		r->error = error;
	return scalar(0);
}

static struct value get(struct run *r, unsigned reg)
{
	if (reg > 10 || r->reg[reg].kind == NOTHING)
		return fail(r, "register read before it was written");
	return r->reg[reg];
}

static void set(struct run *r, unsigned reg, struct value v)
{
	if (reg > BPF_REG_5)
		fail(r, "register of the host written");
	else
		r->reg[reg] = v;
}

static unsigned access_size(uint8_t code)
{
	switch (BPF_SIZE(code)) {
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

/* Index into stack[], or -1. */
static int stack_index(struct run *r, int64_t off, unsigned size, bool write, bool aligned)
{
	int64_t top = write ? r->m->stack_top : 0;

	if (off < -STACK_SIZE || off + size > top || (aligned && off % size)) {
		fail(r, write ? "bad write to the stack" : "bad read from the stack");
		return -1;
	}
	return (int)(off + STACK_SIZE);
}

static void stack_write(struct run *r, int64_t off, unsigned size, struct value v)
{
	int at = stack_index(r, off, size, true, true);

	if (at < 0)
		return;
	if (v.kind == CONTEXT && size == 8) {
		r->pointer[at / 8] = true;
	} else if (v.kind == SCALAR) {
		r->pointer[at / 8] = false;
		memcpy(&r->stack[at], &v.bits, size); /* little endian hosts */
	} else {
		fail(r, "pointer to memory spilled");
	}
	memset(&r->written[at], true, size);
}

static struct value stack_read(struct run *r, int64_t off, unsigned size)
{
	int at = stack_index(r, off, size, false, true);
	uint64_t bits = 0;

	if (at < 0)
		return scalar(0);
	for (unsigned i = 0; i < size; i++)
		if (!r->written[at + i])
			return fail(r, "stack read before it was written");
	if (r->pointer[at / 8])
		return size == 8 ? (struct value){.kind = CONTEXT} : fail(r, "part of a pointer");
	memcpy(&bits, &r->stack[at], size);
	return scalar(bits);
}

static struct value context_xdp(struct run *r, size_t off)
{
	switch (off) {
	case offsetof(struct xdp_md, data):
		return (struct value){.kind = PACKET};
	case offsetof(struct xdp_md, data_end):
		return (struct value){.kind = PACKET_END, .bits = r->m->linear};
	case offsetof(struct xdp_md, ingress_ifindex):
		return scalar(r->m->ifindex);
	case offsetof(struct xdp_md, rx_queue_index):
		return scalar(r->m->queue);
	}
	return fail(r, "unknown field of the context");
}

static struct value context_skb(struct run *r, size_t off)
{
	const struct machine *m = r->m;

	switch (off) {
	case offsetof(struct __sk_buff, data):
		return (struct value){.kind = PACKET};
	case offsetof(struct __sk_buff, data_end):
		return (struct value){.kind = PACKET_END, .bits = m->linear};
	case offsetof(struct __sk_buff, len):
		return scalar(m->len);
	case offsetof(struct __sk_buff, ifindex):
		return scalar(m->ifindex);
	case offsetof(struct __sk_buff, queue_mapping):
		return scalar(m->queue);
	case offsetof(struct __sk_buff, vlan_present):
		return scalar(m->tagged);
	case offsetof(struct __sk_buff, vlan_proto):
		return scalar((uint16_t)(m->tpid << 8 | m->tpid >> 8));
	case offsetof(struct __sk_buff, vlan_tci):
		return scalar(m->tci);
	}
	return fail(r, "unknown field of the context");
}

static struct value context_buff(struct run *r, int64_t off)
{
	switch (off) {
	case FILTER_BUFF_DATA:
		return (struct value){.kind = PACKET};
	case FILTER_BUFF_LENGTH:
		return scalar(r->m->len);
	case FILTER_BUFF_IFINDEX:
		return scalar(r->m->ifindex);
	case FILTER_BUFF_QUEUE:
		return scalar(r->m->queue);
	}
	return fail(r, "unknown field of the context");
}

static struct value context_read(struct run *r, int64_t off, unsigned size)
{
	bool buff = r->m->ctx == FILTER_BUFF;

	if (size != (buff && off == FILTER_BUFF_DATA ? 8 : 4))
		return fail(r, "a context field is read by another size");
	if (buff)
		return context_buff(r, off);
	return r->m->ctx == FILTER_XDP ? context_xdp(r, (size_t)off) : context_skb(r, (size_t)off);
}

static struct value packet_read(struct run *r, int64_t off, unsigned size)
{
	uint64_t bits = 0;

	if (off < 0 || off + size > r->m->linear)
		return fail(r, "read outside the linear part of the frame");
	memcpy(&bits, r->m->data + off, size);
	return scalar(bits);
}

static void run_load(struct run *r, const struct bpf_insn *q)
{
	struct value base = get(r, q->src_reg);
	unsigned size = access_size(q->code);
	int64_t off = (int64_t)base.bits + q->off;

	switch (base.kind) {
	case CONTEXT:
		set(r, q->dst_reg, context_read(r, q->off, size));
		break;
	case STACK:
		set(r, q->dst_reg, stack_read(r, off, size));
		break;
	case PACKET:
		if (r->m->ctx == FILTER_BUFF)
			fail(r, "memory of the kernel's read without a helper");
		set(r, q->dst_reg, packet_read(r, off, size));
		break;
	default:
		fail(r, "load from no pointer");
	}
}

static void run_store(struct run *r, const struct bpf_insn *q)
{
	struct value base = get(r, q->dst_reg);
	struct value v = BPF_CLASS(q->code) == BPF_ST ? scalar((uint64_t)(int64_t)q->imm)
						      : get(r, q->src_reg);

	if (base.kind != STACK)
		fail(r, "store to no stack");
	else
		stack_write(r, (int64_t)base.bits + q->off, access_size(q->code), v);
}

/* Helpers clobber r1-r5. */
static void called(struct run *r, uint64_t result)
{
	for (unsigned i = BPF_REG_1; i <= BPF_REG_5; i++)
		r->reg[i].kind = NOTHING;
	r->reg[BPF_REG_0] = scalar(result);
}

/* Where a helper writes to; NULL: it may not. */
static uint8_t *output_on_stack(struct run *r, struct value to, struct value size)
{
	int at = stack_index(r, (int64_t)to.bits, (unsigned)size.bits, true, false);

	if (at < 0)
		return NULL;
	memset(&r->written[at], true, size.bits);
	r->pointer[at / 8] = false;
	return &r->stack[at];
}

static void call_load_bytes(struct run *r, bool xdp)
{
	struct value ctx = get(r, BPF_REG_1), off = get(r, BPF_REG_2), to = get(r, BPF_REG_3);
	struct value size = get(r, BPF_REG_4);
	uint8_t *out;

	if (ctx.kind != CONTEXT || off.kind != SCALAR || to.kind != STACK || size.kind != SCALAR ||
	    size.bits < 1 || size.bits > 8) {
		fail(r, "bad arguments for load_bytes");
		return;
	}
	out = output_on_stack(r, to, size);
	if (!out)
		return;
	off.bits = (uint32_t)off.bits;
	if ((xdp && off.bits > 0xffff) || off.bits + size.bits > r->m->len) {
		memset(out, 0, size.bits);
		called(r, (uint64_t)-22);
		return;
	}
	memcpy(out, r->m->data + off.bits, size.bits);
	called(r, 0);
}

/* Not even tried beyond the frame: what lies there is somebody else's. */
static void call_probe_read(struct run *r)
{
	struct value to = get(r, BPF_REG_1), size = get(r, BPF_REG_2), from = get(r, BPF_REG_3);
	uint8_t *out;

	if (to.kind != STACK || size.kind != SCALAR || from.kind != PACKET || size.bits < 1 ||
	    size.bits > 8 || from.bits + size.bits > r->m->len) {
		fail(r, "bad arguments for probe_read_kernel");
		return;
	}
	out = output_on_stack(r, to, size);
	if (!out)
		return;
	memcpy(out, r->m->data + from.bits, size.bits);
	called(r, 0);
}

static void run_call(struct run *r, const struct bpf_insn *q)
{
	bool xdp = r->m->ctx == FILTER_XDP, buff = r->m->ctx == FILTER_BUFF;

	if (buff && q->imm == BPF_FUNC_probe_read_kernel) {
		call_probe_read(r);
		return;
	}
	if (xdp && q->imm == BPF_FUNC_xdp_load_bytes)
		call_load_bytes(r, true);
	else if (!xdp && !buff && q->imm == BPF_FUNC_skb_load_bytes)
		call_load_bytes(r, false);
	else if (xdp && q->imm == BPF_FUNC_xdp_get_buff_len && get(r, BPF_REG_1).kind == CONTEXT)
		called(r, r->m->len);
	else
		fail(r, "unknown call");
}

/* A translated filter never leaves a division by 0 to the kernel. */
static uint64_t compute(struct run *r, unsigned op, uint64_t a, uint64_t b, bool wide)
{
	uint64_t result;

	if ((op == BPF_DIV || op == BPF_MOD) && !b)
		return fail(r, "division by 0").bits;
	return ebpf_compute(&result, op, a, b, wide) ? result : fail(r, "unknown operation").bits;
}

static uint64_t swap(uint64_t bits, int width)
{
	return width == 16 ? __builtin_bswap16((uint16_t)bits) : __builtin_bswap32((uint32_t)bits);
}

static void run_pointer_alu(struct run *r, const struct bpf_insn *q, struct value a, struct value b)
{
	unsigned op = BPF_OP(q->code);

	if (op == BPF_SUB && a.kind == PACKET_END && b.kind == PACKET)
		set(r, q->dst_reg, scalar(a.bits - b.bits));
	else if (op == BPF_ADD && (a.kind == PACKET || a.kind == STACK) && b.kind == SCALAR)
		set(r, q->dst_reg, (struct value){.kind = a.kind, .bits = a.bits + b.bits});
	else if (op == BPF_ADD && a.kind == SCALAR && b.kind == PACKET && a.bits <= 0xffff)
		set(r, q->dst_reg, (struct value){.kind = PACKET, .bits = a.bits + b.bits});
	else
		fail(r, "arithmetic on pointers");
}

static void run_alu(struct run *r, const struct bpf_insn *q)
{
	bool wide = BPF_CLASS(q->code) == BPF_ALU64;
	unsigned op = BPF_OP(q->code);
	struct value a = op == BPF_MOV ? scalar(0) : get(r, q->dst_reg), b;

	if (op == BPF_END) {
		set(r, q->dst_reg, scalar(swap(a.bits, q->imm)));
		return;
	}
	b = BPF_SRC(q->code) == BPF_X ? get(r, q->src_reg) : scalar((uint64_t)(int64_t)q->imm);
	if (op == BPF_MOV && wide) {
		set(r, q->dst_reg, b);
	} else if (a.kind != SCALAR || b.kind != SCALAR) {
		if (wide)
			run_pointer_alu(r, q, a, b);
		else
			fail(r, "arithmetic on pointers");
	} else if (wide) {
		set(r, q->dst_reg, scalar(compute(r, op, a.bits, b.bits, true)));
	} else {
		set(r, q->dst_reg,
		    scalar((uint32_t)compute(r, op, (uint32_t)a.bits, (uint32_t)b.bits, false)));
	}
}

static bool taken(struct run *r, const struct bpf_insn *q)
{
	bool wide = BPF_CLASS(q->code) == BPF_JMP, holds = false;
	struct value a = get(r, q->dst_reg);
	struct value b =
		BPF_SRC(q->code) == BPF_X ? get(r, q->src_reg) : scalar((uint64_t)(int64_t)q->imm);

	if (a.kind != SCALAR || b.kind != SCALAR) {
		if (!wide || a.kind != PACKET || b.kind != PACKET_END)
			fail(r, "comparison of pointers");
	} else if (!wide) {
		a.bits = (uint32_t)a.bits, b.bits = (uint32_t)b.bits;
	}
	if (!ebpf_compare(&holds, BPF_OP(q->code), a.bits, b.bits, wide))
		fail(r, "unknown comparison");
	return holds;
}

/* Index of the next instruction. */
static unsigned run_jump(struct run *r, const struct bpf_insn *q, unsigned i)
{
	bool jump = q->code == (BPF_JMP | BPF_JA) || taken(r, q);

	if (q->off < 0)
		fail(r, "backward jump");
	return jump ? i + 1 + (unsigned)q->off : i + 1;
}

static unsigned run_insn(struct run *r, const struct bpf_insn *q, unsigned i)
{
	switch (BPF_CLASS(q->code)) {
	case BPF_LDX:
		run_load(r, q);
		break;
	case BPF_ST:
	case BPF_STX:
		run_store(r, q);
		break;
	case BPF_ALU:
	case BPF_ALU64:
		run_alu(r, q);
		break;
	case BPF_JMP:
	case BPF_JMP32:
		if (q->code != (BPF_JMP | BPF_CALL))
			return run_jump(r, q, i);
		run_call(r, q);
		break;
	default:
		fail(r, "unknown instruction");
	}
	return i + 1;
}

static void start(struct run *r, const struct machine *m)
{
	*r = (struct run){.m = m};
	r->reg[BPF_REG_1].kind = CONTEXT;
	r->reg[BPF_REG_10].kind = STACK;
	if (m->ctx == FILTER_XDP && m->tagged) {
		uint64_t tag = (uint64_t)m->tpid << 16 | m->tci;

		memcpy(&r->stack[m->tag_slot + STACK_SIZE], &tag, sizeof(tag));
		memset(&r->written[m->tag_slot + STACK_SIZE], true, sizeof(tag));
	}
}

const char *machine_run(const struct machine *m, const struct bpf_insn *insns, unsigned n,
			uint32_t *result)
{
	struct run r;
	unsigned i = 0;

	start(&r, m);
	while (!r.error && i < n && insns[i].code != (BPF_JMP | BPF_EXIT))
		i = run_insn(&r, &insns[i], i);
	if (!r.error && i >= n)
		return "ran off the end";
	if (!r.error && (get(&r, BPF_REG_0).kind != SCALAR || get(&r, BPF_REG_0).bits >> 32))
		return "the result is not a zero-extended scalar";
	*result = (uint32_t)r.reg[BPF_REG_0].bits;
	return r.error;
}
