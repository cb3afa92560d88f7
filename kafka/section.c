/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kafka/section.h"
#include "kafka/shorten.h"

#define SECTION_FIXED	 16
#define STATISTICS_SIZE	 64
#define STATISTICS_FIXED 12
#define INTERFACE_FIXED	 8
#define WORTH_CUTTING	 8 /* an eighth of a section */
#define AHEAD_MAX_NS	 (1800ull * SECTION_SPAN_NS)
/* What must precede a packet takes at most three quarters of a section; it can include two of each
 * of these. */
#define INTERFACE_MOST(s) ((s)->most / 8)
#define PROCESS_MOST(s)	  ((s)->most / 16)

static const struct pcapng_options no_options;

struct section_interface {
	struct pcapng_clock clock;
	char name[64];
	uint64_t packets;     /* number in this section */
	uint64_t first, last; /* time stamps */
	bool has_statistics;  /* this section has statistics of it from the input */
	bool is_busy;	      /* it is in the section's list of busy ones */
	size_t at, size;      /* where its block is */
	uint64_t filling;     /* number of the body that describes it, if not all are described */
	uint32_t id;	      /* its number there */
};

void section_init(struct section *s, const struct label *who, size_t most)
{
	*s = (struct section){.label = *who, .most = most};
}

__attribute__((format(printf, 2, 3))) static int fault(struct section *s, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(s->fault, sizeof(s->fault), format, args);
	va_end(args);
	return -EBADMSG;
}

static const uint8_t *block_start(const struct pcapng_block *b)
{
	return b->body - 8;
}

static size_t block_size(const struct pcapng_block *b)
{
	return b->length + BLOCK_LENGTH_MIN;
}

/* Copies the options, except for a label and the end, which are appended later. Options beyond
 * `most` bytes are left out. */
static int copy_options(struct section *s, const struct pcapng_block *b, size_t most)
{
	struct buffer *to = &s->header;
	struct pcapng_options options = pcapng_options(b, SECTION_FIXED);
	struct pcapng_option o;
	int e = 0;

	while (!e && pcapng_next_option(&options, &o)) {
		if (o.code == LABEL_OPTION)
			continue;
		if (to->used + 2 * sizeof(uint16_t) + o.length > most) {
			s->is_shortened = true;
			continue;
		}
		e = buffer_u16(to, o.code, b->swapped);
		if (!e)
			e = buffer_u16(to, o.length, b->swapped);
		if (!e)
			e = buffer_append(to, o.value, o.length);
		if (!e)
			e = buffer_pad(to);
	}
	return e;
}

/* Overwrites a number. */
static void set_number(struct buffer *b, size_t at, size_t width, size_t number, bool swapped)
{
	struct buffer one = {.at = b->at + at, .room = width};

	if (width == sizeof(uint16_t))
		buffer_u16(&one, (uint16_t)number, swapped);
	else
		buffer_u32(&one, (uint32_t)number, swapped);
}

static int put_label(struct section *s)
{
	char text[LABEL_ROOM];
	size_t n = label_format(&s->label, text);
	int e = buffer_u16(&s->header, LABEL_OPTION, s->swapped);

	if (!e)
		e = buffer_u16(&s->header, (uint16_t)n, s->swapped);
	s->label_at = s->header.used;
	if (!e)
		e = buffer_append(&s->header, text, n);
	if (!e)
		e = buffer_pad(&s->header);
	return e;
}

/* Makes the header: of unknown section length, with the input's options and a label. */
static int make_header(struct section *s, const struct pcapng_block *b)
{
	size_t length;
	int e;

	s->header.used = 0;
	e = buffer_append(&s->header, block_start(b), 8 + 8);
	if (!e)
		e = buffer_u64(&s->header, LENGTH_UNKNOWN, s->swapped);
	if (!e)
		e = copy_options(s, b, s->most / 8);
	if (!e)
		e = put_label(s);
	if (!e)
		e = buffer_u32(&s->header, OPT_END, s->swapped);
	length = s->header.used + sizeof(uint32_t);
	if (!e)
		e = buffer_u32(&s->header, (uint32_t)length, s->swapped);
	if (!e)
		set_number(&s->header, 4, sizeof(uint32_t), length, s->swapped);
	return e;
}

static void forget_interfaces(struct section *s)
{
	s->interfaces.used = s->names.used = 0;
	s->interface_count = s->interface_room = s->busy_count = 0;
	s->label.interface[0] = 0;
	free(s->table);
	free(s->busy);
	s->table = NULL;
	s->busy = NULL;
	processes_forget(&s->processes);
}

static int take_header(struct section *s, const struct pcapng_block *b)
{
	if (b->length < SECTION_FIXED)
		return fault(s, "a section header is too short");
	if (s->has_content)
		return 1;
	forget_interfaces(s);
	s->body.used = 0;
	s->swapped = b->swapped;
	return make_header(s, b);
}

static int remake_header(struct section *s)
{
	struct buffer old = s->header;
	struct pcapng_reader r = {.at = old.at, .end = old.at + old.used};
	struct pcapng_block b;
	int e;

	if (!pcapng_next(&r, &b))
		return fault(s, "a section header is broken");
	s->header = (struct buffer){.at = NULL};
	e = make_header(s, &b);
	buffer_free(&old);
	return e;
}

/* Adds the name to the label's list "eth0,eth1", if there is room. The header contains the list. */
static int list_interface(struct section *s, const char *name)
{
	size_t used = strlen(s->label.interface), room = sizeof(s->label.interface) - used;

	if (!*name || strlen(name) + 2 > room)
		return 0;
	snprintf(s->label.interface + used, room, "%s%s", used ? "," : "", name);
	return remake_header(s);
}

static void read_name(char *to, size_t room, const struct pcapng_block *b)
{
	struct pcapng_options options = pcapng_options(b, INTERFACE_FIXED);
	struct pcapng_option o;
	char name[64];

	*to = 0;
	while (pcapng_next_option(&options, &o))
		if (o.code == IF_NAME) {
			snprintf(name, sizeof(name), "%.*s", (int)o.length, (const char *)o.value);
			label_name(to, room, name);
		}
}

static int make_room(struct section *s)
{
	size_t room = s->interface_room ? 2 * s->interface_room : 8;
	struct section_interface *table;
	uint32_t *busy;

	if (s->interface_count < s->interface_room)
		return 0;
	table = reallocarray(s->table, room, sizeof(*table));
	if (!table)
		return -ENOMEM;
	s->table = table;
	busy = reallocarray(s->busy, room, sizeof(*busy));
	if (!busy)
		return -ENOMEM;
	s->busy = busy;
	s->interface_room = room;
	return 0;
}

/* Appends the block, shortened if necessary, to the others. */
static int keep_interface(struct section *s, struct section_interface *i,
			  const struct pcapng_block *b)
{
	int e;

	i->at = s->interfaces.used;
	e = shorten(&s->interfaces, b, INTERFACE_FIXED, INTERFACE_MOST(s));
	i->size = s->interfaces.used - i->at;
	s->is_shortened |= e == 1;
	return e < 0 ? e : 0;
}

static int take_interface(struct section *s, const struct pcapng_block *b)
{
	struct section_interface *i;
	int e;

	if (b->length < INTERFACE_FIXED)
		return fault(s, "an interface block is too short");
	if (s->has_content)
		return 1;
	e = make_room(s);
	if (e)
		return e;
	i = &s->table[s->interface_count];
	*i = (struct section_interface){.at = 0};
	pcapng_clock_read(&i->clock, b);
	read_name(i->name, sizeof(i->name), b);
	e = keep_interface(s, i, b);
	if (!e)
		e = list_interface(s, i->name);
	s->body.used = 0; /* the body is begun anew, so that it has this interface */
	s->interface_count += !e;
	return e;
}

static bool has_all(const struct section *s)
{
	return s->interfaces.used <= s->most / 4;
}

static bool lacks(const struct section *s, const struct section_interface *i)
{
	return !has_all(s) && i->filling != s->filling;
}

static int describe(struct section *s, struct section_interface *i)
{
	int e = 0;

	if (!lacks(s, i))
		return 0;
	e = buffer_append(&s->body, s->interfaces.at + i->at, i->size);
	if (e)
		return e;
	i->filling = s->filling;
	i->id = s->described++;
	return 0;
}

static int put_interfaces(struct section *s)
{
	s->filling++;
	s->described = 0;
	return has_all(s) ? buffer_append(&s->body, s->interfaces.at, s->interfaces.used)
			  : describe(s, s->table);
}

static int begin_section(struct section *s)
{
	int e;

	if (s->body.used)
		return 0;
	if (!s->header.used)
		return fault(s, "it does not begin with a section header");
	e = buffer_reserve(&s->body, s->most);
	if (!e)
		e = buffer_append(&s->body, s->header.at, s->header.used);
	if (!e)
		e = put_interfaces(s);
	if (!e)
		e = buffer_append(&s->body, s->names.at, s->names.used);
	s->statistics_room = 0;
	return e;
}

/*
 * Is there room for the block, and for what it needs: its interface i (or NULL) and its processes,
 * and statistics of one more interface? Returns 0, 1 (cut first), -EMSGSIZE or another -errno.
 * options: of a packet, else none.
 */
static int find_room(struct section *s, const struct pcapng_block *b,
		     const struct section_interface *i, const struct pcapng_options *options)
{
	int e = begin_section(s);
	size_t size = block_size(b) + (!e && i && lacks(s, i) ? i->size : 0);

	size += processes_lacking(&s->processes, s->filling, options);
	if (e || s->body.used + s->statistics_room + STATISTICS_SIZE + size <= s->most)
		return e;
	return s->has_content ? 1 : -EMSGSIZE;
}

/* The options of the block that the body ends with. */
static struct pcapng_options options_in_body(const struct section *s,
					     const struct pcapng_options *of_block)
{
	const uint8_t *end = s->body.at + s->body.used - sizeof(uint32_t);

	return (struct pcapng_options){.at = end - (of_block->end - of_block->at),
				       .end = end,
				       .swapped = of_block->swapped};
}

/* i: the block's interface, or NULL. options: of a packet, else none. */
static int append(struct section *s, const struct pcapng_block *b, struct section_interface *i,
		  const struct pcapng_options *options)
{
	int e = i ? describe(s, i) : 0;
	size_t at;

	s->has_content = true;
	if (!e)
		e = processes_describe(&s->processes, s->filling, &s->body, options);
	at = s->body.used + 8;
	if (!e)
		e = buffer_append(&s->body, block_start(b), block_size(b));
	if (!e &&
	    s->processes.count) /* without processes no number has a meaning: see take_process() */
		processes_number(&s->processes, &s->body, options_in_body(s, options));
	/* Simple packets have no interface number: they belong to the first. */
	if (e || !i || has_all(s) || b->type == BLOCK_SIMPLE_PACKET)
		return e;
	set_number(&s->body, at, b->type == BLOCK_PACKET ? sizeof(uint16_t) : sizeof(uint32_t),
		   i->id, s->swapped);
	return 0;
}

static size_t names_most(const struct section *s)
{
	return s->most / 4 < SECTION_NAMES_MAX ? s->most / 4 : SECTION_NAMES_MAX;
}

/* Drops the oldest quarter at once, not one block for each that comes. The newest stays if it fits
 * alone. */
static int forget_names(struct section *s)
{
	struct pcapng_reader r = {.swapped = s->swapped};
	struct pcapng_block oldest;
	size_t most = names_most(s);

	if (s->names.used <= most)
		return 0;
	r.at = s->names.at;
	r.end = s->names.at + s->names.used;
	while (r.end - r.at > (ptrdiff_t)(most - most / 4)) {
		if (!pcapng_next(&r, &oldest))
			return -EBADMSG;
		if (r.at < r.end || block_size(&oldest) > most)
			continue;
		r.at = block_start(&oldest);
		break;
	}
	buffer_drop(&s->names, (size_t)(r.at - s->names.at));
	return 0;
}

/* Also keeps the block for later sections. */
static int take_names(struct section *s, const struct pcapng_block *b)
{
	int e = find_room(s, b, NULL, &no_options);

	if (!e)
		e = append(s, b, NULL, &no_options);
	if (!e && block_size(b) <= names_most(s))
		e = buffer_append(&s->names, block_start(b), block_size(b));
	return e ? e : forget_names(s);
}

static bool is_spread(uint64_t first, uint64_t last)
{
	return last > first && last - first > SECTION_SPAN_NS;
}

/*
 * A stream whose time advances gets a section for each second. One whose time stamps go back and
 * forth, because clocks differ, must not get one for each packet.
 */
static bool span_exceeds(const struct section *s, uint64_t time)
{
	const struct label *l = &s->label;

	if (!s->has_time || (!is_spread(l->first, time) && !is_spread(time, l->last)))
		return false;
	if (l->bytes >= s->most / WORTH_CUTTING)
		return true;
	return time > l->last && !is_spread(l->first, l->last);
}

static void note_time(struct section *s, struct section_interface *i, uint64_t stamp, uint64_t time)
{
	struct label *l = &s->label;

	if (!s->has_time || time < l->first)
		l->first = time;
	if (!s->has_time || time > l->last)
		l->last = time;
	s->has_time = true;
	if (!i->packets || stamp < i->first)
		i->first = stamp;
	if (!i->packets || stamp > i->last)
		i->last = stamp;
}

static void note_busy(struct section *s, struct section_interface *i)
{
	if (i->is_busy)
		return;
	i->is_busy = true;
	s->busy[s->busy_count++] = (uint32_t)(i - s->table);
}

static void count(struct section *s, struct section_interface *i, const struct pcapng_packet *p)
{
	note_busy(s, i);
	if (!i->packets && !i->has_statistics && p->has_time)
		s->statistics_room += STATISTICS_SIZE;
	if (p->has_time) {
		note_time(s, i, p->stamp, pcapng_clock_ns(&i->clock, p->stamp));
		i->packets++;
	}
	s->label.packets++;
	s->label.bytes += p->caplen;
}

static int take_packet(struct section *s, const struct pcapng_block *b)
{
	struct section_interface *i;
	struct pcapng_options options;
	struct pcapng_packet p;
	int e;

	if (!pcapng_packet_read(&p, b))
		return fault(s, "a packet is longer than its block");
	if (p.interface_id >= s->interface_count)
		return fault(s, "a packet is of interface %u, which no block describes",
			     p.interface_id);
	i = &s->table[p.interface_id];
	if (p.has_time && span_exceeds(s, pcapng_clock_ns(&i->clock, p.stamp)))
		return 1;
	options = pcapng_options(b, p.options_from);
	e = find_room(s, b, i, &options);
	if (e)
		return e;
	e = append(s, b, i, &options);
	if (!e)
		count(s, i, &p);
	return e;
}

static int take_other(struct section *s, const struct pcapng_block *b)
{
	struct section_interface *i = NULL;
	int e;

	if (b->type == BLOCK_STATISTICS && b->length >= 4) {
		uint32_t id = pcapng_u32(b->body, b->swapped);

		if (id < s->interface_count)
			i = &s->table[id];
	}
	e = find_room(s, b, i, &no_options);
	if (e)
		return e;
	if (i) {
		note_busy(s, i);
		i->has_statistics = true;
	}
	return append(s, b, i, &no_options);
}

static int take_process(struct section *s, const struct pcapng_block *b)
{
	int e;

	/* A number that packets before the first process block name has no meaning, and must not
	 * get one. */
	if (!s->processes.count && s->has_content)
		return 1;
	e = processes_take(&s->processes, b, PROCESS_MOST(s));
	if (e == -E2BIG)
		return fault(s, "it has more than %u bytes of processes", PROCESSES_MOST);
	s->is_shortened |= e == 1;
	return e < 0 ? e : 0;
}

int section_take(struct section *s, const struct pcapng_block *b)
{
	switch (b->type) {
	case BLOCK_SECTION:
		return take_header(s, b);
	case BLOCK_INTERFACE:
		return take_interface(s, b);
	case BLOCK_NAMES:
	case BLOCK_SECRETS:
		return take_names(s, b);
	case BLOCK_PROCESS:
		return take_process(s, b);
	default:
		return pcapng_is_packet(b->type) ? take_packet(s, b) : take_other(s, b);
	}
}

bool section_is_empty(const struct section *s)
{
	return !s->has_content;
}

static int keep_interfaces_again(struct section *s)
{
	struct buffer old = s->interfaces;
	struct pcapng_reader r = {.at = old.at, .end = old.at + old.used, .swapped = s->swapped};
	struct pcapng_block b;
	int e = 0;

	s->interfaces = (struct buffer){.at = NULL};
	for (size_t i = 0; !e && i < s->interface_count; i++)
		e = pcapng_next(&r, &b) ? keep_interface(s, &s->table[i], &b) : -EBADMSG;
	buffer_free(&old);
	return e;
}

int section_resize(struct section *s, size_t most)
{
	int e = 0;

	s->most = most;
	s->body.used = 0;
	if (s->header.used)
		e = remake_header(s);
	if (!e)
		e = keep_interfaces_again(s);
	if (!e)
		e = processes_resize(&s->processes, PROCESS_MOST(s), s->swapped);
	s->is_shortened |= e == 1;
	return e < 0 ? e : forget_names(s);
}

bool section_is_begun(const struct section *s)
{
	return s->header.used > 0;
}

/* Writes an option with a 64-bit number. A time has its upper half first. */
static int put_number(struct section *s, uint16_t code, uint64_t v, bool is_time)
{
	int e = buffer_u16(&s->body, code, s->swapped);

	if (!e)
		e = buffer_u16(&s->body, sizeof(v), s->swapped);
	if (e)
		return e;
	if (!is_time)
		return buffer_u64(&s->body, v, s->swapped);
	e = buffer_u32(&s->body, (uint32_t)(v >> 32), s->swapped);
	return e ? e : buffer_u32(&s->body, (uint32_t)v, s->swapped);
}

static int put_statistics(struct section *s, size_t id)
{
	const struct section_interface *i = &s->table[id];
	const uint32_t fixed[] = {BLOCK_STATISTICS, STATISTICS_SIZE,
				  has_all(s) ? (uint32_t)id : i->id, (uint32_t)(i->last >> 32),
				  (uint32_t)i->last};
	int e = 0;

	for (size_t n = 0; !e && n < sizeof(fixed) / sizeof(fixed[0]); n++)
		e = buffer_u32(&s->body, fixed[n], s->swapped);
	if (!e)
		e = put_number(s, ISB_STARTTIME, i->first, true);
	if (!e)
		e = put_number(s, ISB_ENDTIME, i->last, true);
	if (!e)
		e = put_number(s, ISB_USRDELIV, i->packets, false);
	if (!e)
		e = buffer_u32(&s->body, OPT_END, s->swapped);
	return e ? e : buffer_u32(&s->body, STATISTICS_SIZE, s->swapped);
}

bool section_counts(const struct pcapng_block *b)
{
	static const uint16_t codes[] = {ISB_STARTTIME, ISB_ENDTIME, ISB_USRDELIV};
	struct pcapng_options options = pcapng_options(b, STATISTICS_FIXED);
	struct pcapng_option o;
	size_t n = 0;

	if (b->type != BLOCK_STATISTICS || block_size(b) != STATISTICS_SIZE)
		return false;
	while (pcapng_next_option(&options, &o))
		if (n == sizeof(codes) / sizeof(codes[0]) || o.code != codes[n++])
			return false;
	return n == sizeof(codes) / sizeof(codes[0]);
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static int finish_interfaces(struct section *s)
{
	int e = 0;

	if (s->busy_count > 1)
		qsort(s->busy, s->busy_count, sizeof(*s->busy), by_number);
	for (size_t n = 0; !e && n < s->busy_count; n++) {
		struct section_interface *i = &s->table[s->busy[n]];

		if (i->packets && !i->has_statistics)
			e = put_statistics(s, s->busy[n]);
		i->packets = 0;
		i->has_statistics = i->is_busy = false;
	}
	s->busy_count = 0;
	return e;
}

int section_cut(struct section *s, uint64_t lost, uint64_t now, struct buffer *message,
		struct label *label)
{
	char text[LABEL_ROOM];
	int e = begin_section(s);
	struct label *l = &s->label;

	if (!e)
		e = finish_interfaces(s);
	if (e)
		return e;
	l->lost = lost;
	if (!s->has_time)
		l->first = l->last = now;
	*label = *l;
	memcpy(s->body.at + s->label_at, text, label_format(l, text));
	*message = s->body;
	s->body = (struct buffer){.at = NULL};
	s->has_content = s->has_time = false;
	l->sequence++;
	l->before += l->packets;
	l->packets = l->bytes = l->first = l->last = l->dropped = l->behind = 0;
	return 0;
}

uint64_t section_moment(const struct label *l, uint64_t now)
{
	uint64_t most = now + AHEAD_MAX_NS;

	if (!is_spread(l->first, l->last) || l->first > most)
		return l->first;
	return l->last < most ? l->last : most;
}

void section_free(struct section *s)
{
	buffer_free(&s->header);
	buffer_free(&s->interfaces);
	buffer_free(&s->names);
	buffer_free(&s->body);
	forget_interfaces(s);
}
