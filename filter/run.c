/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Runs classic BPF in user space, for filters that the kernel does not run, with the results of
 * libpcap's bpf_filter(). The library cannot use that function, because libpcap loads the library.
 */
#include <string.h>

#include "classic.h"

struct machine {
	const uint8_t *frame;
	uint32_t wire, len;
	uint32_t a, x, m[BPF_MEMWORDS];
	/* A load beyond the frame, a division by 0, or an endless loop: the frame is rejected. */
	bool beyond;
	uint32_t turns; /* backward jumps so far */
};

/* The state at a backward jump. If the same state occurs again, it will do so forever. */
struct mark {
	const struct sock_filter *at;
	struct machine machine;
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

static uint32_t loaded(struct machine *m, const struct sock_filter *q)
{
	switch (BPF_MODE(q->code)) {
	case BPF_ABS:
		return from_frame(m, q->k, classic_size(q->code));
	case BPF_IND: /* beyond 32 bits it does not wrap around */
		return from_frame(m, (uint64_t)m->x + q->k, classic_size(q->code));
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

static uint32_t calculated(struct machine *m, unsigned op, uint32_t with)
{
	m->beyond = !with && (op == BPF_DIV || op == BPF_MOD);
	return m->beyond ? 0 : classic_compute(op, m->a, with);
}

static bool is_at(const struct mark *mark, const struct machine *m, const struct sock_filter *q)
{
	return mark->at == q && mark->machine.a == m->a && mark->machine.x == m->x &&
	       !memcmp(mark->machine.m, m->m, sizeof(m->m));
}

/*
 * protochain jumps back for each header, and there are frames with which it never ends. Each mark
 * is set twice as late as the previous one, so that a loop of any length fits between two.
 */
static void turn_back(struct machine *m, const struct sock_filter *q, struct mark *mark)
{
	if (m->turns && is_at(mark, m, q))
		m->beyond = true;
	if (!(m->turns & (m->turns + 1)))
		*mark = (struct mark){.at = q, .machine = *m};
	m->turns++;
}

/* How many instructions to skip; below 0: backward. */
static int32_t jump(const struct machine *m, const struct sock_filter *q, uint32_t with)
{
	if (BPF_OP(q->code) == BPF_JA)
		return (int32_t)q->k;
	return classic_compare(BPF_OP(q->code), m->a, with) ? q->jt : q->jf;
}

uint32_t filter_run(const struct sock_filter *q, const uint8_t *frame, uint32_t wire, uint32_t len)
{
	struct machine m = {.frame = frame, .wire = wire, .len = len};
	struct mark mark;
	int32_t skip;

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
			skip = jump(&m, q, with);
			if (skip < 0)
				turn_back(&m, q, &mark);
			q += skip;
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
