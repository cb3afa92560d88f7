/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <string.h>

#include "util/clock.h"
#include "xdpdump/os/complain.h"
#include "xdpdump/source/members.h"
#include "reader.h"
#include "reader_any.h"

/* What has gone may still have records in the rings for so long. */
#define LATE_NS ((uint64_t)NS_PER_SEC)

int reader_put_block(struct reader *r, struct source *s, struct member *m)
{
	int e = 0;

	m->id = UINT32_MAX - m->number; /* where there are no blocks: nobody's else */
	if (r->output->ops->interface)
		e = r->output->ops->interface(r->output, s, m);
	m->begun = clock_wall();
	m->delivered = 0;
	return e ? e : members_set_block(s->members, m, m->id);
}

int reader_end_member(struct reader *r, struct source *s, struct member *m)
{
	int e = 0;

	if (members_have_block(s->members, m) && !r->closed && r->output->ops->end_interface)
		e = r->output->ops->end_interface(r->output, s, m, clock_wall());
	members_remove(s->members, m);
	return e;
}

/* NULL: out of memory, or it could not end another of the same index (*e). */
static struct member *find_member(struct reader *r, struct source *s,
				  const struct afxdp_member *from, int *e)
{
	struct member *m = members_find(s->members, 0, from->index);

	*e = 0;
	if (m && m->number != from->number) {
		/* What is late of the former one is not worth a third block. */
		if (from->number < m->number)
			return m;
		*e = reader_end_member(r, s, m);
	}
	if (*e)
		return NULL;
	m = members_get(s->members, 0, from);
	if (m && from->gone)
		reader_leave_member(s, m);
	return m;
}

void reader_leave_member(struct source *s, struct member *m)
{
	if (m->gone_time)
		return;
	m->gone_time = clock_monotonic();
	m->gone_wall = clock_wall();
	s->members->leaving++;
}

static void name_block(const struct epb_header *record, uint32_t caplen, uint32_t id)
{
	struct epb_header *to = (struct epb_header *)record;
	struct epb_options *o = (struct epb_options *)epb_options_behind(record, caplen);

	to->interface_id = id;
	o->flags &= ~EPB_FLAG_TAG_BESIDE; /* for filters, which have run */
}

int reader_put_record(struct reader *r, struct source *s, struct member *m,
		      const struct epb_header *record, uint32_t caplen, bool *more)
{
	int e;

	s->members->read = epb_time(record);
	*more = m && !members_have_block(s->members, m);
	e = *more ? reader_put_block(r, s, m) : 0;
	if (e)
		return e;
	if (m)
		m->delivered++;
	else
		s->members->unknown++;
	name_block(record, caplen, m ? m->id : s->interface_ids[AFXDP_RECEIVED]);
	return 0;
}

int reader_put_member(struct reader *r, struct source *s, const struct afxdp_member *from,
		      const struct epb_header *record, uint32_t caplen, bool *more)
{
	struct member *m;
	int e = 0;

	*more = false;
	m = from->number ? find_member(r, s, from, &e) : NULL;
	return e ? e : reader_put_record(r, s, m, record, caplen, more);
}

void reader_tell_member(const struct reader *r, const char *netns, const char *name,
			const char *what)
{
	if (!r->options->quiet)
		complain("%s%s%s %s the capture", netns ? netns : "", netns && *name ? "/" : "",
			 name, what);
}

static int join(struct reader *r, struct source *s, const struct afxdp_member *from, bool first)
{
	struct member *m;
	int e = 0;

	s->members->present++;
	m = first ? NULL : find_member(r, s, from, &e);
	/* The first ones have theirs in front of their first packets. */
	if (m && !r->closed && !members_have_block(s->members, m))
		e = reader_put_block(r, s, m);
	if (!first)
		reader_tell_member(r, s->netns, from->name, "joins");
	return e;
}

static void leave(struct reader *r, struct source *s, const struct afxdp_member *from)
{
	struct member *m = members_find(s->members, 0, from->index);

	s->members->present--;
	reader_tell_member(r, s->netns, from->name, "leaves");
	if (m && m->number == from->number)
		reader_leave_member(s, m);
}

/* Can no record of it be on its way? A reader may be behind by more than that. */
static bool is_read(struct source *s, const struct member *m, uint64_t now)
{
	return m->gone_time && now - m->gone_time > LATE_NS &&
	       (s->members->read > m->gone_wall + LATE_NS || source_is_empty(s));
}

static int end_gone(struct reader *r, struct source *s, uint64_t now)
{
	struct members *all = s->members;
	unsigned i = 0;
	int e = 0;

	while (all->leaving && i < all->room && !e) {
		struct member *m = &all->at[i];

		if (m->index && is_read(s, m, now))
			e = reader_end_member(r, s, m); /* another may be in its place now */
		else
			i++;
	}
	return e;
}

static int heed_source(struct reader *r, struct source *s, bool first)
{
	struct afxdp_member m;
	int e = 0;

	while (!s->spaces && !e && afxdp_next_member(s->reader, &m)) {
		if (m.gone)
			leave(r, s, &m);
		else
			e = join(r, s, &m, first);
	}
	return e;
}

int reader_heed_members(struct reader *r, bool first)
{
	uint64_t now = 0;
	int e = 0;

	for (unsigned i = 0; i < r->sources->count && !e; i++) {
		struct source *s = &r->sources->source[i];

		if (!s->members || !s->reader)
			continue;
		e = heed_source(r, s, first);
		if (e || !s->members->leaving)
			continue;
		now = clock_monotonic();
		if (now - s->members_looked < LATE_NS / 4)
			continue;
		s->members_looked = now;
		e = end_gone(r, s, now);
	}
	return e;
}

unsigned reader_member_blocks(const struct reader *r)
{
	unsigned n = 0;

	for (unsigned i = 0; i < r->sources->count; i++)
		if (r->sources->source[i].members)
			n += r->sources->source[i].members->blocks;
	return n;
}

void reader_forget_blocks(struct reader *r)
{
	for (unsigned i = 0; i < r->sources->count; i++)
		if (r->sources->source[i].members)
			members_begin_file(r->sources->source[i].members);
}
