/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * One pass from the first instruction to the last. Far jumps to the same place share their islands,
 * and the islands for all places are together in pools, where code does not fall through if there
 * is such a place soon enough. A forward jump goes to the next island, or to its target if that
 * comes first; a backward jump to the last island, or to its target if there was none since.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <linux/bpf.h>

#include "island.h"

enum {
	REACH = INT16_MAX,
	SLACK = 4096, /* how much pools may add between a jump that is not far and its target */
	FAR_MAX = SLACK / 3,		    /* keeps pools so small; at most two are in between */
	POOL_AFTER = 16384,		    /* from here on, if it costs nothing */
	BETWEEN = POOL_AFTER - FAR_MAX - 1, /* at least this many instructions from pool to pool */
	NO_LABEL = -1,
};

/* A target of far jumps. Labels stand for places in the result; those below n stand for
 * instructions. */
struct far {
	unsigned target;
	unsigned last; /* the last far jump that comes after it */
	int forward;   /* target of the jumps before it since the last pool, or NO_LABEL */
	int backward;  /* target of the jumps after it */
};

struct layout {
	const struct aimed *in;
	struct bpf_insn *out;
	int *aim; /* per instruction of out: a label, or NO_LABEL */
	unsigned len;
	unsigned *place; /* per label */
	unsigned labels;
	struct far *far;
	unsigned fars;
	unsigned *far_of; /* per instruction of in: 1 + its index in far, or 0 */
	unsigned since;	  /* where the last pool begins */
};

/* Calls, addresses of subprograms, and `gotol` have a 32-bit distance. */
static bool is_imm_aimed(const struct bpf_insn *insn)
{
	return is_wide(insn) || insn->code == (BPF_JMP | BPF_CALL) ||
	       insn->code == (BPF_JMP32 | BPF_JA);
}

static bool is_far(const struct aimed *in, unsigned i)
{
	unsigned to = in->target[i];

	if (to == NOWHERE || is_imm_aimed(&in->insns[i]))
		return false;
	return (to > i ? to - i : i - to) + SLACK > REACH;
}

static int find_far(struct layout *l)
{
	const struct aimed *in = l->in;

	for (unsigned i = 0; i < in->n; i++) {
		unsigned to = in->target[i];

		if (!is_far(in, i))
			continue;
		if (!l->far_of[to]) {
			if (l->fars == FAR_MAX)
				return -ERANGE;
			l->far[l->fars++] = (struct far){.target = to, .forward = NO_LABEL};
			l->far_of[to] = l->fars;
		}
		if (to < i)
			l->far[l->far_of[to] - 1].last = i;
	}
	return 0;
}

static int allocate(struct layout *l)
{
	unsigned n = l->in->n, pools, size;

	l->far = calloc(FAR_MAX, sizeof(*l->far));
	l->far_of = calloc(n, sizeof(*l->far_of));
	if (!l->far || !l->far_of)
		return -ENOMEM;
	if (find_far(l))
		return -ERANGE;
	pools = l->fars ? n / BETWEEN + 1 : 0;
	size = n + pools * (l->fars + 1);
	l->out = calloc(size, sizeof(*l->out));
	l->aim = calloc(size, sizeof(*l->aim));
	l->place = calloc(n + 2 * l->fars * (pools + 1), sizeof(*l->place));
	l->labels = n;
	return l->out && l->aim && l->place ? 0 : -ENOMEM;
}

static void emit(struct layout *l, struct bpf_insn insn, int label)
{
	l->out[l->len] = insn;
	l->aim[l->len++] = label;
}

static void emit_jump(struct layout *l, int label)
{
	emit(l, (struct bpf_insn){.code = BPF_JMP | BPF_JA}, label);
}

static bool is_ahead(const struct far *f, unsigned i)
{
	return f->forward != NO_LABEL && f->target > i;
}

static bool is_behind(const struct far *f, unsigned i)
{
	return f->target < i && i <= f->last;
}

static bool pool_is_due(const struct layout *l)
{
	unsigned length = l->len - l->since;

	if (!l->fars || length < POOL_AFTER)
		return false;
	return !falls_through(&l->out[l->len - 1]) || length + l->fars + 4 > REACH;
}

/* Emits a pool in front of instruction i. */
static void emit_pool(struct layout *l, unsigned i)
{
	bool needed = false;

	l->since = l->len;
	for (unsigned k = 0; k < l->fars && !needed; k++)
		needed = is_ahead(&l->far[k], i) || is_behind(&l->far[k], i);
	if (needed && falls_through(&l->out[l->len - 1]))
		emit_jump(l, (int)i);
	for (unsigned k = 0; k < l->fars; k++) {
		struct far *f = &l->far[k];
		int label = (int)l->labels;

		if (is_ahead(f, i)) {
			l->place[f->forward] = l->len;
			f->forward = label;
			l->labels++;
			emit_jump(l, label);
		} else if (is_behind(f, i)) {
			l->place[l->labels++] = l->len;
			emit_jump(l, f->backward);
			f->backward = label;
		}
	}
}

static void place(struct layout *l, unsigned i)
{
	struct far *f = l->far_of[i] ? &l->far[l->far_of[i] - 1] : NULL;

	l->place[i] = l->len;
	if (!f)
		return;
	if (f->forward != NO_LABEL)
		l->place[f->forward] = l->len;
	f->forward = NO_LABEL;
	f->backward = (int)i;
}

static int label_for(struct layout *l, unsigned i)
{
	unsigned to = l->in->target[i];
	struct far *f;

	if (to == NOWHERE)
		return NO_LABEL;
	if (!is_far(l->in, i))
		return (int)to;
	f = &l->far[l->far_of[to] - 1];
	if (to < i)
		return f->backward;
	if (f->forward == NO_LABEL)
		f->forward = (int)l->labels++;
	return f->forward;
}

static void lay_out(struct layout *l)
{
	const struct aimed *in = l->in;

	for (unsigned i = 0; i < in->n; i++) {
		if (pool_is_due(l))
			emit_pool(l, i);
		place(l, i);
		emit(l, in->insns[i], label_for(l, i));
		if (!is_wide(&in->insns[i]) || i + 1 == in->n)
			continue;
		i++; /* the second half is data, whatever it looks like */
		place(l, i);
		emit(l, in->insns[i], NO_LABEL);
	}
}

static int measure(struct layout *l)
{
	for (unsigned i = 0; i < l->len; i++) {
		struct bpf_insn *insn = &l->out[i];
		int64_t distance;

		if (l->aim[i] == NO_LABEL)
			continue;
		distance = (int64_t)l->place[l->aim[i]] - i - 1;
		if (is_imm_aimed(insn))
			insn->imm = (int32_t)distance;
		else if (distance < INT16_MIN || distance > INT16_MAX)
			return -EFAULT; /* a bug in this file */
		else
			insn->off = (int16_t)distance;
	}
	return 0;
}

int island_resolve(const struct aimed *in, struct bpf_insn **out, unsigned *n_out, unsigned *moved)
{
	struct layout l = {.in = in};
	int e = allocate(&l);

	if (!e) {
		lay_out(&l);
		e = measure(&l);
	}
	if (!e && moved)
		memcpy(moved, l.place, in->n * sizeof(*moved));
	if (!e) {
		*out = l.out;
		*n_out = l.len;
		l.out = NULL;
	}
	free(l.out);
	free(l.aim);
	free(l.place);
	free(l.far);
	free(l.far_of);
	return e;
}
