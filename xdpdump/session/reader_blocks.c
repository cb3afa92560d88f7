/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include "util/clock.h"
#include "xdpdump/source/members.h"
#include "reader.h"
#include "reader_blocks.h"

int reader_put_block(struct reader *r, struct source *s, struct member *m)
{
	int e = 0;

	m->id = UINT32_MAX - m->number; /* for outputs without blocks: an id that nobody else has */
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
		e = r->output->ops->end_interface(r->output, m, clock_wall());
	members_remove(s->members, m);
	return e;
}

void reader_leave_member(struct source *s, struct member *m, uint64_t when)
{
	if (m->gone_time)
		return;
	m->gone_time = clock_monotonic();
	m->gone_wall = when;
	s->members->leaving++;
}

static void name_block(const struct epb_header *record, uint32_t caplen, uint32_t id)
{
	struct epb_header *to = (struct epb_header *)record;
	struct epb_options *o = (struct epb_options *)epb_options_behind(record, caplen);

	to->interface_id = id;
	o->flags &= ~EPB_FLAG_TAG_BESIDE; /* the flag is for filters, which have already run */
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
