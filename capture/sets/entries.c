/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <stdlib.h>

#include "entries.h"

#define ROOM_FIRST 256u

int set_address_compare(const struct set_address *a, const struct set_address *b)
{
	if (a->half[0] != b->half[0])
		return a->half[0] < b->half[0] ? -1 : 1;
	return a->half[1] < b->half[1] ? -1 : a->half[1] > b->half[1];
}

static struct set_address address_behind(struct set_address a)
{
	a.half[1]++;
	a.half[0] += a.half[1] == 0;
	return a;
}

static struct set_address address_before(struct set_address a)
{
	a.half[0] -= a.half[1] == 0;
	a.half[1]--;
	return a;
}

/* Make room for one more. */
static int make_room(void **at, size_t count, size_t *room, size_t each)
{
	size_t more = *room ? *room * 2 : ROOM_FIRST;
	void *p;

	if (count < *room)
		return 0;
	p = reallocarray(*at, more, each);
	if (!p)
		return -ENOMEM;
	*at = p;
	*room = more;
	return 0;
}

static int add(struct set_entries *e, const struct set_address *from, const struct set_address *to,
	       uint32_t info)
{
	bool single = set_address_compare(from, to) == 0;
	int error = single ? make_room((void **)&e->single, e->singles, &e->single_room,
				       sizeof(*e->single))
			   : make_room((void **)&e->range, e->ranges, &e->range_room,
				       sizeof(*e->range));

	if (error)
		return error;
	if (single)
		e->single[e->singles++] = (struct set_single){*from, info};
	else
		e->range[e->ranges++] = (struct set_range){*from, *to, info};
	return 0;
}

/* A range of IPv6 that includes IPv4's addresses is divided: what lies on either side is added. */
int set_entries_add(struct set_entries *e, const struct set_address *from,
		    const struct set_address *to, uint32_t info)
{
	const struct set_address first = {{0, SETS_IPV4}}, last = {{0, SETS_IPV4 | UINT32_MAX}};
	struct set_address before = address_before(first), behind = address_behind(last);
	int error = 0;

	if (set_address_compare(to, &first) < 0 || set_address_compare(from, &last) > 0 ||
	    (set_address_is_ipv4(from) && set_address_is_ipv4(to)))
		return add(e, from, to, info);
	if (set_address_compare(from, &first) < 0)
		error = add(e, from, &before, info);
	if (!error && set_address_compare(to, &last) > 0)
		error = add(e, &behind, to, info);
	return error;
}

/* The index of this bit in a row. */
static unsigned kind_of(uint32_t bits)
{
	return (unsigned)__builtin_ctz(bits);
}

/* Begin a row for an address that so far had only the line of the option with this bit. */
static int begin_row(struct set_rows *rows, uint32_t had, uint32_t *info)
{
	int error = make_room((void **)&rows->at, rows->count, &rows->room, sizeof(*rows->at));

	if (error)
		return error;
	rows->at[rows->count] = (struct sets_row){.room = 0};
	rows->at[rows->count].line[kind_of(had)] = SETS_FILE_LINE(*info);
	*info = SETS_INFO(SETS_BITS(*info), rows->count++);
	return 0;
}

int set_info_join(struct set_entries *e, uint32_t *info, uint32_t more)
{
	uint32_t had = SETS_BITS(*info) & SETS_TOLD, bits = SETS_BITS(more) & SETS_TOLD;
	int error = 0;

	if (e->told && had && bits && !(bits & had)) {
		if (!(had & (had - 1)))
			error = begin_row(&e->rows, had, info);
		if (!error && SETS_FILE_LINE(*info) >= e->rows.count)
			error = -EBADMSG;
		if (!error)
			e->rows.at[SETS_FILE_LINE(*info)].line[kind_of(bits)] =
				SETS_FILE_LINE(more);
	}
	*info |= SETS_INFO(SETS_BITS(more), 0);
	return error;
}

void set_entries_free(struct set_entries *e)
{
	free(e->single);
	free(e->range);
	free(e->ports);
	free(e->rows.at);
	*e = (struct set_entries){.single = NULL};
}

/* By option, then by the lowest address, then the widest first, and if equal by the lowest line. */
static int compare_ranges(const void *a, const void *b)
{
	const struct set_range *x = a, *y = b;
	int order;

	if (SETS_BITS(x->info) != SETS_BITS(y->info))
		return SETS_BITS(x->info) < SETS_BITS(y->info) ? -1 : 1;
	order = set_address_compare(&x->from, &y->from);
	if (!order)
		order = set_address_compare(&y->to, &x->to);
	return order ? order : x->info < y->info ? -1 : x->info > y->info;
}

/* Remove overlaps within each option: the range that begins first keeps what they share. */
static size_t part(struct set_range *r, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		struct set_range next = r[i];
		const struct set_range *last = kept ? &r[kept - 1] : NULL;

		if (last && SETS_BITS(last->info) == SETS_BITS(next.info) &&
		    set_address_compare(&next.from, &last->to) <= 0) {
			if (set_address_compare(&next.to, &last->to) <= 0)
				continue;
			next.from = address_behind(last->to);
		}
		r[kept++] = next;
	}
	return kept;
}

/* The remaining ranges of one option. */
struct list {
	const struct set_range *at, *end;
};

static unsigned make_lists(const struct set_range *r, size_t count, struct list *lists)
{
	unsigned n = 0;

	for (size_t i = 0; i < count; i++) {
		if (!i || SETS_BITS(r[i].info) != SETS_BITS(r[i - 1].info))
			lists[n++].at = &r[i];
		lists[n - 1].end = &r[i + 1];
	}
	return n;
}

/* Find the lowest address of the remaining ranges; false: there is none. */
static bool find_least(const struct list *lists, unsigned n, struct set_address *least)
{
	bool found = false;

	for (unsigned i = 0; i < n; i++)
		if (lists[i].at < lists[i].end &&
		    (!found || set_address_compare(&lists[i].at->from, least) < 0)) {
			*least = lists[i].at->from;
			found = true;
		}
	return found;
}

/* The piece from here on with the same bits: up to where, and which bits. No bits: no range is
 * here. *error: 0 or -ENOMEM. */
static struct set_range piece_from(struct set_entries *e, const struct list *lists, unsigned n,
				   struct set_address from, int *error)
{
	struct set_range piece = {from, {{UINT64_MAX, UINT64_MAX}}, 0};

	for (unsigned i = 0; i < n; i++) {
		const struct set_range *r = lists[i].at;
		struct set_address end;

		if (r == lists[i].end)
			continue;
		if (set_address_compare(&r->from, &from) <= 0) {
			end = r->to;
			if (!piece.info)
				piece.info = r->info;
			else if (set_info_join(e, &piece.info, r->info))
				*error = -ENOMEM;
		} else {
			end = address_before(r->from);
		}
		if (set_address_compare(&end, &piece.to) < 0)
			piece.to = end;
	}
	return piece;
}

static int merge(struct set_entries *e, struct list *lists, unsigned n, struct set_range *out,
		 size_t *made)
{
	struct set_address from;
	size_t count = 0;
	int error = 0;

	while (!error && find_least(lists, n, &from)) {
		struct set_range piece = piece_from(e, lists, n, from, &error);

		while (piece.info) {
			out[count++] = piece;
			for (unsigned i = 0; i < n; i++)
				if (lists[i].at < lists[i].end &&
				    set_address_compare(&lists[i].at->to, &piece.to) == 0)
					lists[i].at++;
			from = address_behind(piece.to);
			piece = (struct set_range){.info = 0};
			if (from.half[0] || from.half[1])
				piece = piece_from(e, lists, n, from, &error);
		}
	}
	*made = count;
	return error;
}

int set_ranges_flatten(struct set_entries *e, struct set_range **out, size_t *count)
{
	struct list lists[SETS_KINDS];
	unsigned n;

	*count = 0;
	*out = NULL;
	if (!e->ranges)
		return 0;
	qsort(e->range, e->ranges, sizeof(*e->range), compare_ranges);
	e->ranges = part(e->range, e->ranges);
	/* Each range begins one piece, and its end begins another. */
	*out = calloc(2 * e->ranges, sizeof(**out));
	if (!*out)
		return -ENOMEM;
	n = make_lists(e->range, e->ranges, lists);
	return merge(e, lists, n, *out, count);
}
