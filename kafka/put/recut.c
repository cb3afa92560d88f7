/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>

#include "kafka/put/recut.h"
#include "kafka/section.h"

struct cutter {
	struct section section;
	uint64_t sequence, last; /* number and last time of the whole */
	uint64_t lost;		 /* packets lost before the part that is being made */
	uint64_t parts, packets; /* number of parts, and packets in them */
	struct unfit unfit;
	recut_part *give;
	void *context;
};

static int cut(struct cutter *c)
{
	struct buffer part = {.at = NULL};
	struct label label;
	int e = section_cut(&c->section, c->lost, c->last, &part, &label);

	c->section.label.sequence = c->sequence;
	c->lost = 0;
	c->parts++;
	c->packets += e ? 0 : label.packets;
	if (!e && part.used > c->section.most)
		e = -EBADMSG;
	if (!e)
		e = c->give(c->context, &part, &label);
	if (e)
		buffer_free(&part);
	return e;
}

static int take_block(struct cutter *c, const struct pcapng_block *b)
{
	int e = section_take(&c->section, b);

	if (e == 1) {
		e = cut(c);
		if (!e)
			e = section_take(&c->section, b);
	}
	if (e != -EMSGSIZE)
		return e;
	if (!pcapng_is_packet(b->type)) {
		c->unfit.others++;
		return 0;
	}
	c->section.label.before++;
	c->lost++;
	c->unfit.packets++;
	return 0;
}

/* The statistics that section_cut() added to the whole are left out: parts have their own. */
static int take_all(struct cutter *c, const struct buffer *section)
{
	struct pcapng_reader r = {.at = section->at, .end = section->at + section->used};
	struct pcapng_block b;
	int e = 0;

	while (!e && pcapng_next(&r, &b))
		if (!section_counts(&b))
			e = take_block(c, &b);
	return e || r.at == r.end ? e : -EBADMSG;
}

static int begin_cut(struct cutter *c, const struct buffer *section, size_t most,
		     struct label *whole)
{
	struct label l;

	if (!label_find(whole, section->at, section->used))
		return -EBADMSG;
	l = *whole;
	c->sequence = l.sequence;
	c->last = l.last;
	c->lost = l.lost;
	l.packets = l.bytes = l.first = l.last = 0;
	l.interface[0] = 0;
	section_init(&c->section, &l, most);
	return 0;
}

int recut(const struct buffer *section, size_t most, recut_part *give, void *context,
	  struct unfit *unfit)
{
	struct cutter c = {.give = give, .context = context};
	struct label whole;
	int e = begin_cut(&c, section, most, &whole);

	if (e)
		return e;
	e = whole.before == LABEL_NOT_SAID ? -ENOTSUP : take_all(&c, section);
	if (!e && (c.lost || !c.parts || !section_is_empty(&c.section)))
		e = cut(&c);
	if (!e && c.packets + c.unfit.packets != whole.packets)
		e = -EBADMSG;
	c.unfit.others += c.section.is_shortened;
	section_free(&c.section);
	*unfit = c.unfit;
	return e == -EMSGSIZE ? -EBADMSG : e;
}

int recut_none(const struct buffer *section, size_t most, recut_part *give, void *context,
	       struct unfit *unfit)
{
	struct cutter c = {.give = give, .context = context};
	struct pcapng_reader r = {.at = section->at, .end = section->at + section->used};
	struct pcapng_block b;
	struct label whole;
	int e = begin_cut(&c, section, most, &whole);

	if (e)
		return e;
	c.lost += whole.packets;
	if (whole.before != LABEL_NOT_SAID)
		c.section.label.before += whole.packets;
	e = pcapng_next(&r, &b) ? section_take(&c.section, &b) : -EBADMSG;
	if (!e)
		e = cut(&c);
	section_free(&c.section);
	*unfit = (struct unfit){.packets = whole.packets, .others = 1};
	return e;
}
