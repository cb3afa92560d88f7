/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>

#include "kafka/put/recut.h"
#include "kafka/section.h"

struct cutter {
	struct section section;
	uint64_t sequence, last; /* of the whole */
	uint64_t lost;		 /* in front of the part that is being made */
	uint64_t unfit, parts;
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
	if (pcapng_is_packet(b->type)) {
		c->section.label.before++;
		c->lost++;
		c->unfit++;
	}
	return 0;
}

/* Statistics that the whole has of its packets are of no part. */
static int take_all(struct cutter *c, const struct buffer *section)
{
	struct pcapng_reader r = {.at = section->at, .end = section->at + section->used};
	struct pcapng_block b;
	int e = 0;

	while (!e && pcapng_next(&r, &b))
		if (!section_counts(&b))
			e = take_block(c, &b);
	return e;
}

int recut(const struct buffer *section, size_t most, recut_part *give, void *context,
	  uint64_t *unfit)
{
	struct cutter c = {.give = give, .context = context};
	struct label whole;
	int e;

	if (!label_find(&whole, section->at, section->used))
		return -EBADMSG;
	if (whole.before == LABEL_NOT_SAID)
		return -ENOTSUP;
	c.sequence = whole.sequence;
	c.last = whole.last;
	c.lost = whole.lost;
	whole.packets = whole.bytes = whole.first = whole.last = 0;
	whole.interface[0] = 0;
	section_init(&c.section, &whole, most);
	e = take_all(&c, section);
	if (!e && (c.lost || !c.parts || !section_is_empty(&c.section)))
		e = cut(&c);
	section_free(&c.section);
	*unfit = c.unfit;
	return e == -EMSGSIZE ? -EBADMSG : e;
}
