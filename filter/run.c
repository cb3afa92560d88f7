/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Classic BPF in user space, for filters that the kernel does not run, with the results of
 * libpcap's bpf_filter(). The library cannot have that one: libpcap loads the library.
 */
#include "classic.h"

struct machine {
	const uint8_t *frame;
	uint32_t wire, len;
	uint32_t a, x, m[BPF_MEMWORDS];
	bool beyond; /* a load was beyond the frame, or a division by 0: the frame is rejected */
};

static uint32_t big_endian(const uint8_t *at, unsigned size)
{
	uint32_t value = at[0];

	for (unsigned i = 1; i < size; i++)
		value = value << 8 | at[i];
	return value;
}

static uint32_t from_frame(struct machine *m, uint64_t at, unsigned size)
{
	if (at + size <= m->len)
		return big_endian(m->frame + at, size);
	m->beyond = true;
	return 0;
}

static unsigned width(uint16_t code)
{
	switch (BPF_SIZE(code)) {
	case BPF_W:
		return 4;
	case BPF_H:
		return 2;
	default:
		return 1;
	}
}

static uint32_t loaded(struct machine *m, const struct sock_filter *q)
{
	switch (BPF_MODE(q->code)) {
	case BPF_ABS:
		return from_frame(m, q->k, width(q->code));
	case BPF_IND: /* beyond 32 bits it does not come round again */
		return from_frame(m, (uint64_t)m->x + q->k, width(q->code));
	case BPF_MSH:
		return 4 * (from_frame(m, q->k, 1) & 15);
	case BPF_MEM:
		return m->m[q->k];
	case BPF_LEN:
		return m->wire;
	default:
		return q->k;
	}
}

static uint32_t divided(struct machine *m, bool remainder, uint32_t by)
{
	if (by)
		return remainder ? m->a % by : m->a / by;
	m->beyond = true;
	return 0;
}

static uint32_t calculated(struct machine *m, unsigned op, uint32_t with)
{
	switch (op) {
	case BPF_ADD:
		return m->a + with;
	case BPF_SUB:
		return m->a - with;
	case BPF_MUL:
		return m->a * with;
	case BPF_DIV:
	case BPF_MOD:
		return divided(m, op == BPF_MOD, with);
	case BPF_AND:
		return m->a & with;
	case BPF_OR:
		return m->a | with;
	case BPF_XOR:
		return m->a ^ with;
	case BPF_LSH:
		return with > 31 ? 0 : m->a << with;
	case BPF_RSH:
		return with > 31 ? 0 : m->a >> with;
	default: /* BPF_NEG */
		return 0 - m->a;
	}
}

/* How many instructions to skip; below 0: back, as protochain goes. */
static int32_t jump(const struct machine *m, const struct sock_filter *q, uint32_t with)
{
	bool holds;

	switch (BPF_OP(q->code)) {
	case BPF_JA:
		return (int32_t)q->k;
	case BPF_JEQ:
		holds = m->a == with;
		break;
	case BPF_JGT:
		holds = m->a > with;
		break;
	case BPF_JGE:
		holds = m->a >= with;
		break;
	default:
		holds = m->a & with;
	}
	return holds ? q->jt : q->jf;
}

uint32_t filter_run(const struct sock_filter *q, const uint8_t *frame, uint32_t wire, uint32_t len)
{
	struct machine m = {.frame = frame, .wire = wire, .len = len};

	for (; !m.beyond; q++) {
		uint32_t with = BPF_SRC(q->code) == BPF_X ? m.x : q->k;

		switch (BPF_CLASS(q->code)) {
		case BPF_LD:
			m.a = loaded(&m, q);
			break;
		case BPF_LDX:
			m.x = loaded(&m, q);
			break;
		case BPF_ST:
			m.m[q->k] = m.a;
			break;
		case BPF_STX:
			m.m[q->k] = m.x;
			break;
		case BPF_ALU:
			m.a = calculated(&m, BPF_OP(q->code), with);
			break;
		case BPF_JMP:
			q += jump(&m, q, with);
			break;
		case BPF_RET:
			return BPF_RVAL(q->code) == BPF_A ? m.a : q->k;
		default: /* BPF_MISC */
			if (BPF_MISCOP(q->code) == BPF_TAX)
				m.x = m.a;
			else
				m.a = m.x;
		}
	}
	return 0;
}
