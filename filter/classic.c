/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <stdlib.h>

#include "classic.h"

bool node_is_context_load(const struct node *q)
{
	if (q->code != (BPF_LD | BPF_W | BPF_ABS))
		return false;
	switch (q->k - ANCILLARY(0)) {
	case SKF_AD_IFINDEX:
	case SKF_AD_QUEUE:
	case SKF_AD_VLAN_TAG:
	case SKF_AD_VLAN_TAG_PRESENT:
	case SKF_AD_PROTOCOL:
	case SKF_AD_PKTTYPE:
		return true;
	default:
		return false;
	}
}

bool node_is_packet_load(const struct node *q)
{
	return BPF_CLASS(q->code) == BPF_LD &&
	       (BPF_MODE(q->code) == BPF_ABS || BPF_MODE(q->code) == BPF_IND) &&
	       !node_is_context_load(q);
}

bool node_is_branch(const struct node *q)
{
	return BPF_CLASS(q->code) == BPF_JMP && BPF_OP(q->code) != BPF_JA;
}

bool node_uses_x(const struct node *q)
{
	if (BPF_CLASS(q->code) == BPF_ALU)
		return BPF_OP(q->code) != BPF_NEG && BPF_SRC(q->code) == BPF_X;
	return node_is_branch(q) && BPF_SRC(q->code) == BPF_X;
}

bool node_loads_length(const struct node *q)
{
	unsigned class = BPF_CLASS(q->code);

	return (class == BPF_LD || class == BPF_LDX) && BPF_MODE(q->code) == BPF_LEN;
}

unsigned classic_size(uint16_t code)
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

unsigned node_size(const struct node *q)
{
	return classic_size(q->code);
}

uint32_t classic_compute(unsigned op, uint32_t a, uint32_t k)
{
	switch (op) {
	case BPF_ADD:
		return a + k;
	case BPF_SUB:
		return a - k;
	case BPF_MUL:
		return a * k;
	case BPF_DIV:
		return a / k;
	case BPF_MOD:
		return a % k;
	case BPF_AND:
		return a & k;
	case BPF_OR:
		return a | k;
	case BPF_XOR:
		return a ^ k;
	case BPF_LSH:
		return k > 31 ? 0 : a << k;
	case BPF_RSH:
		return k > 31 ? 0 : a >> k;
	default:
		return 0 - a; /* BPF_NEG */
	}
}

bool classic_compare(unsigned op, uint32_t a, uint32_t k)
{
	switch (op) {
	case BPF_JEQ:
		return a == k;
	case BPF_JGT:
		return a > k;
	case BPF_JGE:
		return a >= k;
	default:
		return a & k; /* BPF_JSET */
	}
}

static bool undefined_shift(const struct sock_filter *q)
{
	return (q->code == (BPF_ALU | BPF_LSH | BPF_K) || q->code == (BPF_ALU | BPF_RSH | BPF_K)) &&
	       q->k >= 32;
}

static int build_node(struct node *q, const struct sock_filter *f, unsigned i, char *err,
		      size_t errlen)
{
	unsigned next = i + 1;

	*q = (struct node){.code = f->code, .k = f->k, .t = next, .f = next, .origin = i};
	if (undefined_shift(f))
		return filter_fail(-EOPNOTSUPP, err, errlen,
				   "instruction %u: shift by %u is undefined", i, f->k);
	if (f->code == (BPF_JMP | BPF_JA)) {
		q->t = q->f = next + f->k;
	} else if (node_is_branch(q)) {
		q->t = next + f->jt;
		q->f = next + f->jf;
	}
	return 0;
}

static int unroll(struct classic *p, const struct sock_filter *f, bool allowed, char *err,
		  size_t errlen)
{
	int back = filter_turns_back(f, p->n), e;

	if (back < 0)
		return 0;
	if (!allowed)
		return filter_fail(-EOPNOTSUPP, err, errlen, "instruction %d: backward jump", back);
	e = classic_unroll(p);
	if (e == -E2BIG)
		return filter_fail(-EOPNOTSUPP, err, errlen,
				   "instruction %d: backward jump in a long program", back);
	return e ? filter_fail(e, err, errlen, "out of memory") : 0;
}

int classic_build(struct classic *p, const struct sock_filter *f, unsigned n, bool unrolled,
		  char *err, size_t errlen)
{
	int e;

	*p = (struct classic){.n = n};
	p->node = calloc(n, sizeof(*p->node));
	if (!p->node)
		return filter_fail(-ENOMEM, err, errlen, "out of memory");
	for (unsigned i = 0; i < n; i++) {
		e = build_node(&p->node[i], &f[i], i, err, errlen);
		if (e)
			return e;
	}
	e = unroll(p, f, unrolled, err, errlen);
	if (e)
		return e;
	classic_thread(p);
	return 0;
}

void classic_free(struct classic *p)
{
	free(p->node);
	p->node = NULL;
	p->n = 0;
}

static unsigned past_ja(const struct classic *p, unsigned i)
{
	return i < p->n && p->node[i].code == (BPF_JMP | BPF_JA) ? p->node[i].t : i;
}

/* From the end, so that each JA that is met has been threaded already. */
void classic_thread(struct classic *p)
{
	for (unsigned i = p->n; i-- > 0;) {
		struct node *q = &p->node[i];

		q->t = past_ja(p, q->t);
		q->f = past_ja(p, q->f);
		if (q->meeting && q->code == (BPF_JMP | BPF_JA))
			p->node[q->t].meeting = true;
	}
	p->entry = past_ja(p, 0);
}

/* The last return with the same value, among the few that are remembered; if there is none, i. */
static unsigned same_return(const struct classic *p, unsigned i, const unsigned *last, unsigned n)
{
	if (i >= p->n || p->node[i].code != (BPF_RET | BPF_K))
		return i;
	for (unsigned v = 0; v < n; v++)
		if (p->node[last[v]].k == p->node[i].k)
			return last[v];
	return i;
}

void classic_share_returns(struct classic *p)
{
	enum { VALUES = 4 };
	unsigned last[VALUES], n = 0;

	for (unsigned i = p->n; i-- > 0;) {
		struct node *q = &p->node[i];

		if (q->code == (BPF_RET | BPF_K) && n < VALUES && same_return(p, i, last, n) == i)
			last[n++] = i;
		if (BPF_CLASS(q->code) == BPF_RET)
			continue;
		q->t = same_return(p, q->t, last, n);
		q->f = same_return(p, q->f, last, n);
	}
}
