/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "find/section.h"
#include "pcapng/convert.h"
#include "pcapng/turn.h"
#include "util/command/say.h"

#define SECTION_FIXED	16
#define INTERFACE_FIXED 8
#define PACKET_FIXED	20
/* More names than this are written even without a packet, so that memory use is bounded. */
#define NAMES_MOST (16u << 20)
/* Limit for interfaces and processes: a small compressed file could have any number of them. */
#define SECTION_MOST (64u << 20)
#define NOBODY	     UINT32_MAX /* the number of no process */

struct section_interface {
	struct pcapng_clock clock;
	uint32_t snaplen;
	uint16_t link_type;
	int filter;
	int id;	   /* number in the output; -1: not there yet */
	size_t at; /* offset of its block */
};

struct process {
	size_t at;
	int id;
};

void section_begin(struct section *s, const char *file)
{
	s->file = file;
	s->count = s->held.used = s->names.used = s->process.used = 0;
	s->comment[0] = 0;
	s->has_packet = false;
}

static void read_comment(struct section *s, const struct pcapng_block *b)
{
	struct pcapng_options options = pcapng_options(b, SECTION_FIXED);
	struct pcapng_option o;

	while (pcapng_next_option(&options, &o))
		if (o.code == OPT_COMMENT && o.length < sizeof(s->comment)) {
			memcpy(s->comment, o.value, o.length);
			s->comment[o.length] = 0;
		}
}

static int hold(struct buffer *to, const struct pcapng_block *b)
{
	return buffer_append(to, b->body - 8, b->length + BLOCK_LENGTH_MIN);
}

/* Returns a block that is held. */
static struct pcapng_block held(const struct section *s, size_t at)
{
	struct pcapng_reader r = {.at = s->held.at + at,
				  .end = s->held.at + s->held.used,
				  .swapped = s->swapped};
	struct pcapng_block b = {.type = 0};

	pcapng_next(&r, &b);
	return b;
}

static bool is_full(const struct section *s, const struct pcapng_block *b)
{
	return s->held.used + s->process.used + s->count * sizeof(*s->interface) + b->length >
	       SECTION_MOST;
}

static int make_room(struct section *s)
{
	struct section_interface *all =
		buffer_one_more(s->interface, s->count, &s->room, sizeof(*all));

	s->interface = all ? all : s->interface;
	return all ? 0 : -ENOMEM;
}

/* Tells the user once per link type that the filter cannot be used. */
static void tell_unfit(const struct section *s, uint16_t link_type, int filter)
{
	const char *why = expression_unfit(s->expression, filter);

	if (why && expression_leaves_out(s->expression, link_type))
		complain("%s: packets of link type %u are not searched, because the filter '%s' cannot be used for them: %s",
			 s->file, link_type, s->expression->text, why);
}

static int take_interface(struct section *s, const struct pcapng_block *b)
{
	struct section_interface *i;
	int e;

	if (b->length < INTERFACE_FIXED)
		return -EBADMSG;
	e = is_full(s, b) ? -E2BIG : make_room(s);
	if (e)
		return e;
	i = &s->interface[s->count];
	*i = (struct section_interface){.snaplen = pcapng_u32(b->body + 4, b->swapped),
					.id = -1,
					.at = s->held.used};
	i->link_type = pcapng_u16(b->body, b->swapped);
	i->filter = expression_for(s->expression, i->link_type);
	if (i->filter < 0)
		return i->filter;
	tell_unfit(s, i->link_type, i->filter);
	pcapng_clock_read(&i->clock, b);
	e = hold(&s->held, b);
	s->count += !e;
	return e;
}

static int take_process(struct section *s, const struct pcapng_block *b)
{
	struct process p = {.at = s->held.used, .id = -1};
	int e = is_full(s, b) ? -E2BIG : hold(&s->held, b);

	return e ? e : buffer_append(&s->process, &p, sizeof(p));
}

/* Writes the names held so far; from now on names are written at once. Names that cannot be read
 * are left out. */
static int write_names(struct section *s)
{
	struct pcapng_reader r = {.at = s->names.at,
				  .end = s->names.at + s->names.used,
				  .swapped = s->swapped};
	struct pcapng_block b;
	int e = 0;

	s->has_packet = true;
	while ((!e || e == -EBADMSG) && s->names.used && pcapng_next(&r, &b))
		e = output_names(s->output, &b);
	s->names.used = 0;
	return e == -EBADMSG ? 0 : e;
}

static int take_names(struct section *s, const struct pcapng_block *b)
{
	int e;

	if (!s->output)
		return 0;
	e = hold(&s->names, b);
	return e || (!s->has_packet && s->names.used < NAMES_MOST) ? e : write_names(s);
}

int section_take(struct section *s, const struct pcapng_block *b, bool is_swapped)
{
	switch (b->type) {
	case BLOCK_SECTION:
		section_begin(s, s->file);
		s->swapped = b->swapped;
		s->turns = is_swapped;
		read_comment(s, b);
		return 0;
	case BLOCK_INTERFACE:
		return take_interface(s, b);
	case BLOCK_NAMES:
	case BLOCK_SECRETS:
		return take_names(s, b);
	case BLOCK_PROCESS:
		return take_process(s, b);
	case BLOCK_STATISTICS:
		return 0;
	default:
		s->strange++;
		return 0;
	}
}

bool section_has(const struct section *s, struct pcapng_packet *p)
{
	uint32_t most;

	if (p->interface_id >= s->count)
		return false;
	most = s->interface[p->interface_id].snaplen;
	/* A simple packet does not say how many bytes were kept: the rest of its block is
	 * padding. */
	if (!p->has_time && most && p->caplen > most)
		p->caplen = most;
	return true;
}

uint16_t section_link(const struct section *s, const struct pcapng_packet *p)
{
	return s->interface[p->interface_id].link_type;
}

uint64_t section_time(const struct section *s, const struct pcapng_packet *p)
{
	return pcapng_clock_ns(&s->interface[p->interface_id].clock, p->stamp);
}

int section_matches(struct section *s, struct pcapng_packet *p)
{
	const struct section_interface *i = &s->interface[p->interface_id];
	int e = s->turns ? turn_packet(p, i->link_type, &s->turned) : 0;

	return e ? e : expression_takes(s->expression, i->filter, p);
}

static int number_process(struct section *s, uint32_t number, uint32_t *to)
{
	struct process *p = (struct process *)s->process.at + number;
	struct pcapng_block b;

	*to = NOBODY; /* in the output the old number may be another process's */
	if (number >= s->process.used / sizeof(*p))
		return 0;
	if (p->id < 0) {
		b = held(s, p->at);
		p->id = output_process(s->output, &b);
	}
	if (p->id >= 0)
		*to = (uint32_t)p->id;
	return p->id < 0 && p->id != -EBADMSG ? p->id : 0;
}

/* Replaces the section's process numbers by those of the output. */
static int number_processes(struct section *s)
{
	struct pcapng_reader r = {.at = s->made.at, .end = s->made.at + s->made.used};
	struct pcapng_options options;
	struct pcapng_option o;
	struct pcapng_block b;
	int e = 0;

	if (!pcapng_next(&r, &b))
		return 0;
	options = pcapng_options(&b, PACKET_FIXED + ((pcapng_u32(b.body + 12, false) + 3) & ~3u));
	while (!e && pcapng_next_option(&options, &o)) {
		uint32_t number;

		if ((o.code != EPB_PROCESS && o.code != EPB_PROCESS_FOR) || o.length != 4)
			continue;
		number = pcapng_u32(o.value, false);
		e = number_process(s, number, &number);
		memcpy(s->made.at + (o.value - s->made.at), &number, sizeof(number));
	}
	return e;
}

static int number_interface(struct section *s, struct section_interface *i)
{
	struct pcapng_block b;

	if (i->id < 0) {
		b = held(s, i->at);
		i->id = output_interface(s->output, &b, s->comment);
	}
	return i->id;
}

int section_make(struct section *s, const struct capture_item *item)
{
	struct section_interface *i = &s->interface[item->packet.interface_id];
	struct pcapng_packet p = item->packet;
	int e = s->has_packet ? 0 : write_names(s), id;

	if (e)
		return e;
	id = number_interface(s, i);
	if (id < 0)
		return id;
	s->made.used = 0;
	s->shortened += convert_cuts(&p, NULL);
	e = convert_packet(&s->made, &item->block, &p, (uint32_t)id, NULL, NULL);
	return e ? e : number_processes(s);
}

void section_free(struct section *s)
{
	free(s->interface);
	buffer_free(&s->held);
	buffer_free(&s->names);
	buffer_free(&s->process);
	buffer_free(&s->made);
	buffer_free(&s->turned);
	*s = (struct section){.file = NULL};
}
