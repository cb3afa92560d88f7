/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * OR-chains: `host a or net b or portrange c or ...` is a series of tests that go to the same place
 * if true. Once every field in the series is known to be inside the frame, the order of the tests
 * does not matter, and all tests of one field become a binary search: of values, or of the bounds
 * of ranges. A net is a range of addresses.
 *
 * An IPv6 address is a test of four words, and a MAC address one of two fields, which all go to the
 * same place if false.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "plan.h"

enum {
	MIN_TESTS = 16, /* with fewer, a search is no faster */
	MIN_TESTS_PER_KEY = 4,
	MAX_KEYS = 32, /* keeps the search for chains linear in the length of the program */
	/*
	 * In how many chains a test may be, so that all chains together are at most twice as long
	 * as the program. libpcap's `port a or port b or ...` has the same tests, shared, after its
	 * loads for IPv4 and for IPv6.
	 */
	MAX_SHARED = 2,
};

/* Do the values that a mask makes equal form a range of the field? */
static bool is_prefix(const struct field *field, uint32_t mask)
{
	uint32_t lower = ~mask & field_ones(field);

	return (lower & (lower + 1)) == 0;
}

bool plan_is_same_field(const struct field *a, const struct field *b)
{
	return a->mode == b->mode && a->k == b->k && a->size == b->size;
}

bool plan_is_of_key(const struct test *test, const struct key *key)
{
	const struct field *a = &test->field, *b = &key->field;

	if (!plan_is_same_field(a, b) || test->n_front != key->n_front)
		return false;
	for (unsigned i = 0; i < key->n_front; i++)
		if (!plan_is_same_field(&test->front[i].field, &key->front[i].field))
			return false;
	return test->mask == key->mask || (is_prefix(a, test->mask) && is_prefix(b, key->mask));
}

/* Where a test goes. */
struct way {
	unsigned t, f;
};

static bool same_place(const struct plan *plan, unsigned a, unsigned b)
{
	return a == b || (plan_rejects(plan, a) && plan_rejects(plan, b));
}

/* Reads `A == value`; `A >= value`, and then not `A > last`; or no bit of a mask in A. */
static bool read_comparison(const struct plan *plan, unsigned i, struct test *test, struct way *way)
{
	const struct node *q = &plan->p->node[i], *r;

	test->value = test->last = q->k;
	*way = (struct way){.t = q->t, .f = q->f};
	if (q->code == (BPF_JMP | BPF_JEQ | BPF_K))
		return true;
	if (q->code == (BPF_JMP | BPF_JSET | BPF_K)) {
		test->mask &= q->k;
		test->value = test->last = 0;
		test->spent = true;
		*way = (struct way){.t = q->f, .f = q->t};
		return true;
	}
	if (q->code != (BPF_JMP | BPF_JGE | BPF_K) || test->mask != UINT32_MAX)
		return false;
	r = &plan->p->node[q->t];
	test->last = r->k;
	way->t = r->f;
	return r->code == (BPF_JMP | BPF_JGT | BPF_K) && same_place(plan, q->f, r->t);
}

/* Reads a test at i: [load, [and,]] comparison. Without a load, it tests the previous field. */
static bool read_test(const struct plan *plan, unsigned i, bool first, struct test *test,
		      struct way *way)
{
	const struct node *q = &plan->p->node[i];

	if (node_is_packet_load(q)) {
		if (plan_rejects(plan, i) || !field_plain(&plan->view, node_field(q)))
			return false;
		*test = (struct test){.field = node_field(q), .mask = UINT32_MAX};
		i = q->t;
		q = &plan->p->node[i];
		if (q->code == (BPF_ALU | BPF_AND | BPF_K)) {
			test->mask = q->k;
			i = q->t;
		}
	} else if (first) {
		return false;
	}
	return read_comparison(plan, i, test, way);
}

/* Continues with the next field, as long as all misses go to the same place. */
static void read_parts(const struct plan *plan, const struct chain *c, struct test *test,
		       struct way *way, uint8_t *seen)
{
	while (test->n_front < FRONT_MAX && test->mask == UINT32_MAX && test->value == test->last &&
	       (c->n == 0 || way->t != c->t)) {
		struct test next = {0};
		struct way then;

		if (test->field.mode != BPF_ABS || !read_test(plan, way->t, true, &next, &then) ||
		    next.field.mode != BPF_ABS || !same_place(plan, then.f, way->f))
			return;
		memcpy(next.front, test->front, sizeof(next.front));
		next.front[test->n_front] = (struct part){test->field, test->value};
		next.n_front = test->n_front + 1;
		next.spent = true;
		*test = next;
		seen[way->t] = MAX_SHARED;
		*way = then;
	}
}

static int add_test(struct chain *c, const struct test *test)
{
	if ((c->n & (c->n - 1)) == 0) { /* full at each power of two */
		struct test *p = realloc(c->test, (c->n ? 2 * c->n : 1) * sizeof(*p));

		if (!p)
			return -ENOMEM;
		c->test = p;
	}
	c->test[c->n++] = *test;
	return 0;
}

static void add_field(struct chain *c, const struct field *field)
{
	uint32_t end = field->k + field->size;
	unsigned i = 0;

	while (i < c->n_fields && i < FIELDS_MAX && !plan_is_same_field(&c->field[i], field))
		i++;
	if (i == c->n_fields && i < FIELDS_MAX)
		c->field[i] = *field;
	if (i == c->n_fields || i == FIELDS_MAX)
		c->n_fields = i + 1;
	if (field->mode == BPF_ABS && end > c->abs_end)
		c->abs_end = end;
	if (field->mode == BPF_IND && end > c->ind_end)
		c->ind_end = end;
}

/* False if the chain has as many keys as it may have. */
static bool add_key(struct chain *c, const struct test *test)
{
	struct key *key = &c->key[c->n_keys];
	bool ranges = test->value != test->last;

	for (unsigned i = 0; i < c->n_keys; i++) {
		if (!plan_is_of_key(test, &c->key[i]))
			continue;
		c->key[i].spans |= ranges || test->mask != c->key[i].mask;
		return true;
	}
	if (c->n_keys == MAX_KEYS)
		return false;
	*key = (struct key){.n_front = test->n_front,
			    .field = test->field,
			    .mask = test->mask,
			    .spans = ranges};
	memcpy(key->front, test->front, sizeof(key->front));
	c->n_keys++;
	c->parts |= key->n_front > 0;
	for (unsigned i = 0; i < key->n_front; i++)
		add_field(c, &key->front[i].field);
	add_field(c, &key->field);
	return true;
}

/* May a test with this target continue chain c? */
static bool fits(const struct plan *plan, const struct chain *c, const struct test *test,
		 const struct way *q)
{
	bool rejects = plan_rejects(plan, q->t);

	if (test->spent && !plan_rejects(plan, q->f) && plan->need[q->f].a_live)
		return false;
	if (q->t == q->f || (!rejects && plan->need[q->t].a_live))
		return false;
	return c->n == 0 || (rejects ? c->t_rejects : !c->t_rejects && c->t == q->t);
}

static int collect(const struct plan *plan, unsigned at, struct chain *c, uint8_t *seen)
{
	struct test test = {0};

	for (;;) {
		struct way way;
		int e;

		test.n_front = 0;
		test.spent = false;
		if (seen[at] == MAX_SHARED || !read_test(plan, at, c->n == 0, &test, &way))
			return 0;
		read_parts(plan, c, &test, &way, seen);
		if (!fits(plan, c, &test, &way) || !add_key(c, &test))
			return 0;
		e = add_test(c, &test);
		if (e)
			return e;
		seen[at]++;
		c->t = way.t;
		c->t_rejects = plan_rejects(plan, way.t);
		c->f = at = way.f;
		c->last = test;
		if (plan_rejects(plan, c->f))
			return 0;
	}
}

static void chain_free(struct chain *c)
{
	if (c) {
		free(c->test);
		free(c->key);
		free(c);
	}
}

static int try_chain(struct plan *plan, unsigned i, uint8_t *seen)
{
	struct chain *c = calloc(1, sizeof(*c));
	int e = -ENOMEM;

	if (c)
		c->key = calloc(MAX_KEYS, sizeof(*c->key));
	if (c && c->key)
		e = collect(plan, i, c, seen);
	if (e || c->n < MIN_TESTS || c->n_keys * MIN_TESTS_PER_KEY > c->n ||
	    c->abs_end > INT16_MAX || c->ind_end > INT16_MAX ||
	    (c->parts && (c->ind_end || c->n_fields > FIELDS_MAX || plan->need[i].m_live))) {
		chain_free(c);
		return e;
	}
	plan->chain[i] = c;
	plan->n_chains++;
	return 0;
}

int plan_chains(struct plan *plan)
{
	const struct classic *p = plan->p;
	uint8_t *seen = calloc(p->n, sizeof(*seen)); /* number of chains that contain it, or that
							were tried in vain */
	int e = seen ? 0 : -ENOMEM;

	for (unsigned i = p->entry; !e && i < p->n; i++)
		if (!seen[i] && node_is_packet_load(&p->node[i]) && !plan_rejects(plan, i))
			e = try_chain(plan, i, seen);
	free(seen);
	return e;
}
