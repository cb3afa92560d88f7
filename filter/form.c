/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * A program has up to four forms: for frames without and with a tag beside them, and each of these
 * direct and by helper. Filters have no side effects, so a direct form that meets a load it cannot
 * do starts over in the helper form; this costs nothing on the path that most frames take.
 */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

#include "gen.h"

struct form {
	struct code *code;
	const struct classic *p;
	const struct filter_options *options;
	struct filter_code *out;
	uint16_t zero_words;
	bool loads_length;
	bool tagged;
};

/* Finds the words of M[] that some path reads before it writes them. */
static int find_zero_words(struct form *form)
{
	const struct classic *p = form->p;
	uint16_t *written = calloc(p->n, sizeof(*written)); /* on every path to the node */

	if (!written)
		return -ENOMEM;
	for (unsigned i = 0; i < p->n; i++)
		written[i] = i == p->entry ? 0 : UINT16_MAX;
	for (unsigned i = p->entry; i < p->n; i++) {
		const struct node *q = &p->node[i];
		uint16_t after = written[i];

		if (q->code == (BPF_LD | BPF_MEM) || q->code == (BPF_LDX | BPF_MEM))
			form->zero_words |= (uint16_t)(1u << q->k) & ~after;
		if (q->code == BPF_ST || q->code == BPF_STX)
			after |= (uint16_t)(1u << q->k);
		if (node_loads_length(q))
			form->loads_length = true;
		if (BPF_CLASS(q->code) == BPF_RET)
			continue;
		written[q->t] &= after;
		written[q->f] &= after;
	}
	free(written);
	return 0;
}

/* A, X and M[] start as 0, if that makes a difference. */
static void zero_registers(struct gen *g)
{
	struct code *c = g->code;
	const struct need *need = &g->plan.need[g->plan.p->entry];

	if (need->a_live)
		code_set(c, REG_A, 0);
	if (need->x_live)
		code_set(c, REG_X, 0);
	for (unsigned word = 0; word < BPF_MEMWORDS; word++)
		if (g->zero_words >> word & 1)
			code_insn(c, BPF_ST | BPF_MEM | BPF_W, BPF_REG_10, 0,
				  stack_at(g, SLOT_MEMORY) + 4 * (int)word, 0);
}

/* Puts the kernel's length of the frame into r0; for XDP by a call. r1 must be the context. */
static void get_length(struct gen *g)
{
	if (g->plan.view.ctx == FILTER_BUFF)
		code_load(g->code, 4, BPF_REG_0, BPF_REG_1, FILTER_BUFF_LENGTH);
	else if (is_xdp(g))
		code_call(g->code, BPF_FUNC_xdp_get_buff_len);
	else
		code_load(g->code, 4, BPF_REG_0, BPF_REG_1, offsetof(struct __sk_buff, len));
}

/* Stores the length as recorded; r0 must be the kernel's length. */
static void store_length(struct gen *g)
{
	if (g->plan.view.tagged)
		code_add(g->code, BPF_REG_0, TAG_BYTES);
	code_store(g->code, 4, BPF_REG_10, stack_at(g, SLOT_LENGTH), BPF_REG_0);
}

static void save_context(struct gen *g)
{
	code_store(g->code, 8, BPF_REG_10, stack_at(g, SLOT_CTX), BPF_REG_1);
}

static void enter_direct(struct gen *g)
{
	struct code *c = g->code;
	bool xdp = is_xdp(g);

	if (g->plan.view.tagged)
		gen_store_tag(g);
	if (xdp && g->needs_length) {
		save_context(g);
		get_length(g);
		store_length(g);
		gen_context(g);
	}
	code_load(c, 4, REG_DATA, REG_CTX,
		  xdp ? (int)offsetof(struct xdp_md, data) : (int)offsetof(struct __sk_buff, data));
	code_load(c, 4, REG_END, REG_CTX,
		  xdp ? (int)offsetof(struct xdp_md, data_end)
		      : (int)offsetof(struct __sk_buff, data_end));
	zero_registers(g);
}

/* A guard failed: if the frame does not continue outside of the linear part, it is too short. */
static void enter_if_fragmented(struct gen *g)
{
	struct code *c = g->code;

	save_context(g);
	code_insn(c, BPF_ALU64 | BPF_SUB | BPF_X, REG_END, REG_DATA, 0, 0);
	if (is_xdp(g))
		code_store(c, 8, BPF_REG_10, stack_at(g, SLOT_X), REG_END);
	get_length(g);
	if (is_xdp(g))
		code_load(c, 8, REG_END, BPF_REG_10, stack_at(g, SLOT_X));
	code_branch(c, BPF_JMP | BPF_JLE | BPF_X, BPF_REG_0, REG_END, 0, g->reject);
}

static bool has_odd_loads(const struct gen *g)
{
	const struct classic *p = g->plan.p;

	for (unsigned i = p->entry; i < p->n; i++) {
		const struct node *q = &p->node[i];
		bool loads = node_is_packet_load(q) || q->code == (BPF_LDX | BPF_B | BPF_MSH);

		if (g->plan.reached[i] && loads && !field_plain(&g->plan.view, node_field(q)))
			return true;
	}
	return false;
}

static void gen_helper_body(struct gen *g)
{
	if (has_odd_loads(g))
		gen_window(g);
	zero_registers(g);
	gen_body(g);
}

static int start(struct gen *g, const struct form *form, bool helper)
{
	struct view view = {
		.ctx = form->options->ctx,
		.tagged = form->tagged,
		.helper = helper,
		.disable = form->options->disable,
	};
	int e = plan_make(&g->plan, form->p, &view);

	if (e)
		return e;
	form->out->meets = larger(form->out->meets, g->plan.meets);
	g->code = form->code;
	g->options = form->options;
	g->out = form->out;
	g->zero_words = form->zero_words;
	g->needs_length = form->loads_length || (helper && (has_odd_loads(g) || g->plan.n_chains));
	g->node_label = code_labels(g->code, form->p->n);
	g->tests_label = code_labels(g->code, form->p->n);
	return 0;
}

static void place_reject(struct gen *g)
{
	if (!code_label_used(g->code, g->reject))
		return;
	code_place(g->code, g->reject);
	code_set(g->code, BPF_REG_0, 0);
	code_insn(g->code, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
}

/* The form with every load by helper, entered with the context in r1. */
static int gen_helper_form(const struct form *form)
{
	struct gen g = {.reject = code_labels(form->code, 1), .brief = -1, .beyond = -1};
	int e = start(&g, form, true);

	if (!e) {
		if (form->tagged)
			gen_store_tag(&g);
		save_context(&g);
		if (g.needs_length) {
			get_length(&g);
			store_length(&g);
		}
		gen_helper_body(&g);
		place_reject(&g);
	}
	plan_free(&g.plan);
	return e;
}

/* The helper form after a direct one, entered through the latter's labels brief and beyond. */
static int gen_slow_path(const struct form *form, const struct gen *direct)
{
	struct gen g = {.reject = direct->reject, .brief = -1, .beyond = -1};
	struct code *c = form->code;
	int begin = code_labels(c, 1);
	int e = start(&g, form, true);

	if (!e) {
		if (code_label_used(c, direct->brief)) {
			code_place(c, direct->brief);
			enter_if_fragmented(&g);
			code_jump(c, begin);
		}
		if (code_label_used(c, direct->beyond)) {
			code_place(c, direct->beyond);
			save_context(&g);
			get_length(&g);
		}
		code_place(c, begin);
		store_length(&g);
		gen_helper_body(&g);
	}
	plan_free(&g.plan);
	return e;
}

static int gen_direct_form(const struct form *form)
{
	struct code *c = form->code;
	struct gen g = {
		.reject = code_labels(c, 1),
		.brief = code_labels(c, 1),
		.beyond = code_labels(c, 1),
	};
	int e = start(&g, form, false);

	c->branches = 0; /* the forms follow one another, so only one has branches pending */
	if (!e) {
		enter_direct(&g);
		gen_body(&g);
		if (code_label_used(c, g.beyond) || code_label_used(c, g.brief))
			e = gen_slow_path(form, &g);
		place_reject(&g);
		form->out->chains += g.plan.n_chains + g.plan.n_spans;
	}
	plan_free(&g.plan);
	return e;
}

static int gen_form(struct form *form, bool tagged)
{
	form->tagged = tagged;
	return form->options->level == FILTER_LEVEL_HELPER ? gen_helper_form(form)
							   : gen_direct_form(form);
}

static int gen_forms(struct form *form)
{
	const struct filter_options *options = form->options;
	struct code *c = form->code;
	int with_tag = code_labels(c, 1), e;

	if (options->ctx != FILTER_SKB)
		return gen_form(form, options->tagged);
	if (options->never_tagged || options->tag_beside)
		return gen_form(form, false);
	code_load(c, 4, BPF_REG_0, BPF_REG_1, offsetof(struct __sk_buff, vlan_present));
	code_branch(c, BPF_JMP | BPF_JNE | BPF_K, BPF_REG_0, 0, 0, with_tag);
	e = gen_form(form, false);
	code_place(c, with_tag);
	return e ? e : gen_form(form, true);
}

static int try_program(struct form *form)
{
	struct code code = {
		.current_origin = -1,
		.break_branches = !(form->options->disable & FILTER_NO_BREAK),
	};
	int e = find_zero_words(form);

	form->code = &code;
	if (!e)
		e = gen_forms(form);
	if (!e)
		e = code_finish(&code, form->out);
	code_free(&code);
	return e;
}

int gen_program(const struct classic *p, const struct filter_options *options,
		struct filter_code *out, char *err, size_t errlen)
{
	struct form form = {.p = p, .options = options, .out = out};
	int e;

	*out = (struct filter_code){0};
	e = try_program(&form);
	switch (e) {
	case 0:
		return 0;
	case -ERANGE:
		return filter_fail(-EOPNOTSUPP, err, errlen, "too many distant jump targets");
	case -EFAULT: /* a bug here must cost the caller no more than speed */
		return filter_fail(-EOPNOTSUPP, err, errlen, "internal error");
	default:
		return filter_fail(e, err, errlen, "out of memory");
	}
}
