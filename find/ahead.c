/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "find/ahead.h"

#define HEAD   (4u << 10)  /* of a file: what index_identify() reads */
#define TABLES (64u << 10) /* of an index: about its header and granules */
#define FIRST  (1u << 20)  /* of a file: one granule */

/* Must not wait for a pipe, nor follow a link. Reading opens the file with more checks. */
static void advise(const char *path, uint64_t start, uint64_t n)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);

	if (fd < 0)
		return;
	posix_fadvise(fd, (off_t)start, (off_t)n, POSIX_FADV_WILLNEED);
	close(fd);
}

void ahead_lookup(const struct place *p)
{
	char name[PATH_MAX];

	if (p->is_pipe)
		return;
	advise(p->path, 0, HEAD);
	if ((size_t)snprintf(name, sizeof(name), "%s" INDEX_ENDING, p->path) < sizeof(name))
		advise(name, 0, TABLES);
}

void ahead_begin(const struct place *p)
{
	if (!p->is_pipe)
		advise(p->path, p->start, FIRST);
}

static void advise_granule(const struct index *x, int fd, uint64_t i)
{
	uint64_t start = x->granule[i].start;
	uint64_t next = i + 1 < x->granules ? x->granule[i + 1].start : 0;

	/* Granules may share compressed data; and a length of 0 would mean the whole file. */
	posix_fadvise(fd, (off_t)start, (off_t)(next > start ? next - start : FIRST),
		      POSIX_FADV_WILLNEED);
}

void ahead_granule(const struct lookup *l, int fd, uint64_t granule)
{
	const struct index *x = &l->index;
	uint64_t next = granule + 1;

	while (next < x->granules && !lookup_wants(l, next))
		next++;
	advise_granule(x, fd, granule);
	if (next < x->granules)
		advise_granule(x, fd, next);
}
