/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "kafka/get/merge.h"
#include "kafka/processes.h"
#include "pcapng/turn.h"
#include "util/command/say.h"
#include "util/command/signals.h"
#include "util/less.h"

#define SECTION_FIXED	 16
#define STATISTICS_FIXED 12
#define SNAPLEN_AT	 4 /* in an interface block */

/* How far a stream has been read. */
struct merge_source {
	struct stream *stream;
	bool is_open;	 /* a section is being read */
	bool is_spoiled; /* part of the section could not be read; the rest can */
	uint8_t *owned;	 /* its content, if not in the file */
	uint64_t first;	 /* time of its first packet, as its label says */
	uint64_t skip;	 /* packets still to skip, because the section before had them */
	/* What its label says is missing, less what its blocks have said so far. */
	uint64_t dropped, behind;
	struct gap gap; /* what is missing since the last packet that was written */
	bool has_packet;
	struct pcapng_reader reader;
	int *interface;	  /* interface numbers in the output, by number in the section */
	uint32_t snaplen; /* of its first interface; 0: no limit */
	size_t interfaces, room;
	uint32_t *process; /* the same for processes */
	size_t processes, process_room;
	char comment[512]; /* of its section header */
	struct pcapng_block block;
	struct pcapng_packet packet;
	struct buffer turned; /* the packet's frame, if the section is of the other byte order */
	int to;		      /* the packet's interface in the output */
	int last; /* the stream's last interface, or the last that is in the file; negative: none */
	uint64_t time;
};

void merge_init(struct merge *m, struct streams *s, struct output *w)
{
	*m = (struct merge){.streams = s, .output = w};
}

/* Makes a source for each new stream. */
static int grow(struct merge *m)
{
	struct merge_source *s, **heap;

	if (m->count == m->streams->count)
		return 0;
	s = reallocarray(m->source, m->streams->room, sizeof(*s));
	if (!s)
		return -ENOMEM;
	m->source = s;
	heap = reallocarray(m->heap, m->streams->room, sizeof(struct merge_source *));
	if (!heap)
		return -ENOMEM;
	m->heap = heap;
	for (; m->count < m->streams->count; m->count++)
		s[m->count] =
			(struct merge_source){.stream = m->streams->stream[m->count], .last = -1};
	return 0;
}

/* Did the piece come too late, or is the one after it begun? Then what was missing before it has
 * been told. */
static bool is_passed(const struct stream *s)
{
	return stream_piece(s, s->current)->is_begun ||
	       (s->current + 1 < s->count && stream_piece(s, s->current + 1)->is_begun);
}

/* From here on the piece counts as done: what comes later gets a place among those after it. */
static void open_piece(struct merge *m, struct merge_source *s)
{
	struct piece *p = stream_piece(s->stream, s->stream->current);
	const uint8_t *data = streams_data(m->streams, p);
	bool is_told;

	if (!is_passed(s->stream))
		gap_in_front(&s->gap, s->stream, s->stream->current, m->output->o);
	s->stream->current++;
	/* What is missing is told even if no packet of the section matches. */
	is_told = p->is_begun || !options_have_time(m->output->o, p->first, p->last);
	s->dropped = is_told ? 0 : p->dropped;
	s->behind = is_told ? 0 : p->behind;
	p->is_begun = true;
	s->reader = (struct pcapng_reader){.at = data, .end = data ? data + p->length : NULL};
	s->owned = p->data;
	s->first = p->first;
	s->skip = p->skip;
	s->interfaces = s->processes = 0;
	s->comment[0] = 0;
	s->is_open = true;
	s->is_spoiled = false;
	p->data = NULL;
	p->length = 0;
}

static void close_piece(struct merge *m, struct merge_source *s)
{
	const struct gap untold = {.dropped = s->dropped, .behind = s->behind};

	gap_add(&s->gap, &untold);
	m->faults += s->is_spoiled || s->reader.fault || s->reader.at != s->reader.end;
	free(s->owned);
	s->owned = NULL;
	s->is_open = false;
}

static void read_comment(struct merge_source *s)
{
	struct pcapng_options options = pcapng_options(&s->block, SECTION_FIXED);
	struct pcapng_option o;

	s->interfaces = s->processes = 0;
	s->comment[0] = 0;
	while (pcapng_next_option(&options, &o))
		if (o.code == OPT_COMMENT && o.length < sizeof(s->comment)) {
			memcpy(s->comment, o.value, o.length);
			s->comment[o.length] = 0;
		}
}

/* Chooses the interface that tells, at the file's end, what is missing: preferably one that is in
 * the file. */
static void note_last(const struct merge *m, struct merge_source *s, int id)
{
	if (id >= 0 &&
	    (s->last < 0 || output_has(m->output, id) || !output_has(m->output, s->last)))
		s->last = id;
}

static int add_interface(struct merge *m, struct merge_source *s)
{
	int id = output_interface(m->output, &s->block, s->stream->host, s->comment);

	if (id == -EBADMSG) { /* nor can its packets, because interfaces are numbered */
		s->reader.fault = "an interface of it cannot be read";
		return 0;
	}
	if (id < 0 && id != -EMLINK)
		return id;
	if (s->interfaces == s->room) {
		size_t room = s->room ? 2 * s->room : 4;
		int *table = reallocarray(s->interface, room, sizeof(*table));

		if (!table)
			return -ENOMEM;
		s->interface = table;
		s->room = room;
	}
	if (!s->interfaces)
		s->snaplen = pcapng_u32(s->block.body + SNAPLEN_AT, s->block.swapped);
	s->interface[s->interfaces++] = id;
	if (s->last < 0 || !output_has(m->output, s->last))
		note_last(m, s, id);
	return 0;
}

/*
 * A simple packet has no time, and belongs to the first interface: it gets the time of its
 * section's first packet. Only that interface's snaplen says how many of its bytes were kept; the
 * rest pads the block.
 */
static void complete_simple(const struct merge *m, struct merge_source *s)
{
	s->packet.stamp = output_stamp(m->output, s->to, s->first);
	if (s->snaplen && s->packet.caplen > s->snaplen)
		s->packet.caplen = s->snaplen;
}

static int take_packet(struct merge *m, struct merge_source *s)
{
	if (!pcapng_packet_read(&s->packet, &s->block) || s->packet.interface_id >= s->interfaces) {
		s->reader.fault = "a packet of it cannot be read";
		return 0;
	}
	if (s->skip) {
		s->skip--;
		return 0;
	}
	s->to = s->interface[s->packet.interface_id];
	if (s->to < 0) {
		m->output->beyond++;
		return 0;
	}
	note_last(m, s, s->to);
	if (!s->packet.has_time)
		complete_simple(m, s);
	s->time = output_time(m->output, s->to, s->packet.stamp);
	s->dropped = less(s->dropped, pcapng_packet_dropcount(&s->block, &s->packet));
	s->has_packet = true;
	return s->block.swapped ? turn_packet(&s->packet, output_link(m->output, s->to), &s->turned)
				: 0;
}

/* Drops of the section were noticed at its first statistics block with isb_osdrop. */
static void take_statistics(struct merge_source *s)
{
	struct pcapng_options options = pcapng_options(&s->block, STATISTICS_FIXED);
	const struct gap told = {.behind = s->behind};
	struct pcapng_option o;

	while (s->behind && pcapng_next_option(&options, &o))
		if (o.code == ISB_OSDROP) {
			gap_add(&s->gap, &told);
			s->behind = 0;
		}
}

static int take_names(struct merge *m, struct merge_source *s)
{
	int e = output_names(m->output, &s->block);

	if (e != -EBADMSG)
		return e;
	s->is_spoiled = true; /* its packets can be used without them */
	return 0;
}

static int take_process(struct merge *m, struct merge_source *s)
{
	size_t room = s->process_room ? 2 * s->process_room : 16;
	uint32_t *table;
	int e;

	if (s->processes == s->process_room) {
		table = reallocarray(s->process, room, sizeof(*table));
		if (!table)
			return -ENOMEM;
		s->process = table;
		s->process_room = room;
	}
	e = output_process(m->output, &s->block, &s->process[s->processes]);
	if (e && e != -EBADMSG)
		return e;
	if (e)
		s->process[s->processes] = PROCESSES_NOBODY;
	s->is_spoiled |= e != 0;
	s->processes++;
	return 0;
}

static int take_block(struct merge *m, struct merge_source *s)
{
	switch (s->block.type) {
	case BLOCK_SECTION:
		read_comment(s);
		return 0;
	case BLOCK_INTERFACE:
		return add_interface(m, s);
	case BLOCK_NAMES:
	case BLOCK_SECRETS:
		return take_names(m, s);
	case BLOCK_PROCESS:
		return take_process(m, s);
	case BLOCK_STATISTICS:
		take_statistics(s);
		return 0;
	default:
		return pcapng_is_packet(s->block.type) ? take_packet(m, s) : 0;
	}
}

/* Advances to the stream's next packet, if there is one. */
static int advance(struct merge *m, struct merge_source *s)
{
	int e = 0;

	s->has_packet = false;
	while (!e && !s->has_packet) {
		if (signals_stop > m->patience)
			return -EINTR;
		if (!s->is_open && s->stream->current == s->stream->count)
			return 0;
		if (!s->is_open)
			open_piece(m, s);
		if (!s->reader.fault && pcapng_next(&s->reader, &s->block))
			e = take_block(m, s);
		else
			close_piece(m, s);
	}
	return e;
}

static bool is_due(const struct merge_source *s, uint64_t until)
{
	return s->has_packet && (s->time <= until || s->time <= s->stream->due);
}

/* At the same time, the packet of the stream that came first goes first. */
static bool is_before(const struct merge_source *a, const struct merge_source *b)
{
	return a->time != b->time ? a->time < b->time : a < b;
}

/* Moves source i of the heap down to where it belongs. */
static void sink(struct merge *m, size_t i)
{
	struct merge_source *s = m->heap[i];

	for (size_t child; (child = 2 * i + 1) < m->due; i = child) {
		if (child + 1 < m->due && is_before(m->heap[child + 1], m->heap[child]))
			child++;
		if (is_before(s, m->heap[child]))
			break;
		m->heap[i] = m->heap[child];
	}
	m->heap[i] = s;
}

static void gather(struct merge *m, uint64_t until)
{
	m->due = 0;
	for (size_t i = 0; i < m->count; i++)
		if (is_due(&m->source[i], until))
			m->heap[m->due++] = &m->source[i];
	for (size_t i = m->due / 2; i-- > 0;)
		sink(m, i);
}

/* The oldest time of all sources but the first. */
static uint64_t next_time(const struct merge *m)
{
	uint64_t next = m->due > 1 ? m->heap[1]->time : UINT64_MAX;

	return m->due > 2 && m->heap[2]->time < next ? m->heap[2]->time : next;
}

/* Writes packets of the first source, as long as they are not newer than any other's. */
static int drain(struct merge *m, uint64_t until)
{
	struct merge_source *s = m->heap[0];
	uint64_t next = next_time(m);
	int e = 0;

	while (!e && is_due(s, until) && s->time <= next) {
		e = output_packet(m->output, &s->block, &s->packet, s->to, s->time, s->process,
				  s->processes, &s->gap);
		if (!e)
			e = advance(m, s);
	}
	if (!is_due(s, until))
		m->heap[0] = m->heap[--m->due];
	if (m->due)
		sink(m, 0);
	return e;
}

/* Tells the user about want of memory. Other errors are told where they happen. */
static int tell(const struct merge *m, int e)
{
	if (e == -ENOMEM && !m->output->error)
		complain("%s", strerror(-e));
	return e;
}

int merge_run(struct merge *m, uint64_t until)
{
	int e = grow(m);

	for (size_t i = 0; !e && i < m->count; i++)
		if (!m->source[i].has_packet)
			e = advance(m, &m->source[i]);
	gather(m, until);
	while (!e && m->due)
		e = drain(m, until);
	return tell(m, e);
}

int merge_end(struct merge *m)
{
	for (size_t i = 0; i < m->count; i++) {
		const struct merge_source *s = &m->source[i];

		if (s->last >= 0)
			output_lacks(m->output, s->last, &s->gap);
	}
	return tell(m, output_end(m->output));
}

void merge_free(struct merge *m)
{
	for (size_t i = 0; i < m->count; i++) {
		free(m->source[i].interface);
		free(m->source[i].process);
		free(m->source[i].owned);
		buffer_free(&m->source[i].turned);
	}
	free(m->source);
	free(m->heap);
	*m = (struct merge){.source = NULL};
}
