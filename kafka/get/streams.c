/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kafka/get/streams.h"
#include "util/buffer.h"
#include "util/clock.h"
#include "util/less.h"

#define SETTLE_FROM 1024 /* pieces */
#define PARTS_MOST  4096 /* parts that are looked at: no section has so many */

int streams_open(struct streams *s, const char *folder)
{
	*s = (struct streams){.file = -1};
	if (!folder)
		return 0;
	s->orders_late = true;
	s->file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	return s->file < 0 ? -errno : 0;
}

static void stream_free(struct stream *s)
{
	for (size_t i = 0; i < s->count; i++)
		free(stream_piece(s, i)->data);
	free(s->piece);
	free(s->host);
	free(s->session);
	free(s->writer);
	free(s->interface);
	free(s);
}

static int make_room(struct streams *s)
{
	struct stream **all =
		buffer_one_more(s->stream, s->count, &s->room, sizeof(struct stream *));

	s->stream = all ? all : s->stream;
	return all ? 0 : -ENOMEM;
}

static struct stream *make_stream(struct streams *s, const struct label *l, uint64_t hash)
{
	struct stream *one = make_room(s) ? NULL : calloc(1, sizeof(*one));

	if (!one)
		return NULL;
	*one = (struct stream){.host = strdup(l->host),
			       .session = strdup(l->session),
			       .writer = strdup(l->writer),
			       .interface = strdup(l->interface),
			       .number = l->stream,
			       .from_start = UINT64_MAX};
	if (!one->host || !one->session || !one->writer || !one->interface ||
	    table_put(&s->by_name, hash, s->count)) {
		stream_free(one);
		return NULL;
	}
	return s->stream[s->count++] = one;
}

uint64_t stream_hash(const struct label *l)
{
	struct hash h;

	hash_begin(&h);
	hash_text(&h, l->host);
	hash_text(&h, l->session);
	hash_text(&h, l->writer);
	hash_add(&h, &l->stream, sizeof(l->stream));
	return hash_end(&h);
}

/* The list only grows while the stream runs. Of a section cut again, parts list fewer interfaces. */
static int update_interfaces(struct stream *s, const struct label *l)
{
	char *longer;

	if (strlen(l->interface) <= strlen(s->interface))
		return 0;
	longer = strdup(l->interface);
	if (!longer)
		return -ENOMEM;
	free(s->interface);
	s->interface = longer;
	return 0;
}

/* Returns 0, -ENOMEM, or -EMLINK if there are too many. */
static int find_stream(struct streams *s, const struct label *l, struct stream **to)
{
	uint64_t hash = stream_hash(l);
	size_t known = table_find(&s->by_name, hash);

	*to = NULL;
	if (known == TABLE_NONE && s->count == STREAMS_MAX)
		return -EMLINK;
	*to = known == TABLE_NONE ? make_stream(s, l, hash) : s->stream[known];
	return *to ? update_interfaces(*to, l) : -ENOMEM;
}

/* Is this a part with only names, secrets and the like? */
static bool has_place_alone(const struct piece *p)
{
	return p->begin == p->end && p->begin != LABEL_NOT_SAID;
}

/* Does the piece say what the host dropped? The whole section does, and the first part of each
 * cut. */
static bool is_first_part(const struct piece *p)
{
	return p->dropped || p->behind;
}

static bool begins_with(const struct piece *x, const struct piece *y)
{
	return x->sequence == y->sequence && x->begin == y->begin;
}

/* Parts of a section that was cut again have the same number, and follow each other by their
 * packets. */
static int compare_places(const struct piece *x, const struct piece *y)
{
	if (has_place_alone(x) != has_place_alone(y))
		return has_place_alone(x) ? -1 : 1;
	if (x->end != y->end) /* the whole section before its parts */
		return x->end < y->end ? 1 : -1;
	return !x->packets - !y->packets;
}

/* Two pieces without packets may have the same place, but different content. A label alone has no
 * content, and comes last. */
static int compare_things(const struct piece *x, const struct piece *y)
{
	if (!x->things != !y->things)
		return x->things ? -1 : 1;
	return (x->things > y->things) - (x->things < y->things);
}

static int compare_begins(const struct piece *x, const struct piece *y)
{
	if (x->sequence != y->sequence)
		return x->sequence < y->sequence ? -1 : 1;
	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	return is_first_part(y) - is_first_part(x);
}

static int compare(const struct piece *x, const struct piece *y)
{
	int d = compare_begins(x, y);

	if (!d)
		d = compare_places(x, y);
	return d || x->packets ? d : compare_things(x, y);
}

/* Has p nothing that the piece at its place before it lacks? */
static bool is_same(const struct piece *p, const struct piece *front)
{
	return begins_with(p, front) && !compare_places(p, front) &&
	       (p->packets || !p->things || p->things == front->things);
}

/* Is all of p in the piece before it? */
static bool is_within(const struct piece *p, const struct piece *front)
{
	if (front->through != p->sequence)
		return front->through > p->sequence;
	if (p->begin == front->begin && p->end == front->end)
		return is_same(p, front);
	if (!p->packets && p->begin != LABEL_NOT_SAID)
		return front->packets && p->end < front->end;
	return p->begin < p->end && p->end <= front->end;
}

/* Do they overlap, because a section was cut at two limits? Parts with only names have the end of
 * the packets before them. */
static bool is_partly_within(const struct piece *p, const struct piece *front)
{
	return front->through == p->sequence && front->end != LABEL_NOT_SAID &&
	       p->begin < front->end &&
	       (front->end < p->end || (front->end == p->end && !p->packets));
}

/* Makes p go on where the piece before it ends, which has told what was missing before both. */
static void trim(struct piece *p, uint64_t end)
{
	uint64_t first = p->end - p->packets, again = end > first ? end - first : 0;

	p->skip += again;
	p->packets -= again;
	p->lost = again ? 0 : first - end;
	if (end < p->end) /* otherwise it keeps its place among equal ones */
		p->begin = end;
}

/* Has the other piece said already what the host dropped? */
static bool is_told(const struct piece *p, const struct piece *other)
{
	return is_first_part(p) &&
	       ((is_first_part(other) && begins_with(p, other)) ||
		(other->sequence < p->sequence && other->through == p->sequence));
}

/* Index of the first piece that sorts after p. Most come in order. */
static size_t behind(const struct stream *s, const struct piece *p)
{
	size_t low = 0, high = s->count;

	if (!high || compare(stream_piece(s, high - 1), p) <= 0)
		return high;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare(stream_piece(s, middle), p) > 0)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* Is p a duplicate of the last piece? Until all are sorted, pieces are in the order in which they
 * came. */
static bool comes_again(const struct stream *s, const struct piece *p, bool has_data)
{
	const struct piece *last = s->count ? stream_piece(s, s->count - 1) : NULL;

	return last && is_same(p, last) && (last->length || !has_data) &&
	       is_first_part(p) == is_first_part(last);
}

static bool is_in_order(const struct piece *p, const struct piece *front)
{
	return compare(front, p) < 0 && !is_within(p, front) && !is_partly_within(p, front) &&
	       !is_told(p, front);
}

/* Takes off p what pieces before place i have. Returns true if that is all of it. */
static bool take_off(const struct stream *s, struct piece *p, size_t i)
{
	for (size_t n = i; n-- && i - n <= PARTS_MOST;) {
		const struct piece *front = stream_piece(s, n);

		if (front->through < p->sequence)
			break;
		if (is_within(p, front))
			return true;
		if (is_partly_within(p, front))
			trim(p, front->end);
	}
	return false;
}

/* Finds the place of p among sorted pieces, and takes off p what they have. Returns false if that
 * is all of it. */
static bool fit(const struct stream *s, struct piece *p, size_t *place)
{
	size_t i = behind(s, p);

	if (i && is_same(p, stream_piece(s, i - 1)))
		return false;
	if ((i && is_told(p, stream_piece(s, i - 1))) ||
	    (i < s->count && is_told(p, stream_piece(s, i)))) {
		p->dropped = p->behind = 0;
		i = behind(s, p);
	}
	if (take_off(s, p, i))
		return false;
	for (size_t most = i + PARTS_MOST; i < s->count && i < most && p->begin < p->end; i++) {
		const struct piece *next = stream_piece(s, i);

		if (next->sequence != p->sequence || next->begin > p->begin)
			break;
		if (is_within(p, next))
			return false;
		if (is_partly_within(p, next))
			trim(p, next->end);
	}
	*place = i;
	return true;
}

static void move_gap(struct stream *s, size_t to)
{
	size_t free = s->room - s->count;

	if (to < s->gap)
		memmove(&s->piece[to + free], &s->piece[to], (s->gap - to) * sizeof(*s->piece));
	else
		memmove(&s->piece[s->gap], &s->piece[s->gap + free],
			(to - s->gap) * sizeof(*s->piece));
	s->gap = to;
}

/* Makes a place where the section belongs; late: at the end, until all are sorted. Returns 0, 1 for
 * a duplicate, or -ENOMEM. */
static int make_place(struct stream *s, struct piece *p, bool has_data, bool late, size_t *place)
{
	size_t i = s->count;
	struct piece *all;

	if (late ? comes_again(s, p, has_data) : !fit(s, p, &i))
		return 1;
	s->is_unordered |= late && i && !is_in_order(p, stream_piece(s, i - 1));
	s->gap = s->count < s->room ? s->gap
				    : s->count; /* without free places the gap is anywhere */
	all = buffer_one_more(s->piece, s->count, &s->room, sizeof(*all));
	if (!all)
		return -ENOMEM;
	s->piece = all;
	move_gap(s, i);
	s->gap++;
	s->count++;
	if (i < s->current) /* it comes too late for its place, so it is read next */
		s->current = i;
	*place = i;
	return 0;
}

static int write_all(struct streams *s, const uint8_t *data, size_t length)
{
	while (length) {
		ssize_t n = pwrite(s->file, data, length, (off_t)s->file_size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? -errno : -ENOSPC;
		s->file_size += (uint64_t)n;
		data += n;
		length -= (size_t)n;
	}
	return 0;
}

static uint64_t hash_things(const uint8_t *section, size_t length)
{
	struct hash h;

	hash_begin(&h);
	hash_add(&h, section, length);
	return hash_end(&h) | 1;
}

static int keep(struct streams *s, struct piece *p, const uint8_t *section)
{
	if (!section)
		return 0;
	if (s->file >= 0)
		return write_all(s, section, p->length);
	p->data = malloc(p->length);
	if (!p->data)
		return -ENOMEM;
	memcpy(p->data, section, p->length);
	return 0;
}

static void place_packets(struct piece *p, const struct label *l)
{
	p->begin = p->end = LABEL_NOT_SAID;
	if (l->before < l->lost || l->packets >= LABEL_NOT_SAID - l->before)
		return;
	p->begin = l->before - l->lost;
	p->end = l->before + l->packets;
}

int streams_add(struct streams *s, const struct label *l, const uint8_t *section, size_t length,
		struct stream **to)
{
	struct piece piece = {.sequence = l->sequence,
			      .through = l->sequence,
			      .first = l->first,
			      .last = l->last,
			      .packets = l->packets,
			      .lost = l->lost,
			      .dropped = l->dropped,
			      .behind = l->behind,
			      .arrived = clock_monotonic(),
			      .at = s->file_size,
			      .length = section ? length : 0};
	struct stream *one;
	size_t place;
	int e = find_stream(s, l, to);

	if (e == -EMLINK)
		s->beyond++;
	if (e)
		return e == -EMLINK ? 0 : e;
	one = *to;
	place_packets(&piece, l);
	if (section && !l->packets)
		piece.things = hash_things(section, length);
	e = make_place(one, &piece, section, s->orders_late, &place);
	s->duplicates += e == 1;
	if (e)
		return e;
	*stream_piece(one, place) = piece;
	return keep(s, stream_piece(one, place), section);
}

void stream_begins(struct stream *s, uint64_t sequence)
{
	s->from_start = sequence < s->from_start ? sequence : s->from_start;
}

/* Merges *next into *p. Returns false if there is a hole between them. */
static bool absorb(struct piece *p, const struct piece *next)
{
	if (next->sequence != p->through + 1 &&
	    (next->sequence != p->through || next->begin != p->end))
		return false;
	p->through = next->through;
	p->first = next->first < p->first ? next->first : p->first;
	p->last = next->last > p->last ? next->last : p->last;
	add_capped(&p->packets, next->packets);
	add_capped(&p->lost, next->lost);
	add_capped(&p->dropped, next->dropped);
	add_capped(&p->behind, next->behind);
	p->end = next->end;
	return true;
}

static void settle(struct stream *s, size_t done)
{
	size_t last = 0, gone;

	move_gap(s, done);
	for (size_t i = 1; i < done; i++)
		if (!absorb(&s->piece[last], &s->piece[i]))
			s->piece[++last] = s->piece[i];
	gone = done - (last + 1);
	s->gap = last + 1;
	s->count -= gone;
	s->current -= gone;
}

void streams_settle(struct streams *s)
{
	for (size_t i = 0; i < s->count; i++)
		if (s->stream[i]->current > SETTLE_FROM)
			settle(s->stream[i], s->stream[i]->current - 1);
}

/* Of equal pieces the first that came goes first, but a label alone goes after a section. */
static int by_sequence(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;

	int d = compare(x, y);

	if (d)
		return d;
	if (!x->length != !y->length)
		return x->length ? -1 : 1;
	if (x->arrived != y->arrived)
		return x->arrived < y->arrived ? -1 : 1;
	return (x->at > y->at) - (x->at < y->at);
}

static void order(struct streams *s, struct stream *one)
{
	struct piece first = {.begin = LABEL_NOT_SAID}; /* the first part that has the same begin */
	size_t kept = 0;

	move_gap(one, one->count);
	qsort(one->piece, one->count, sizeof(*one->piece), by_sequence);
	for (size_t i = 0; i < one->count; i++) {
		struct piece p = one->piece[i];

		if (kept && is_within(&p, &one->piece[kept - 1])) {
			s->duplicates++;
			continue;
		}
		if (kept && is_partly_within(&p, &one->piece[kept - 1]))
			trim(&p, one->piece[kept - 1].end);
		if (is_told(&one->piece[i], &first))
			p.dropped = p.behind = 0;
		else if (is_first_part(&p))
			first = p;
		one->piece[kept++] = p;
	}
	one->count = one->gap = kept;
	one->is_unordered = false;
}

void streams_order(struct streams *s)
{
	for (size_t i = 0; i < s->count; i++)
		if (s->stream[i]->is_unordered)
			order(s, s->stream[i]);
}

int streams_map(struct streams *s)
{
	void *p;

	streams_order(s);
	if (s->file < 0 || !s->file_size)
		return 0;
	p = mmap(NULL, s->file_size, PROT_READ, MAP_PRIVATE, s->file, 0);
	if (p == MAP_FAILED)
		return -errno;
	s->map = p;
	return 0;
}

const uint8_t *streams_data(const struct streams *s, const struct piece *p)
{
	if (p->data || !p->length)
		return p->data;
	return s->map + p->at;
}

const char *stream_name(const struct stream *s, char *to, size_t room)
{
	snprintf(to, room, "host %s, session %s, stream %" PRIu64, s->host, s->session, s->number);
	return to;
}

struct span {
	const struct stream *stream;
	uint64_t first, last;
};

static struct span span(const struct stream *s)
{
	struct span all = {s, UINT64_MAX, 0};

	for (size_t i = 0; i < s->count; i++) {
		const struct piece *p = stream_piece(s, i);

		if (p->first < all.first)
			all.first = p->first;
		if (p->last > all.last)
			all.last = p->last;
	}
	return all;
}

static int compare_names(const struct stream *a, const struct stream *b)
{
	int d = strcmp(a->host, b->host);

	if (!d)
		d = strcmp(a->session, b->session);
	return d ? d : (a->number > b->number) - (a->number < b->number);
}

static int by_name_and_time(const void *a, const void *b)
{
	const struct span *x = a, *y = b;
	int d = compare_names(x->stream, y->stream);

	return d ? d : (x->first > y->first) - (x->first < y->first);
}

/* Spans of one name, in the order of their times: does any begin before the one before it ends? */
static bool overlap(const struct span *s, size_t n)
{
	uint64_t last = s[0].last;

	for (size_t i = 1; i < n; i++) {
		if (s[i].first <= last)
			return true;
		last = s[i].last;
	}
	return false;
}

int streams_clashes(const struct streams *s, streams_clash *clash)
{
	struct span *all = calloc(s->count ? s->count : 1, sizeof(*all));
	size_t n;

	if (!all)
		return -ENOMEM;
	for (size_t i = 0; i < s->count; i++)
		all[i] = span(s->stream[i]);
	qsort(all, s->count, sizeof(*all), by_name_and_time);
	for (size_t i = 0; i < s->count; i += n) {
		for (n = 1; i + n < s->count && !compare_names(all[i].stream, all[i + n].stream);)
			n++;
		if (overlap(&all[i], n))
			clash(all[i].stream);
	}
	free(all);
	return 0;
}

void streams_close(struct streams *s)
{
	if (s->map)
		munmap((void *)(uintptr_t)s->map, s->file_size);
	if (s->file >= 0)
		close(s->file);
	for (size_t i = 0; i < s->count; i++)
		stream_free(s->stream[i]);
	free(s->stream);
	table_free(&s->by_name);
	*s = (struct streams){.file = -1};
}
