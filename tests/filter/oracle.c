/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Classic BPF as bpf_filter() runs it, written from its description, to check both against. */
#include "support.h"

enum { ENDLESS = 20000 }; /* more headers than a frame has */

struct oracle {
	const uint8_t *data;
	uint32_t wire, len;
	uint32_t a, x, m[BPF_MEMWORDS];
	uint32_t written;
	struct verdict verdict;
	unsigned turns; /* backward jumps */
	bool rejected;
};

static uint32_t fetch(struct oracle *o, uint64_t at, unsigned size)
{
	uint32_t value = 0;

	if (at > INT32_MAX)
		o->verdict.kernel_differs = true; /* an offset from another layer, or wrapped */
	if (at + size <= UINT16_MAX && at + size > o->verdict.reach)
		o->verdict.reach = (uint32_t)(at + size);
	if (at + size > o->len) {
		o->rejected = true;
		return 0;
	}
	for (unsigned i = 0; i < size; i++)
		value = value << 8 | o->data[at + i];
	return value;
}

static unsigned size_of(uint16_t code)
{
	return BPF_SIZE(code) == BPF_W ? 4 : BPF_SIZE(code) == BPF_H ? 2 : 1;
}

static uint32_t memory(struct oracle *o, uint32_t word)
{
	if (!(o->written >> word & 1))
		o->verdict.reads_garbage = true;
	return o->m[word];
}

static uint32_t load(struct oracle *o, const struct sock_filter *q)
{
	switch (BPF_MODE(q->code)) {
	case BPF_ABS:
		return fetch(o, q->k, size_of(q->code));
	case BPF_IND:
		return fetch(o, (uint64_t)q->k + o->x, size_of(q->code));
	case BPF_MSH:
		return (fetch(o, q->k, 1) & 0xf) * 4;
	case BPF_LEN:
		return o->wire;
	case BPF_MEM:
		return memory(o, q->k);
	default:
		return q->k;
	}
}

static uint32_t operate(struct oracle *o, unsigned op, uint32_t by)
{
	switch (op) {
	case BPF_ADD:
		return o->a + by;
	case BPF_SUB:
		return o->a - by;
	case BPF_MUL:
		return o->a * by;
	case BPF_OR:
		return o->a | by;
	case BPF_AND:
		return o->a & by;
	case BPF_XOR:
		return o->a ^ by;
	case BPF_LSH:
		o->verdict.kernel_differs |= by >= 32;
		return by < 32 ? o->a << by : 0;
	case BPF_RSH:
		o->verdict.kernel_differs |= by >= 32;
		return by < 32 ? o->a >> by : 0;
	case BPF_NEG:
		return -o->a;
	}
	if (!by) {
		o->rejected = true;
		return 0;
	}
	return op == BPF_DIV ? o->a / by : o->a % by;
}

static bool holds(const struct oracle *o, unsigned op, uint32_t with)
{
	switch (op) {
	case BPF_JEQ:
		return o->a == with;
	case BPF_JGT:
		return o->a > with;
	case BPF_JGE:
		return o->a >= with;
	default:
		return o->a & with;
	}
}

static void store(struct oracle *o, uint32_t word, uint32_t value)
{
	o->m[word] = value;
	o->written |= 1u << word;
}

static void step(struct oracle *o, const struct sock_filter *q)
{
	uint32_t operand = BPF_SRC(q->code) == BPF_X ? o->x : q->k;

	switch (BPF_CLASS(q->code)) {
	case BPF_LD:
		o->a = load(o, q);
		break;
	case BPF_LDX:
		o->x = load(o, q);
		break;
	case BPF_ST:
		store(o, q->k, o->a);
		break;
	case BPF_STX:
		store(o, q->k, o->x);
		break;
	case BPF_ALU:
		o->a = operate(o, BPF_OP(q->code), operand);
		break;
	case BPF_MISC:
		if (BPF_MISCOP(q->code) == BPF_TAX)
			o->x = o->a;
		else
			o->a = o->x;
		break;
	}
}

static void turn(struct oracle *o)
{
	if (++o->turns == ENDLESS)
		o->verdict.endless = o->rejected = true;
}

static struct verdict verdict_of(const struct oracle *o, uint32_t value)
{
	struct verdict v = o->verdict;

	v.value = value;
	v.unrolled = o->turns > FILTER_TURNS ? UINT32_MAX : value;
	return v;
}

struct verdict oracle(const struct sock_filter *f, unsigned n, const uint8_t *data, uint32_t wire,
		      uint32_t len)
{
	struct oracle o = {.data = data, .wire = wire, .len = len};

	for (unsigned i = 0; i < n && !o.rejected; i++) {
		const struct sock_filter *q = &f[i];

		if (BPF_CLASS(q->code) == BPF_RET)
			return verdict_of(&o, BPF_RVAL(q->code) == BPF_A ? o.a : q->k);
		if (q->code == (BPF_JMP | BPF_JA) && (int32_t)q->k < 0)
			turn(&o);
		if (q->code == (BPF_JMP | BPF_JA))
			i += q->k;
		else if (BPF_CLASS(q->code) == BPF_JMP)
			i += holds(&o, BPF_OP(q->code), BPF_SRC(q->code) == BPF_X ? o.x : q->k)
				     ? q->jt
				     : q->jf;
		else
			step(&o, q);
	}
	return verdict_of(&o, 0);
}
