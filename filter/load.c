/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Reads the frame by direct access or by helper, with or without a tag in place. */
#include <arpa/inet.h>
#include <stddef.h>

#include "gen.h"

static bool is_skb(const struct gen *g)
{
	return g->plan.view.ctx == FILTER_SKB;
}

void gen_swap(struct gen *g, int reg, unsigned size)
{
	if (size > 1)
		code_insn(g->code, BPF_ALU | BPF_END | BPF_TO_BE, reg, 0, 0, (int32_t)size * 8);
}

uint32_t gen_raw(uint32_t k, unsigned size)
{
	if (size == 2)
		return htons((uint16_t)k);
	return size == 4 ? htonl(k) : k;
}

/* How many bytes in memory the first `end` bytes of the frame as recorded come from. */
static uint32_t in_memory(const struct gen *g, uint32_t end)
{
	if (!g->plan.view.tagged || end <= TAG_AT)
		return end;
	return end <= TAG_END ? TAG_AT : end - TAG_BYTES;
}

static bool in_tag(const struct gen *g, uint32_t offset)
{
	return g->plan.view.tagged && offset >= TAG_AT && offset < TAG_END;
}

static int window_at(const struct gen *g, uint32_t offset)
{
	return stack_at(g, SLOT_WINDOW) + (int)(offset - WINDOW_AT);
}

/*
 * Loads from the tag or around it. The verifier only allows aligned loads from the stack; others
 * are composed in r3 byte by byte. Only helper forms can spare that register.
 */
static void load_window(struct gen *g, unsigned size, int to, uint32_t at)
{
	struct code *c = g->code;

	if (at % size == 0) {
		code_load(c, size, to, BPF_REG_10, window_at(g, at));
		return;
	}
	code_set(c, to, 0);
	for (unsigned i = 0; i < size; i++) {
		unsigned place = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? i : size - 1 - i;

		code_load(c, 1, BPF_REG_3, BPF_REG_10, window_at(g, at + i));
		code_insn(c, BPF_ALU | BPF_LSH | BPF_K, BPF_REG_3, 0, 0, (int32_t)place * 8);
		code_insn(c, BPF_ALU | BPF_OR | BPF_X, to, BPF_REG_3, 0, 0);
	}
}

static void load_far(struct gen *g, unsigned size, int to, int base, uint32_t offset)
{
	if (offset <= INT16_MAX) {
		code_load(g->code, size, to, base, (int)offset);
		return;
	}
	code_move(g->code, to, base);
	code_add(g->code, to, (int32_t)offset);
	code_load(g->code, size, to, to, 0);
}

static uint32_t offset_in_memory(const struct gen *g, uint32_t k)
{
	return g->plan.view.tagged && k >= TAG_END ? k - TAG_BYTES : k;
}

static void load_direct(struct gen *g, const struct load *load)
{
	const struct field *field = &load->field;

	if (!field_plain(&g->plan.view, *field))
		code_jump(g->code, g->beyond);
	else if (field->mode == BPF_ABS && in_tag(g, field->k))
		load_window(g, field->size, load->to, field->k);
	else
		load_far(g, field->size, load->to, field->mode == BPF_ABS ? REG_DATA : REG_P,
			 offset_in_memory(g, field->k));
}

/* The same from kernel memory; jumps to g->reject if the frame does not have the bytes. */
static void call_probe_read(struct gen *g, unsigned size, int to)
{
	struct code *c = g->code;

	gen_context(g);
	code_load(c, 4, BPF_REG_3, BPF_REG_1, FILTER_BUFF_LENGTH);
	code_move(c, BPF_REG_0, BPF_REG_2);
	code_add(c, BPF_REG_0, (int32_t)size);
	code_branch(c, BPF_JMP | BPF_JGT | BPF_X, BPF_REG_0, BPF_REG_3, 0, g->reject);
	code_load(c, 8, BPF_REG_3, BPF_REG_1, FILTER_BUFF_DATA);
	code_insn(c, BPF_ALU64 | BPF_ADD | BPF_X, BPF_REG_3, BPF_REG_2, 0, 0);
	code_move(c, BPF_REG_1, BPF_REG_10);
	code_add(c, BPF_REG_1, to);
	code_set(c, BPF_REG_2, size);
	code_call(c, BPF_FUNC_probe_read_kernel);
}

/* Copies `size` bytes at the offset in r2 to the stack; r0 becomes 0 if the frame has them. */
static void call_load(struct gen *g, unsigned size, int to)
{
	struct code *c = g->code;

	if (g->plan.view.ctx == FILTER_BUFF) {
		call_probe_read(g, size, to);
		return;
	}
	gen_context(g);
	code_move(c, BPF_REG_3, BPF_REG_10);
	code_add(c, BPF_REG_3, to);
	code_set(c, BPF_REG_4, size);
	code_call(c, is_xdp(g) ? BPF_FUNC_xdp_load_bytes : BPF_FUNC_skb_load_bytes);
}

/* One load by helper, at the offset in r2. */
static void load_called(struct gen *g, const struct load *load)
{
	struct code *c = g->code;
	int other = load->to == REG_A ? REG_X : REG_A;
	int saved = stack_at(g, load->to == REG_A ? SLOT_X : SLOT_A);

	if (load->keep)
		code_store(c, 8, BPF_REG_10, saved, other);
	call_load(g, load->field.size, stack_at(g, SLOT_SCRATCH));
	code_branch(c, BPF_JMP | BPF_JNE | BPF_K, BPF_REG_0, 0, 0, g->reject);
	if (load->keep)
		code_load(c, 8, other, BPF_REG_10, saved);
	code_load(c, load->field.size, load->to, BPF_REG_10, stack_at(g, SLOT_SCRATCH));
}

static void load_abs_by_helper(struct gen *g, const struct load *load)
{
	const struct field *field = &load->field;
	struct code *c = g->code;

	if (!field_plain(&g->plan.view, *field)) { /* part of it is in the tag */
		code_load(c, 4, BPF_REG_2, BPF_REG_10, stack_at(g, SLOT_LENGTH));
		code_branch(c, BPF_JMP | BPF_JLT | BPF_K, BPF_REG_2, 0,
			    (int32_t)(field->k + field->size), g->reject);
		load_window(g, field->size, load->to, field->k);
	} else if (in_tag(g, field->k)) {
		load_window(g, field->size, load->to, field->k);
	} else {
		code_set(c, BPF_REG_2, offset_in_memory(g, field->k));
		load_called(g, load);
	}
}

/*
 * The offset is in r2, such that some byte is in the tag: there are size + 3 such offsets. A
 * variable stack offset would need CAP_PERFMON.
 */
static void load_from_window(struct gen *g, const struct load *load, int done)
{
	struct code *c = g->code;
	unsigned size = load->field.size;
	uint32_t first = TAG_AT - size + 1, last = TAG_END - 1;

	code_load(c, 4, BPF_REG_3, BPF_REG_10, stack_at(g, SLOT_LENGTH));
	code_add(c, BPF_REG_2, (int32_t)size);
	code_branch(c, BPF_JMP | BPF_JGT | BPF_X, BPF_REG_2, BPF_REG_3, 0, g->reject);
	for (uint32_t at = first; at <= last; at++) {
		int next = code_labels(c, 1);

		if (at < last)
			code_branch(c, BPF_JMP | BPF_JNE | BPF_K, BPF_REG_2, 0,
				    (int32_t)(at + size), next);
		load_window(g, size, load->to, at);
		code_jump(c, done);
		code_place(c, next);
	}
}

static void load_ind_by_helper(struct gen *g, const struct load *load)
{
	const struct field *field = &load->field;
	struct code *c = g->code;
	int called = code_labels(c, 1), behind = code_labels(c, 1), done = code_labels(c, 1);
	bool anywhere = !field_plain(&g->plan.view, *field); /* before, in or after the tag */
	uint32_t last = (is_skb(g) ? INT32_MAX : DIRECT_END) - field->size;

	/* X + k does not wrap in 64 bits, which it must not. */
	gen_forget(g, BPF_REG_2, REG_X);
	code_add(c, BPF_REG_2, (int32_t)field->k);
	code_branch(c, BPF_JMP | BPF_JGT | BPF_K, BPF_REG_2, 0, (int32_t)last, g->reject);
	if (anywhere) {
		code_branch(c, BPF_JMP | BPF_JLE | BPF_K, BPF_REG_2, 0,
			    (int32_t)(TAG_AT - field->size), called);
		code_branch(c, BPF_JMP | BPF_JGE | BPF_K, BPF_REG_2, 0, TAG_END, behind);
		load_from_window(g, load, done);
	}
	code_place(c, behind);
	if (g->plan.view.tagged)
		code_add(c, BPF_REG_2, -(int32_t)TAG_BYTES);
	code_place(c, called);
	load_called(g, load);
	code_place(c, done);
}

void gen_frame_load(struct gen *g, const struct load *load)
{
	if (!g->plan.view.helper)
		load_direct(g, load);
	else if (load->field.mode == BPF_ABS)
		load_abs_by_helper(g, load);
	else
		load_ind_by_helper(g, load);
}

/* Stores four bytes in network order where the window has the tag. */
void gen_store_tag(struct gen *g)
{
	struct code *c = g->code;

	if (is_xdp(g)) {
		code_load(c, 8, BPF_REG_0, BPF_REG_10, g->options->tag_slot);
		gen_swap(g, BPF_REG_0, 4);
		code_store(c, 4, BPF_REG_10, window_at(g, TAG_AT), BPF_REG_0);
		return;
	}
	code_load(c, 4, BPF_REG_0, BPF_REG_1, offsetof(struct __sk_buff, vlan_proto));
	code_store(c, 2, BPF_REG_10, window_at(g, TAG_AT), BPF_REG_0); /* in network order */
	code_load(c, 4, BPF_REG_0, BPF_REG_1, offsetof(struct __sk_buff, vlan_tci));
	gen_swap(g, BPF_REG_0, 2);
	code_store(c, 2, BPF_REG_10, window_at(g, TAG_AT + 2), BPF_REG_0);
}

/* Stores the bytes around the tag. Those after it are loaded one by one, because the frame may end
 * among them. */
void gen_window(struct gen *g)
{
	struct code *c = g->code;

	code_set(c, BPF_REG_2, WINDOW_AT);
	call_load(g, TAG_AT - WINDOW_AT, window_at(g, WINDOW_AT));
	for (uint32_t i = 0; i < 3; i++) {
		code_set(c, BPF_REG_2, TAG_AT + i);
		call_load(g, 1, window_at(g, TAG_END + i));
	}
}

void gen_length(struct gen *g, int to)
{
	struct code *c = g->code;

	if (g->plan.view.helper || is_xdp(g)) {
		code_load(c, 4, to, BPF_REG_10, stack_at(g, SLOT_LENGTH));
		return;
	}
	code_load(c, 4, to, REG_CTX, offsetof(struct __sk_buff, len));
	if (g->plan.view.tagged)
		code_add(c, to, TAG_BYTES);
}

void gen_guard(struct gen *g, int scratch, uint32_t end, int fail)
{
	code_move(g->code, scratch, REG_DATA);
	code_add(g->code, scratch, (int32_t)in_memory(g, end));
	code_branch(g->code, BPF_JMP | BPF_JGT | BPF_X, scratch, REG_END, 0, fail);
	g->out->guards++;
}

/* beyond: where to go if X exceeds what may be added to a packet pointer. */
void gen_guard_x(struct gen *g, const struct range *r, uint32_t end, int beyond, int fail)
{
	struct code *c = g->code;

	if (range_stale(r, end)) {
		if (r->x_max > DIRECT_END - end && shape_forgets_x(r))
			gen_forget(g, REG_X, REG_X);
		if (r->x_max > DIRECT_END - end)
			code_branch(c, BPF_JMP | BPF_JGT | BPF_K, REG_X, 0,
				    (int32_t)(DIRECT_END - end), beyond);
		code_move(c, REG_P, REG_X);
		code_insn(c, BPF_ALU64 | BPF_ADD | BPF_X, REG_P, REG_DATA, 0, 0);
	}
	code_move(c, BPF_REG_0, REG_P);
	code_add(c, BPF_REG_0, (int32_t)in_memory(g, end));
	code_branch(c, BPF_JMP | BPF_JGT | BPF_X, BPF_REG_0, REG_END, 0, fail);
	g->out->guards++;
}

void gen_guard_length(struct gen *g, const struct chain *chain, int fail)
{
	struct code *c = g->code;

	code_load(c, 4, BPF_REG_0, BPF_REG_10, stack_at(g, SLOT_LENGTH));
	if (chain->abs_end)
		code_branch(c, BPF_JMP | BPF_JLT | BPF_K, BPF_REG_0, 0, (int32_t)chain->abs_end,
			    fail);
	if (!chain->ind_end)
		return;
	gen_forget(g, BPF_REG_2, REG_X);
	code_add(c, BPF_REG_2, (int32_t)chain->ind_end);
	if (!is_skb(g)) /* longer frames end here as well */
		code_branch(c, BPF_JMP | BPF_JGT | BPF_K, BPF_REG_2, 0, DIRECT_END, fail);
	code_branch(c, BPF_JMP | BPF_JGT | BPF_X, BPF_REG_2, BPF_REG_0, 0, fail);
}
