/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#pragma once

/* What the emitter must know of a program before it writes one form of it. */
#include "classic.h"

/* One form. Where the tag is, and how the frame is read, determine which loads are plain. */
struct view {
	enum filter_ctx ctx;
	bool tagged;
	bool helper; /* every load is by helper; else by direct packet access */
	unsigned disable;
};

#define NEVER	   UINT32_MAX
#define DIRECT_END 0xffffu /* the verifier allows a packet pointer no larger range */
#define TAG_AT	   12u
#define TAG_BYTES  4u
#define TAG_END	   (TAG_AT + TAG_BYTES)

struct field {
	uint32_t mode; /* BPF_ABS or BPF_IND */
	uint32_t k;
	uint32_t size;
};

struct field node_field(const struct node *q); /* of a packet load or BPF_MSH */
/*
 * First byte that the field does not need, counted from the frame's start or from X; NEVER: no
 * frame has the field.
 */
uint32_t field_end(const struct view *v, struct field field);
/* Can a single load read it? If not, direct forms jump to the helper form, which reads it in
 * pieces. */
bool field_plain(const struct view *v, struct field field);

/* Computed backward: the bytes that every accepting path from here needs. One guard may check them
 * all. */
struct need {
	uint32_t abs; /* NEVER: all paths reject */
	uint32_t ind; /* from X */
	bool a_live, x_live;
	uint16_t m_live; /* bit mask of live words of M[] */
	bool raw_ok; /* A is only compared for equality or bits, so the constant can be in network
			order */
};

/* Computed forward: what the guards on every path to here have shown. */
struct range {
	uint32_t known;	   /* number of bytes that the frame has */
	uint32_t known_x;  /* the same from X, with P = data + X valid; 0: P is not valid */
	uint32_t p_max;	   /* bound of X when P was computed */
	uint32_t x_max;	   /* bound of X that the verifier knows as well */
	unsigned x_from;   /* node that set X, if it was not compared since; or NEVER */
	uint32_t short_of; /* the frame, or its linear part, has fewer bytes than this; NEVER: not
			      known */
	uint8_t a_shape, x_shape; /* enum shape, according to what the verifier sees */
	bool linked;		  /* what the verifier learns of A also holds for X */
};

/*
 * What the verifier may know of a value: an interval, or single bits. These are sets: where two
 * paths join, both may hold.
 */
enum shape {
	SHAPE_FULL = 0, /* as loaded, or a constant: neither tells more than the other does */
	SHAPE_INTERVAL = 1,
	SHAPE_BITS = 2,
	SHAPE_ENDS = 3, /* both, but the bits agree with the bounds of the interval */
	SHAPE_ANY = 7,
};

struct part {
	struct field field;
	uint32_t value;
};
#define FRONT_MAX  3
#define FIELDS_MAX 8 /* enough for two addresses */

/*
 * A test of a field: its bits in mask equal those of value; or the whole field is from value to
 * last. Before that, the fields in front must have their values: an IPv6 address is four words.
 */
struct test {
	struct part front[FRONT_MAX];
	unsigned n_front;
	struct field field;
	uint32_t mask;
	uint32_t value, last;
	bool spent; /* if it is false, A is not the masked field afterwards */
};

/* The fields of a chain that one search can compare. */
struct key {
	struct part front[FRONT_MAX]; /* without their values */
	unsigned n_front;
	struct field field;
	uint32_t mask; /* the common mask of all tests, if they compare single values */
	bool spans; /* some tests have ranges, or masks without lower bits: search their bounds */
};

/* Tests that all go to the same place if true, in order; after the last one, f. */
struct chain {
	unsigned t, f;
	bool t_rejects;
	bool linear; /* for short frames the tests are also needed one by one */
	bool parts;  /* tests of several fields: short frames go to the helper form (parts.c) */
	unsigned n, n_keys;
	struct test *test;
	struct key *key;
	struct test last; /* what A contains at the end */
	struct field field[FIELDS_MAX];
	unsigned n_fields; /* may exceed FIELDS_MAX */
	uint32_t abs_end, ind_end;
};

struct span {
	uint32_t from, to;
};

/* A list of ranges that A is compared with. A value below the first bound is in no range, one from
 * there to below the second bound is in one, and so on alternately. */
struct spans {
	unsigned t, f;
	uint32_t *bound;
	unsigned n;
};

struct plan {
	const struct classic *p;
	struct view view;
	struct need *need;
	struct range *range; /* on entry to each node */
	bool *reached;
	unsigned meets;	      /* see struct filter_code */
	struct chain **chain; /* indexed by the first node */
	unsigned n_chains;
	struct spans **spans; /* indexed by the first node */
	unsigned n_spans;     /* counts those that are reachable */
	/* Definitions of A: i for node i, n for the initial 0, n + 1 + i for the reload after chain
	 * i. */
	unsigned *set;	    /* union-find: definitions that some use has in common */
	unsigned *a_from;   /* a definition of A that reaches the node, or NEVER */
	uint8_t *raw_width; /* for each definition: its size in bytes if it stays in network order,
			       else 0 */
};

static inline uint32_t smaller(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static inline uint32_t larger(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

/* The largest value of a field. */
static inline uint32_t field_ones(const struct field *field)
{
	return field->size == 4 ? UINT32_MAX : (1u << (8 * field->size)) - 1;
}

int plan_make(struct plan *plan, const struct classic *p, const struct view *view);
void plan_free(struct plan *plan);

bool plan_rejects(const struct plan *plan, unsigned i);
uint32_t plan_guard(const struct plan *plan, unsigned i, uint32_t end);	  /* bytes to check */
uint32_t plan_guard_x(const struct plan *plan, unsigned i, uint32_t end); /* the same, from X */
bool range_stale(const struct range *r, uint32_t end); /* make P before asking for end? */
void plan_chain_failed(const struct chain *c, struct range *r);
/* Does r show that a load is beyond the end of the frame, or of its linear part? */
bool plan_load_fails(const struct plan *plan, unsigned i, const struct range *r);
uint8_t plan_raw(const struct plan *plan, unsigned definition);

void plan_needs(struct plan *plan); /* need.c */
int plan_chains(struct plan *plan); /* chain.c */
bool plan_is_same_field(const struct field *a, const struct field *b);
bool plan_is_of_key(const struct test *test, const struct key *key);
int plan_lists(struct plan *plan); /* span.c */
/* Sorts the spans, and joins those that overlap. Writes at most 2 * n bounds, as in struct
 * spans. */
unsigned plan_bounds(struct span *span, unsigned n, uint32_t *bound);

/* shape.c: after a node that does not branch; after a comparison of A; after one of X. */
void shape_step(const struct node *q, struct range *r);
void shape_branch(const struct node *q, struct range *r);
void shape_split_x(struct range *r);
/* Must the verifier forget A, or X, before it is compared? */
bool shape_forgets_a(const struct node *q, const struct range *r);
bool shape_forgets_x(const struct range *r);
bool shape_is_searched(const struct range *r); /* may A be compared repeatedly? */

void plan_forward(struct plan *plan); /* forward.c */
int plan_raw_widths(struct plan *plan);
