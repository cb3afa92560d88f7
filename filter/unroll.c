/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Backward jumps, which libpcap's protochain has: the program is repeated for each one that is
 * followed. After the last one, the frame is kept whole, for user space to decide. What can reach
 * no backward jump any more is there once, after all rounds.
 *
 * Where paths of several rounds join, what they left in A and X is forgotten (forward.c), so that
 * the verifier follows the rest only for the first of them.
 */
#include <errno.h>
#include <stdlib.h>

#include "classic.h"

enum { ROUNDS = FILTER_TURNS + 1 };

/* A place is round * n + node; places of round ROUNDS are what is there once. */
struct unrolling {
	const struct classic *from;
	bool *turns;	/* nodes from which a backward jump can be reached */
	unsigned *left; /* by place: 1 + its index in the result; 0: nothing leads there */
	unsigned taken; /* the place after all others */
	unsigned n;	/* nodes in the result */
};

static void find_turns(struct unrolling *u)
{
	for (unsigned i = u->from->n; i-- > 0;) {
		const struct node *q = &u->from->node[i];

		if (BPF_CLASS(q->code) != BPF_RET)
			u->turns[i] = q->t <= i || u->turns[q->t] || u->turns[q->f];
	}
}

static unsigned follow(const struct unrolling *u, unsigned place, unsigned to)
{
	unsigned n = u->from->n, from = place % n, round = place / n + (to <= from);

	if (!u->turns[from])
		return place - from + to;
	if (round == ROUNDS)
		return u->taken;
	return (u->turns[to] ? round : ROUNDS) * n + to;
}

static const struct node *node_at(const struct unrolling *u, unsigned place)
{
	return &u->from->node[place % u->from->n];
}

/* All ways lead forward. */
static void find_left(struct unrolling *u)
{
	u->left[u->turns[0] ? 0 : u->taken - u->from->n] = 1;
	for (unsigned place = 0; place < u->taken; place++) {
		const struct node *q = node_at(u, place);

		if (!u->left[place])
			continue;
		u->left[place] = ++u->n;
		if (BPF_CLASS(q->code) == BPF_RET)
			continue;
		u->left[follow(u, place, q->t)] = 1;
		u->left[follow(u, place, q->f)] = 1;
	}
	u->left[u->taken] = ++u->n;
}

static unsigned aim(const struct unrolling *u, struct node *node, unsigned place, unsigned to)
{
	unsigned target = follow(u, place, to), i = u->left[target] - 1;

	if (target / u->from->n != place / u->from->n)
		node[i].meeting = true;
	return i;
}

static void copy(const struct unrolling *u, struct node *node)
{
	for (unsigned place = 0; place < u->taken; place++) {
		const struct node *q = node_at(u, place);
		struct node *to;

		if (!u->left[place])
			continue;
		to = &node[u->left[place] - 1];
		to->code = q->code;
		to->k = q->k;
		to->origin = q->origin;
		if (BPF_CLASS(q->code) == BPF_RET)
			continue;
		to->t = aim(u, node, place, q->t);
		to->f = aim(u, node, place, q->f);
	}
	node[u->n - 1] = (struct node){
		.code = BPF_RET | BPF_K,
		.k = UINT32_MAX,
		.origin = u->from->n - 1,
	};
}

static int make(struct unrolling *u, struct classic *p)
{
	struct node *node;

	find_turns(u);
	find_left(u);
	if (u->n > FILTER_MAX_INSNS)
		return -E2BIG;
	node = calloc(u->n, sizeof(*node));
	if (!node)
		return -ENOMEM;
	copy(u, node);
	free(p->node);
	p->node = node;
	p->n = u->n;
	return 0;
}

int classic_unroll(struct classic *p)
{
	struct unrolling u = {.from = p, .taken = (ROUNDS + 1) * p->n};
	int e = -ENOMEM;

	u.turns = calloc(p->n, sizeof(*u.turns));
	u.left = calloc(u.taken + 1, sizeof(*u.left));
	if (u.turns && u.left)
		e = make(&u, p);
	free(u.turns);
	free(u.left);
	return e;
}

int filter_turns_back(const struct sock_filter *f, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (f[i].code == (BPF_JMP | BPF_JA) && (int32_t)f[i].k < 0)
			return (int)i;
	return -1;
}
