/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "index/format.h"
#include "util/shared.h"

#define MAGIC	  0x0078646970616370ull /* "pcapidx" */
#define VERSION	  1
#define HEAD_SIZE 4096
#define NS_PER_S  1000000000ull
#define NO_ENTRY  UINT64_MAX
/* An index is at most this many times as large as its file, which may be compressed, plus
 * SIZE_LEAST. */
#define TIMES	   2
#define SIZE_LEAST (1u << 20)

/* Everything on disk is 64-bit numbers, little endian. */
enum {
	H_MAGIC,
	H_VERSION,
	H_SIZE,
	H_CHANGED,
	H_HEAD,
	H_FIRST,
	H_LAST,
	H_PACKETS,
	H_GRANULES,
	H_PAGES,
	H_TABLES, /* hash of the tables between header and pages */
	H_SUM = INDEX_HEADER_SIZE / sizeof(uint64_t) - 1
};

_Static_assert(sizeof(struct index_granule) == 6 * sizeof(uint64_t), "it is on disk as it is");

static void turn(uint64_t *p, size_t n)
{
#if __BYTE_ORDER == __BIG_ENDIAN
	while (n--)
		p[n] = htole64(p[n]);
#else
	(void)p;
	(void)n;
#endif
}

int index_identify(struct index_identity *to, int fd, struct stat *st)
{
	uint8_t head[HEAD_SIZE];
	ssize_t n = pread(fd, head, sizeof(head), 0);

	if (n < 0 || fstat(fd, st))
		return -errno;
	to->size = (uint64_t)st->st_size;
	to->changed = (uint64_t)st->st_mtim.tv_sec * NS_PER_S + (uint64_t)st->st_mtim.tv_nsec;
	to->head = XXH3_64bits(head, (size_t)n);
	return 0;
}

static int read_exactly(int fd, void *to, size_t n, uint64_t at)
{
	ssize_t got = pread(fd, to, n, (off_t)at);

	if (got < 0)
		return -errno;
	return (size_t)got == n ? 0 : -EBADMSG;
}

/* Opens the index if only root or the owner of the file can have written it. */
static int open_index(const char *path, const struct stat *of, uint64_t *size)
{
	char name[PATH_MAX];
	struct stat st;
	int fd;

	if ((size_t)snprintf(name, sizeof(name), "%s" INDEX_ENDING, path) >= sizeof(name))
		return -ENOENT;
	fd = open(name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
	if (fd < 0) /* no file can have a name that is too long */
		return errno == ELOOP ? -EPERM : errno == ENAMETOOLONG ? -ENOENT : -errno;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || (st.st_uid != 0 && st.st_uid != of->st_uid) ||
	    st.st_mode & (S_IWGRP | S_IWOTH)) {
		close(fd);
		return -EPERM;
	}
	*size = (uint64_t)st.st_size;
	return fd;
}

static uint64_t tables_size(const uint64_t *h)
{
	return h[H_GRANULES] * sizeof(struct index_granule) + h[H_PAGES] * sizeof(uint64_t);
}

/* Checks the header, and that its counts fit the sizes of both files. */
static int check_header(const uint64_t *h, bool is_sound, uint64_t size,
			const struct index_identity *of)
{
	if (h[H_MAGIC] != MAGIC)
		return -EBADMSG;
	if (h[H_VERSION] != VERSION)
		return -EPROTONOSUPPORT;
	if (!is_sound)
		return -EBADMSG;
	if (h[H_SIZE] != of->size || h[H_CHANGED] != of->changed || h[H_HEAD] != of->head)
		return -ESTALE;
	if (size > of->size * TIMES + SIZE_LEAST || size > SIZE_MAX ||
	    h[H_GRANULES] > INDEX_GRANULES || h[H_PAGES] > INDEX_ENTRIES / INDEX_PAGE + 1 ||
	    INDEX_HEADER_SIZE + tables_size(h) + h[H_PAGES] * INDEX_PAGE_SIZE != size)
		return -EBADMSG;
	return 0;
}

static int check_granules(const struct index *x)
{
	uint64_t least = 0;

	for (uint64_t i = 0; i < x->granules; i++) {
		const struct index_granule *g = &x->granule[i];

		if ((i && g->position <= least) || g->start > x->of.size || g->skip > g->position)
			return -EBADMSG;
		least = g->position;
	}
	return 0;
}

static int read_tables(struct index *x, const uint64_t *h)
{
	size_t size = (size_t)tables_size(h);
	uint64_t *tables = malloc(size + 1);
	int e;

	if (!tables)
		return -ENOMEM;
	x->granule = (struct index_granule *)tables;
	x->granules = h[H_GRANULES];
	x->pages = h[H_PAGES];
	x->page = tables + x->granules * sizeof(*x->granule) / sizeof(*tables);
	e = read_exactly(x->fd, tables, size, INDEX_HEADER_SIZE);
	if (!e && XXH3_64bits(tables, size) != h[H_TABLES])
		e = -EBADMSG;
	turn(tables, size / sizeof(*tables));
	return e ? e : check_granules(x);
}

int index_read(struct index *x, int fd, uint64_t size, const struct index_identity *of)
{
	uint64_t h[INDEX_HEADER_SIZE / sizeof(uint64_t)];
	bool is_sound;
	int e = read_exactly(fd, h, sizeof(h), 0);

	*x = (struct index){.of = *of, .fd = fd};
	if (!e) { /* hash the bytes as they are on disk */
		is_sound = h[H_SUM] == htole64(XXH3_64bits(h, H_SUM * sizeof(*h)));
		turn(h, H_SUM + 1);
		e = check_header(h, is_sound, size, of);
		x->first = h[H_FIRST];
		x->last = h[H_LAST];
		x->packets = h[H_PACKETS];
	}
	if (!e)
		e = read_tables(x, h);
	if (e)
		index_close(x);
	return e;
}

int index_open(struct index *x, const char *path, const struct index_identity *of,
	       const struct stat *st)
{
	uint64_t size = 0;
	int fd = open_index(path, st, &size);

	*x = (struct index){.fd = -1};
	return fd < 0 ? fd : index_read(x, fd, size, of);
}

static int read_page(const struct index *x, uint64_t number, uint64_t page[INDEX_PAGE + 1])
{
	uint64_t at = INDEX_HEADER_SIZE + x->granules * sizeof(*x->granule) +
		      x->pages * sizeof(*x->page) + number * INDEX_PAGE_SIZE;
	int e = read_exactly(x->fd, page, INDEX_PAGE_SIZE, at);

	if (!e && page[INDEX_PAGE] !=
			  htole64(XXH3_64bits_withSeed(page, INDEX_PAGE * sizeof(*page), number)))
		e = -EBADMSG;
	turn(page, INDEX_PAGE);
	return e;
}

/* The page where entries from this one on begin: the last page that does not begin after it. */
static uint64_t page_of(const struct index *x, uint64_t entry)
{
	uint64_t low = 0, high = x->pages;

	while (high - low > 1) {
		uint64_t middle = low + (high - low) / 2;

		if (x->page[middle] <= entry)
			low = middle;
		else
			high = middle;
	}
	return low;
}

int index_find(const struct index *x, uint32_t key, index_hit *hit, void *context)
{
	uint64_t first = (uint64_t)key << 32, last = first | UINT32_MAX, page[INDEX_PAGE + 1];

	for (uint64_t n = page_of(x, first); n < x->pages && x->page[n] <= last; n++) {
		int e = read_page(x, n, page);

		if (e)
			return e;
		for (unsigned i = 0; i < INDEX_PAGE; i++) {
			if (page[i] < first || page[i] > last || page[i] == NO_ENTRY)
				continue;
			if ((uint32_t)page[i] >= x->granules)
				return -EBADMSG;
			hit(context, (uint32_t)page[i]);
		}
	}
	return 0;
}

void index_close(struct index *x)
{
	if (x->fd >= 0)
		close(x->fd);
	free(x->granule);
	*x = (struct index){.fd = -1};
}

static int put(int fd, void *p, size_t n)
{
	for (size_t done = 0; done < n;) {
		ssize_t got = write(fd, (uint8_t *)p + done, n - done);

		if (got < 0 && errno != EINTR)
			return -errno;
		done += got > 0 ? (size_t)got : 0;
	}
	return 0;
}

static int put_header(const struct index *x, uint64_t pages, uint64_t tables, int fd)
{
	uint64_t h[INDEX_HEADER_SIZE / sizeof(uint64_t)] =
		{[H_MAGIC] = MAGIC,	      [H_VERSION] = VERSION,	[H_SIZE] = x->of.size,
		 [H_CHANGED] = x->of.changed, [H_HEAD] = x->of.head,	[H_FIRST] = x->first,
		 [H_LAST] = x->last,	      [H_PACKETS] = x->packets, [H_GRANULES] = x->granules,
		 [H_PAGES] = pages,	      [H_TABLES] = tables};

	turn(h, H_SUM);
	h[H_SUM] = htole64(XXH3_64bits(h, H_SUM * sizeof(*h)));
	return put(fd, h, sizeof(h));
}

static int put_pages(const uint64_t *entry, uint64_t entries, uint64_t pages, int fd)
{
	uint64_t page[INDEX_PAGE + 1];
	int e = 0;

	for (uint64_t n = 0; !e && n < pages; n++) {
		for (unsigned i = 0; i < INDEX_PAGE; i++)
			page[i] =
				n * INDEX_PAGE + i < entries ? entry[n * INDEX_PAGE + i] : NO_ENTRY;
		turn(page, INDEX_PAGE);
		page[INDEX_PAGE] =
			htole64(XXH3_64bits_withSeed(page, INDEX_PAGE * sizeof(*page), n));
		e = put(fd, page, sizeof(page));
	}
	return e;
}

static uint64_t pages_of(uint64_t entries)
{
	return (entries + INDEX_PAGE - 1) / INDEX_PAGE;
}

uint64_t index_bytes(uint64_t granules, uint64_t entries)
{
	return INDEX_HEADER_SIZE + granules * sizeof(struct index_granule) +
	       pages_of(entries) * (sizeof(uint64_t) + INDEX_PAGE_SIZE);
}

int index_write(const struct index *x, const uint64_t *entry, int fd)
{
	uint64_t pages = pages_of(x->entries);
	size_t granules = (size_t)x->granules * sizeof(*x->granule) / sizeof(uint64_t);
	size_t size = granules + (size_t)pages;
	uint64_t *tables = malloc(size * sizeof(*tables) + 1);
	int e;

	if (!tables)
		return -ENOMEM;
	if (granules)
		memcpy(tables, x->granule, granules * sizeof(*tables));
	for (uint64_t n = 0; n < pages; n++)
		tables[granules + n] = entry[n * INDEX_PAGE];
	turn(tables, size);
	e = put_header(x, pages, XXH3_64bits(tables, size * sizeof(*tables)), fd);
	if (!e)
		e = put(fd, tables, size * sizeof(*tables));
	if (!e)
		e = put_pages(entry, x->entries, pages, fd);
	free(tables);
	return e;
}

static bool is_index(int fd)
{
	uint64_t magic;
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	       (!st.st_size || (pread(fd, &magic, sizeof(magic), 0) == (ssize_t)sizeof(magic) &&
				le64toh(magic) == MAGIC));
}

/* Returns 1 if that is an index or an empty file, 0 if it is something else, or -errno. */
static int is_index_there(const char *path)
{
	int fd = shared_open_any(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0), is;

	if (fd < 0)
		return fd;
	is = is_index(fd);
	close(fd);
	return is;
}

int index_may_take(const char *path)
{
	int there = is_index_there(path);

	if (there > 0 || there == -ENOENT)
		return 0;
	return !there || there == -ELOOP || there == -ENXIO ? -EEXIST : there;
}

void index_unlink(const char *path)
{
	if (is_index_there(path) > 0)
		shared_unlink(path);
}
