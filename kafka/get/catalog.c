/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "kafka/get/catalog.h"
#include "util/clock.h"

#define PROBES	4 /* per partition */
#define SAMPLES 2

static int make_room(struct catalog *c)
{
	struct catalog_entry *all = buffer_one_more(c->entry, c->count, &c->room, sizeof(*all));

	c->entry = all ? all : c->entry;
	return all ? 0 : -ENOMEM;
}

static bool lies_within(const struct topic *t, const struct record *r)
{
	const struct topic_partition *p = &t->partition[r->partition];

	return (int64_t)r->offset >= p->low && (int64_t)r->offset < p->end;
}

static int keep_gone(struct catalog *c, const struct topic *t, const struct record *r)
{
	uint8_t text[LABEL_ROOM];
	uint16_t length;
	int e;

	if (!c->keeps_gone || (int64_t)r->offset >= t->partition[r->partition].low ||
	    !r->label.packets)
		return 0;
	if (c->gone.used > CATALOG_LABELS) {
		c->gone_beyond = true;
		return 0;
	}
	length = (uint16_t)label_pack(&r->label, text);
	e = buffer_append(&c->gone, &length, sizeof(length));
	return e ? e : buffer_append(&c->gone, text, length);
}

bool catalog_next_gone(const struct catalog *c, size_t *at, struct label *to)
{
	uint16_t length;

	if (*at == c->gone.used)
		return false;
	memcpy(&length, c->gone.at + *at, sizeof(length));
	label_unpack(to, c->gone.at + *at + sizeof(length), length);
	*at += sizeof(length) + length;
	return true;
}

int catalog_take(struct catalog *c, const struct topic *t, const void *value, size_t size,
		 catalog_rule *rule, void *context)
{
	uint8_t text[LABEL_ROOM];
	struct record r;
	size_t length;

	if (!value || !record_parse(&r, value, size) || r.offset > INT64_MAX) {
		c->foreign++;
		return 0;
	}
	if (r.partition >= (uint32_t)t->partitions)
		return 0;
	if (!lies_within(t, &r))
		return keep_gone(c, t, &r);
	if (c->count == CATALOG_MOST || c->labels.used > CATALOG_LABELS) {
		c->beyond++;
		return 0;
	}
	length = label_pack(&r.label, text);
	if (make_room(c) || buffer_append(&c->labels, text, length))
		return -ENOMEM;
	c->entry[c->count++] =
		(struct catalog_entry){.offset = (int64_t)r.offset,
				       .time = r.time,
				       .label = c->labels.used - length,
				       .partition = r.partition,
				       .bytes = r.bytes,
				       .size = (uint16_t)length,
				       .is_wanted = rule &&
						    rule(context, &r.label, r.keys, r.keys_size)};
	return 0;
}

static int compare(const struct catalog_entry *a, const struct catalog_entry *b)
{
	if (a->partition != b->partition)
		return a->partition < b->partition ? -1 : 1;
	return (a->offset > b->offset) - (a->offset < b->offset);
}

static int by_place(const void *a, const void *b)
{
	return compare(a, b);
}

/* Are these the same record, sent twice? */
static bool is_same(const struct catalog *c, const struct catalog_entry *a,
		    const struct catalog_entry *b)
{
	return a->size == b->size && a->time == b->time && a->bytes == b->bytes &&
	       a->is_wanted == b->is_wanted &&
	       memcmp(c->labels.at + a->label, c->labels.at + b->label, a->size) == 0;
}

void catalog_settle(struct catalog *c)
{
	size_t kept = 0, n;

	if (c->count)
		qsort(c->entry, c->count, sizeof(*c->entry), by_place);
	for (size_t i = 0; i < c->count; i += n) {
		bool is_certain = true;

		for (n = 1; i + n < c->count && !compare(&c->entry[i], &c->entry[i + n]); n++)
			is_certain &= is_same(c, &c->entry[i], &c->entry[i + n]);
		c->doubted += !is_certain;
		if (is_certain)
			c->entry[kept++] = c->entry[i];
	}
	c->count = kept;
}

const struct catalog_entry *catalog_find(const struct catalog *c, int32_t partition, int64_t offset)
{
	const struct catalog_entry key = {.partition = (uint32_t)partition, .offset = offset};

	return c->count ? bsearch(&key, c->entry, c->count, sizeof(*c->entry), by_place) : NULL;
}

/* Chooses a time of each partition to ask for: in the middle of what the index says of it, or at
 * its end; 0 for a partition that it says nothing of. */
static void choose(const struct catalog *c, const struct topic *t, unsigned probe, int64_t *ms)
{
	size_t n;

	memset(ms, 0, (size_t)t->partitions * sizeof(*ms));
	for (size_t i = 0; i < c->count; i += n) {
		for (n = 1; i + n < c->count && c->entry[i + n].partition == c->entry[i].partition;)
			n++;
		ms[c->entry[i].partition] =
			(int64_t)c->entry[i + (n - 1) * (probe + 1) / PROBES].time;
	}
}

/*
 * offset: the first section of at least that time, as the brokers say. Does the index say so too,
 * or nothing of that section?
 */
static bool agrees(const struct catalog *c, int32_t partition, int64_t ms, int64_t offset)
{
	const struct catalog_entry *e;

	if (ms <= 0)
		return true;
	if (offset < 0)
		return false;
	e = catalog_find(c, partition, offset);
	return !e || e->time >= (uint64_t)ms;
}

int catalog_agrees(const struct catalog *c, const struct topic *t)
{
	size_t count = (size_t)t->partitions;
	int64_t *ms = calloc(2 * count, sizeof(*ms));
	int yes = ms ? 1 : -ENOMEM;

	for (unsigned probe = 0; probe < PROBES && yes == 1; probe++) {
		choose(c, t, probe, ms);
		if (topic_times(t, ms, ms + count))
			yes = -EIO;
		for (size_t i = 0; i < count && yes == 1; i++)
			yes = agrees(c, (int32_t)i, ms[i], ms[count + i]);
	}
	free(ms);
	return yes;
}

/* Whoever writes false records cannot know which sections are checked. */
void catalog_sample(struct catalog *c)
{
	for (unsigned i = 0; c->count && i < SAMPLES; i++) {
		uint64_t chosen;

		if (getrandom(&chosen, sizeof(chosen), GRND_NONBLOCK) != sizeof(chosen))
			chosen = clock_monotonic();
		c->entry[chosen % c->count].is_sample = true;
	}
}

void catalog_label(const struct catalog *c, const struct catalog_entry *e, struct label *to)
{
	label_unpack(to, c->labels.at + e->label, e->size);
}

bool catalog_has(const struct catalog *c, const struct catalog_entry *e, const struct label *l)
{
	uint8_t text[LABEL_ROOM];
	size_t length = label_pack(l, text);

	return length == e->size && memcmp(c->labels.at + e->label, text, length) == 0;
}

void catalog_free(struct catalog *c)
{
	free(c->entry);
	buffer_free(&c->labels);
	buffer_free(&c->gone);
	*c = (struct catalog){.entry = NULL};
}
