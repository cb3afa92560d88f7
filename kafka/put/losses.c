/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <stdlib.h>

#include "kafka/put/losses.h"
#include "pcapng/packet.h"
#include "util/buffer.h"
#include "util/less.h"

#define STATISTICS_FIXED 12

struct losses_interface {
	uint64_t behind; /* last isb_osdrop of a block that has nothing else */
	uint64_t osdrop; /* last isb_osdrop of a block that has more */
	uint64_t ifdrop; /* last isb_ifdrop */
};

static int add_interface(struct losses *l)
{
	struct losses_interface *all = buffer_one_more(l->of, l->count, &l->room, sizeof(*all));

	if (!all)
		return -ENOMEM;
	l->of = all;
	l->of[l->count++] = (struct losses_interface){.behind = 0};
	return 0;
}

/* By how much a counter has grown. A counter that is less than before was reset. */
static uint64_t grown(uint64_t *last, uint64_t now)
{
	uint64_t more = now >= *last ? now - *last : now;

	*last = now;
	return more;
}

/*
 * Compares the sums over all interfaces: a capture of several has what the program lost in the
 * statistics of one interface, but the drops that packets tell with each packet's own.
 */
static uint64_t note_osdrop(struct losses *l, struct losses_interface *i, uint64_t value)
{
	uint64_t more;

	l->osdrop += value - i->osdrop;
	i->osdrop = value;
	more = less(l->osdrop, l->told);
	l->told += more;
	return more;
}

static void note_statistics(struct losses *l, const struct pcapng_block *b, struct missing *m)
{
	uint64_t has = 0, value[ISB_CODES] = {0};
	struct pcapng_options options = pcapng_options(b, STATISTICS_FIXED);
	struct losses_interface *i;
	struct pcapng_option o;
	uint64_t more = 0;

	if (b->length < STATISTICS_FIXED || pcapng_u32(b->body, b->swapped) >= l->count)
		return;
	i = &l->of[pcapng_u32(b->body, b->swapped)];
	while (pcapng_next_option(&options, &o))
		if (o.code >= ISB_IFRECV && o.code < ISB_CODES && o.length == sizeof(uint64_t)) {
			value[o.code] = pcapng_u64(o.value, b->swapped);
			has |= 1u << o.code;
		}
	if (has == 1u << ISB_OSDROP) {
		m->behind = grown(&i->behind, value[ISB_OSDROP]);
		l->told += m->behind;
		return;
	}
	if (has & 1u << ISB_OSDROP)
		more = note_osdrop(l, i, value[ISB_OSDROP]);
	if (has & 1u << ISB_IFDROP)
		more += grown(&i->ifdrop, value[ISB_IFDROP]);
	m->dropped = less(more, l->before);
	l->before = less(l->before, more);
}

static void note_packet(struct losses *l, const struct pcapng_block *b, struct missing *m)
{
	struct pcapng_packet p;

	if (!pcapng_packet_read(&p, b) || p.interface_id >= l->count)
		return;
	m->dropped = pcapng_packet_dropcount(b, &p);
	l->told += m->dropped;
}

int losses_note(struct losses *l, const struct pcapng_block *b, struct missing *m)
{
	*m = (struct missing){.dropped = 0};
	if (b->type == BLOCK_SECTION)
		l->count = l->told = l->osdrop = 0;
	if (b->type == BLOCK_INTERFACE)
		return add_interface(l);
	if (b->type == BLOCK_STATISTICS)
		note_statistics(l, b, m);
	else if (pcapng_is_packet(b->type))
		note_packet(l, b, m);
	return 0;
}

void losses_free(struct losses *l)
{
	free(l->of);
	*l = (struct losses){.of = NULL};
}
