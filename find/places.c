/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "find/places.h"
#include "index/format.h"
#include "util/buffer.h"
#include "util/command/say.h"
#include "util/command/signals.h"

/* Notes a file. Returns 1 if it was known, 0 if not, or -ENOMEM. */
static int is_known(struct places *p, const struct stat *st)
{
	struct hash h;
	uint64_t hash;

	hash_begin(&h);
	hash_add(&h, &st->st_dev, sizeof(st->st_dev));
	hash_add(&h, &st->st_ino, sizeof(st->st_ino));
	hash = hash_end(&h);
	return table_find(&p->known, hash) != TABLE_NONE ? 1 : table_put(&p->known, hash, 0);
}

static int add(struct places *p, const char *path, const struct stat *st, bool is_named)
{
	int known = is_known(p, st);
	struct place *all;

	if (known)
		return known < 0 ? known : 0;
	all = buffer_one_more(p->place, p->count, &p->room, sizeof(*all));
	if (!all)
		return -ENOMEM;
	p->place = all;
	p->place[p->count] = (struct place){.path = strdup(path),
					    .size = (uint64_t)st->st_size,
					    .is_named = is_named,
					    .is_pipe = !S_ISREG(st->st_mode)};
	return p->place[p->count++].path ? 0 : -ENOMEM;
}

/* f.pcapng2 comes before f.pcapng10. */
static int by_name(const FTSENT **a, const FTSENT **b)
{
	return strverscmp((*a)->fts_name, (*b)->fts_name);
}

static void skip(struct places *p, const FTSENT *f)
{
	complain("%s is not searched: %s", f->fts_path, strerror(f->fts_errno));
	p->is_partial = true;
}

static bool ends_with(const FTSENT *f, const char *ending)
{
	size_t n = strlen(ending);

	return f->fts_namelen > n && strcmp(f->fts_name + f->fts_namelen - n, ending) == 0;
}

/* Does the name say that it has no packets? */
static bool is_hidden(const FTSENT *f)
{
	return f->fts_level > FTS_ROOTLEVEL &&
	       (f->fts_name[0] == '.' || ends_with(f, INDEX_ENDING) || ends_with(f, INDEX_PART));
}

static int take_entry(struct places *p, FTS *tree, FTSENT *f, const struct output *output)
{
	switch (f->fts_info) {
	case FTS_DNR:
	case FTS_ERR:
	case FTS_NS:
		/* A file that has just vanished was rotated away. */
		if (f->fts_errno != ENOENT || f->fts_level == FTS_ROOTLEVEL)
			skip(p, f);
		return 0;
	case FTS_D:
		if (is_hidden(f))
			fts_set(tree, f, FTS_SKIP);
		return 0;
	case FTS_DEFAULT: /* a pipe is read if it was named */
		if (f->fts_level > FTS_ROOTLEVEL)
			return 0;
		break;
	case FTS_F:
		break;
	default:
		return 0;
	}
	if (is_hidden(f))
		return 0;
	if (output && output_is(output, f->fts_statp->st_dev, f->fts_statp->st_ino)) {
		if (f->fts_level == FTS_ROOTLEVEL) {
			complain("%s is not searched: it is what is written", f->fts_path);
			p->is_partial = true;
		}
		return 0;
	}
	return add(p, f->fts_path, f->fts_statp, f->fts_level == FTS_ROOTLEVEL);
}

static int find_files(struct places *p, char *word, const struct output *output)
{
	char *const one[] = {word, NULL};
	FTS *tree = fts_open(one, FTS_COMFOLLOW | FTS_PHYSICAL | FTS_NOCHDIR, by_name);
	FTSENT *f = NULL;
	int e = 0;

	if (!tree)
		return -errno;
	do {
		errno = 0;
		f = fts_read(tree);
		e = f ? take_entry(p, tree, f, output) : -errno;
	} while (f && !e && !signals_stop);
	fts_close(tree);
	return signals_stop ? -EINTR : e;
}

int places_find(struct places *p, char *const *words, const struct output *output)
{
	int e = 0;

	*p = (struct places){.count = 0};
	for (; !e && *words; words++)
		e = find_files(p, *words, output);
	return e;
}

int place_open(const struct place *p)
{
	int careful = p->is_named ? 0 : O_NOFOLLOW | O_NONBLOCK, fd;
	struct stat st;

	do
		fd = open(p->path, O_RDONLY | O_CLOEXEC | O_NOCTTY | careful);
	while (fd < 0 && errno == EINTR && !signals_stop);
	if (fd < 0)
		return errno == ELOOP && !p->is_named ? -ENOENT : -errno;
	if (p->is_named || (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)))
		return fd;
	close(fd);
	return -ENOENT;
}

uint64_t places_size(const struct places *p)
{
	uint64_t size = 0;

	for (size_t i = 0; i < p->count; i++)
		size += p->place[i].size;
	return size;
}

void places_free(struct places *p)
{
	for (size_t i = 0; i < p->count; i++)
		free(p->place[i].path);
	free(p->place);
	table_free(&p->known);
	*p = (struct places){.count = 0};
}
