/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#pragma once

/* What the emitter has to know of a program before it writes one form of it. */
#include "classic.h"

/* One form: where the tag is and how the frame is read decide which loads are plain. */
struct view {
	enum filter_ctx ctx;
	bool tagged;
	bool helper; /* every load by helper; else direct packet access */
	unsigned disable;
};

#define NEVER	   UINT32_MAX
#define DIRECT_END 0xffffu /* the verifier lets a packet pointer span no more */
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
 * First byte that the field does not need, from the frame's start or from X; NEVER: no such frame.
 */
uint32_t field_end(const struct view *v, struct field field);
/* A single load does it. If not, direct forms leave for the helper form, which takes pieces. */
bool field_plain(const struct view *v, struct field field);

/* Backward. Bytes that every accepting path from here demands: a guard may ask for all at once. */
struct need {
	uint32_t abs; /* NEVER: all paths reject */
	uint32_t ind; /* from X */
	bool a_live, x_live;
	uint16_t m_live; /* words of M[] */
	bool raw_ok;	 /* A is only compared for equality or bits: byte order is a matter of the
			    constant */
};

/* Forward. What guards passed on every path have shown. */
struct range {
	uint32_t known;	   /* bytes of the frame */
	uint32_t known_x;  /* bytes from X, with P = data + X valid; 0: P is not */
	uint32_t p_max;	   /* bound of X when P was made */
	uint32_t x_max;	   /* bound of X that the verifier sees as well */
	unsigned x_from;   /* where X comes from, if it was not compared since; or NEVER */
	uint32_t short_of; /* the frame, or its linear part, has fewer bytes; NEVER: not known */
	uint8_t a_shape, x_shape; /* enum shape, by what the verifier sees */
	bool linked;		  /* what it learns of A holds for X as well */
};

/*
 * What the verifier may know of a value: in an interval, or of single bits. Sets: where two ways
 * meet both may hold.
 */
enum shape {
	SHAPE_FULL = 0, /* as loaded, or a constant: neither tells more than the other */
	SHAPE_INTERVAL = 1,
	SHAPE_BITS = 2,
	SHAPE_ENDS = 3, /* both, but the bits agree with the ends of the interval */
	SHAPE_ANY = 7,
};

struct part {
	struct field field;
	uint32_t value;
};
#define FRONT_MAX  3
#define FIELDS_MAX 8 /* two addresses */

/*
 * Of a field: its bits in mask are of value; or all of it is from value to last. Before, those in
 * front are of their values: an IPv6 address is four words.
 */
struct test {
	struct part front[FRONT_MAX];
	unsigned n_front;
	struct field field;
	uint32_t mask;
	uint32_t value, last;
	bool spent; /* where it does not hold, A is not what the mask has left of the field */
};

/* All fields of a chain that can be searched at once. */
struct key {
	struct part front[FRONT_MAX]; /* without their values */
	unsigned n_front;
	struct field field;
	uint32_t mask; /* the one of all tests, if they are of single values */
	bool spans;    /* masks that leave out lower bits, or ranges: a search of bounds */
};

/* Tests that all go to one place when true, in order; they end at f. */
struct chain {
	unsigned t, f;
	bool t_rejects;
	bool linear; /* a short frame needs the tests one by one as well */
	bool parts;  /* tests of several fields: short frames go to the helper form (parts.c) */
	unsigned n, n_keys;
	struct test *test;
	struct key *key;
	struct test last; /* what A holds at the end */
	struct field field[FIELDS_MAX];
	unsigned n_fields; /* or more than FIELDS_MAX */
	uint32_t abs_end, ind_end;
};

struct span {
	uint32_t from, to;
};

/* A list of ranges that A is compared with. Below the first bound A is in none, below the next one
 * it is, and so on. */
struct spans {
	unsigned t, f;
	uint32_t *bound;
	unsigned n;
};

struct plan {
	const struct classic *p;
	struct view view;
	struct need *need;
	struct range *range; /* on entry of each node */
	bool *reached;
	unsigned meets;	      /* as in struct filter_code */
	struct chain **chain; /* by first node */
	unsigned n_chains;
	struct spans **spans; /* by first node */
	unsigned n_spans;     /* of those that are reached */
	/* Definitions of A: node i is i, the initial 0 is n, the reload behind chain i is n + 1 +
	 * i. */
	unsigned *set;	    /* union-find: definitions that meet at some use */
	unsigned *a_from;   /* a definition of A that reaches the node, or NEVER */
	uint8_t *raw_width; /* by definition: bytes if left in network order, else 0 */
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
uint32_t plan_guard(const struct plan *plan, unsigned i, uint32_t end);	  /* bytes to ask for */
uint32_t plan_guard_x(const struct plan *plan, unsigned i, uint32_t end); /* from X */
bool range_stale(const struct range *r, uint32_t end); /* P must be made before asking for end */
void plan_chain_failed(const struct chain *c, struct range *r);
/* A load that r shows to be behind the frame's end, or the end of its linear part. */
bool plan_load_fails(const struct plan *plan, unsigned i, const struct range *r);
uint8_t plan_raw(const struct plan *plan, unsigned definition);

void plan_needs(struct plan *plan); /* need.c */
int plan_chains(struct plan *plan); /* chain.c */
bool plan_is_same_field(const struct field *a, const struct field *b);
bool plan_is_of_key(const struct test *test, const struct key *key);
int plan_lists(struct plan *plan); /* span.c */
/* Sorts, and joins what overlaps: 2 * n bounds at most, as in struct spans. */
unsigned plan_bounds(struct span *span, unsigned n, uint32_t *bound);

/* shape.c: behind a node that does not branch; behind a comparison of A, or one of X. */
void shape_step(const struct node *q, struct range *r);
void shape_branch(const struct node *q, struct range *r);
void shape_split_x(struct range *r);
/* Must the verifier forget A, or X, before a comparison is made of it? */
bool shape_forgets_a(const struct node *q, const struct range *r);
bool shape_forgets_x(const struct range *r);
bool shape_is_searched(const struct range *r); /* may A be compared again and again? */

void plan_forward(struct plan *plan); /* forward.c */
int plan_raw_widths(struct plan *plan);
