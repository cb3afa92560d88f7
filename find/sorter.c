/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "find/sorter.h"

/* Bytes of each run; there may be hundreds of runs. */
#define GIVE_BACK (1u << 20)

/* A release waits until one packet is new for each 8 that the last one kept. */
#define KEPT_MANY 8

struct sorter_packet {
	uint64_t time;
	uint32_t file, length;
	uint64_t at; /* offset in the data, which is also the order in which they came */
};

/* Packets in the file, each after its struct sorter_packet. */
struct sorter_run {
	uint64_t at, end, given; /* given: pages before this were given back */
};

void sorter_init(struct sorter *s, const char *folder, size_t most)
{
	*s = (struct sorter){.folder = folder, .most = most, .file = -1};
}

static int compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int by_time(const void *a, const void *b)
{
	const struct sorter_packet *p = a, *q = b;
	int order = compare(p->time, q->time);

	if (!order)
		order = compare(p->file, q->file);
	return order ? order : compare(p->at, q->at);
}

/* Sorts only if necessary: most come in order. */
static void sort(struct sorter *s)
{
	size_t i = 1;

	while (i < s->count && by_time(&s->packet[i - 1], &s->packet[i]) < 0)
		i++;
	if (i < s->count)
		qsort(s->packet, s->count, sizeof(*s->packet), by_time);
}

static int write_all(struct sorter *s, const void *p, size_t n)
{
	for (size_t done = 0; done < n;) {
		ssize_t got = write(s->file, (const uint8_t *)p + done, n - done);

		if (got < 0 && errno != EINTR)
			return -errno;
		done += got > 0 ? (size_t)got : 0;
	}
	s->file_size += n;
	return pages_written(&s->pages, s->file);
}

static int open_file(struct sorter *s)
{
	if (s->file >= 0)
		return 0;
	s->file = open(s->folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	return s->file < 0 ? -errno : 0;
}

static int write_run(struct sorter *s)
{
	struct buffer out = {.at = NULL};
	int e = open_file(s);

	for (size_t i = 0; !e && i < s->count; i++) {
		const struct sorter_packet *p = &s->packet[i];

		e = buffer_append(&out, p, sizeof(*p));
		if (!e)
			e = buffer_append(&out, s->data.at + p->at, p->length);
		while (!e && out.used % sizeof(uint64_t))
			e = buffer_append(&out, "", 1);
		if (!e && (out.used > 1u << 20 || i + 1 == s->count)) {
			e = write_all(s, out.at, out.used);
			out.used = 0;
		}
	}
	buffer_free(&out);
	return e;
}

/* Moves what is in memory to the file. */
static int spill(struct sorter *s)
{
	struct sorter_run *run = reallocarray(s->run, s->runs + 1, sizeof(*run));
	uint64_t at = s->file_size;
	int e;

	if (!run)
		return -ENOMEM;
	s->run = run;
	sort(s);
	e = write_run(s);
	if (e)
		return e;
	run[s->runs++] = (struct sorter_run){at, s->file_size, at};
	s->count = 0;
	s->data.used = 0;
	return 0;
}

int sorter_add(struct sorter *s, uint64_t time, uint32_t file, const uint8_t *block,
	       uint32_t length)
{
	struct sorter_packet *all;
	int e = s->data.used + length > s->most && s->count ? spill(s) : 0;

	if (e)
		return e;
	all = buffer_one_more(s->packet, s->count, &s->room, sizeof(*all));
	if (!all)
		return -ENOMEM;
	s->packet = all;
	s->packet[s->count] = (struct sorter_packet){time, file, length, s->data.used};
	e = buffer_append(&s->data, block, length);
	s->count += !e;
	return e;
}

static int drain_memory(struct sorter *s, uint64_t before, bool all, sorter_take *take,
			void *context)
{
	size_t n = 0, kept = 0;
	int e = 0;

	sort(s);
	for (; n < s->count && !e && (all || s->packet[n].time < before); n++)
		e = take(context, s->data.at + s->packet[n].at, s->packet[n].length);
	if (n == s->count) {
		s->count = 0;
		s->data.used = 0;
		return e;
	}
	memmove(s->packet, s->packet + n, (s->count - n) * sizeof(*s->packet));
	s->count -= n;
	kept = s->data.used;
	for (size_t i = 0; i < s->count; i++)
		kept = s->packet[i].at < kept ? s->packet[i].at : kept;
	for (size_t i = 0; i < s->count; i++)
		s->packet[i].at -= kept;
	buffer_drop(&s->data, kept);
	return e;
}

static const struct sorter_packet *first(const struct sorter *s, const uint8_t *map, size_t i)
{
	(void)s;
	return (const struct sorter_packet *)(map + s->run[i].at);
}

/* At the same time and of the same file, the run that was written first goes first. */
static bool is_before(const struct sorter *s, const uint8_t *map, size_t a, size_t b)
{
	const struct sorter_packet *p = first(s, map, a), *q = first(s, map, b);
	int order = compare(p->time, q->time);

	if (!order)
		order = compare(p->file, q->file);
	return order ? order < 0 : a < b;
}

static void sink(const struct sorter *s, const uint8_t *map, size_t *heap, size_t count, size_t i)
{
	size_t run = heap[i];

	for (size_t child; (child = 2 * i + 1) < count; i = child) {
		if (child + 1 < count && is_before(s, map, heap[child + 1], heap[child]))
			child++;
		if (is_before(s, map, run, heap[child]))
			break;
		heap[i] = heap[child];
	}
	heap[i] = run;
}

static void give_back(const struct sorter *s, const uint8_t *map, struct sorter_run *run)
{
	if (run->at - run->given < GIVE_BACK && run->at < run->end)
		return;
	pages_mapped(s->file, map, run->given, run->at);
	run->given = run->at;
}

static int merge(struct sorter *s, const uint8_t *map, size_t *heap, sorter_take *take,
		 void *context)
{
	size_t count = s->runs;
	int e = 0;

	for (size_t i = 0; i < count; i++)
		heap[i] = i;
	for (size_t i = count / 2; i-- > 0;)
		sink(s, map, heap, count, i);
	while (!e && count) {
		struct sorter_run *run = &s->run[heap[0]];
		const struct sorter_packet *p = first(s, map, heap[0]);

		e = take(context, (const uint8_t *)(p + 1), p->length);
		run->at += (sizeof(*p) + p->length + 7) & ~7ull;
		give_back(s, map, run);
		if (run->at == run->end)
			heap[0] = heap[--count];
		if (count)
			sink(s, map, heap, count, 0);
	}
	s->runs = 0;
	return e;
}

int sorter_drain(struct sorter *s, sorter_take *take, void *context)
{
	const uint8_t *map;
	size_t *heap;
	int e;

	if (!s->runs)
		return drain_memory(s, 0, true, take, context);
	e = s->count ? spill(s) : 0;
	if (e)
		return e;
	if (s->file_size > SIZE_MAX)
		return -EFBIG;
	map = mmap(NULL, (size_t)s->file_size, PROT_READ, MAP_PRIVATE, s->file, 0);
	if (map == MAP_FAILED)
		return -errno;
	heap = calloc(s->runs, sizeof(*heap));
	e = heap ? merge(s, map, heap, take, context) : -ENOMEM;
	free(heap);
	munmap((void *)map, (size_t)s->file_size);
	return e;
}

int sorter_release(struct sorter *s, uint64_t before, sorter_take *take, void *context)
{
	int e;

	if (s->runs || s->count - s->kept < s->kept / KEPT_MANY)
		return 0;
	e = drain_memory(s, before, false, take, context);
	s->kept = s->count;
	return e;
}

void sorter_free(struct sorter *s)
{
	buffer_free(&s->data);
	free(s->packet);
	free(s->run);
	if (s->file >= 0)
		close(s->file);
	*s = (struct sorter){.file = -1};
}
