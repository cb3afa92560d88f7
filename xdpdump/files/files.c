/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "xdpdump/os/complain.h"
#include "files.h"
#include "finisher.h"
#include "names.h"
#include "sink.h"

#define TEMPORARY ".part"

/* A finished file that is to be kept until there are too many. */
struct kept {
	struct kept *next;
	uint64_t packets, bytes;
	char name[];
};

struct files {
	const struct options *options;
	struct names names;
	struct finisher *finisher;
	struct kept *first, **last;
	uint64_t kept_count, kept_bytes;
	struct files_stats stats;
	/* Of the file being written, and of the one before, which may not have ended yet. */
	char path[PATH_MAX], name[PATH_MAX], path_before[PATH_MAX], name_before[PATH_MAX];
	bool has_before;
};

static enum names_style style_of(const struct options *o)
{
	if (strchr(o->write, '%'))
		return NAMES_PLAIN;
	if (o->dumpcap_names)
		return NAMES_DUMPCAP;
	return o->ring_count ? NAMES_NUMBERED : NAMES_PLAIN;
}

int files_open(struct files **out, const struct options *o)
{
	struct files *f = calloc(1, sizeof(*f));
	int e;

	if (!f)
		return -ENOMEM;
	f->options = o;
	f->names = (struct names){.pattern = o->write, .style = style_of(o), .wrap = o->ring_count};
	f->last = &f->first;
	e = finisher_open(&f->finisher, o->print_name, o->command);
	if (e)
		files_close(f);
	else
		*out = f;
	return e;
}

static void forget_first(struct files *f)
{
	struct kept *k = f->first;

	f->first = k->next;
	if (!f->first)
		f->last = &f->first;
	f->kept_count--;
	f->kept_bytes -= k->bytes;
	free(k);
}

static void remove_first(struct files *f)
{
	struct finish job = {.sink = {.fd = -1}, .name = strdup(f->first->name)};

	f->stats.removed++;
	f->stats.removed_packets += f->first->packets;
	if (job.name)
		finisher_add(f->finisher, &job);
	forget_first(f);
}

/*
 * Numbers that start over come to a name whose file of the round before may still be waiting for
 * the medium, under its temporary name: then this one is of its own.
 */
static int set_temporary(struct files *f)
{
	bool waits = f->names.style == NAMES_NUMBERED && f->names.count > f->names.wrap &&
		     !finisher_is_idle(f->finisher);
	char number[24] = "";

	if (waits)
		snprintf(number, sizeof(number), ".%" PRIu64, f->names.count);
	return snprintf(f->path, sizeof(f->path), "%s%s%s", f->name, number, TEMPORARY) >= PATH_MAX
		       ? -ENAMETOOLONG
		       : 0;
}

/* Only a file that is one of several has a temporary name; of a single one that grows, others read.
 */
static int set_paths(struct files *f, uint64_t time)
{
	int e = 0;

	if (f->options->rotates)
		e = names_next(&f->names, time, f->name, sizeof(f->name) - sizeof(TEMPORARY));
	else if (snprintf(f->name, sizeof(f->name), "%s", f->options->write) >= PATH_MAX)
		e = -ENAMETOOLONG;
	if (!e && f->options->rotates)
		e = set_temporary(f);
	else if (!e)
		strcpy(f->path, f->name);
	return e;
}

int files_begin(struct files *f, uint64_t time, const char **path)
{
	int e;

	strcpy(f->path_before, f->path);
	strcpy(f->name_before, f->name);
	f->has_before = f->stats.begun > 0;
	e = set_paths(f, time);
	if (e) {
		complain("%s: %s", f->options->write, strerror(-e));
		return e;
	}
	*path = f->path;
	f->stats.begun++;
	while (f->options->file.files && f->kept_count &&
	       f->kept_count + f->has_before >= f->options->file.files)
		remove_first(f);
	return 0;
}

static void keep(struct files *f, const char *name, uint64_t packets, uint64_t bytes)
{
	size_t n = strlen(name) + 1;
	struct kept *k = malloc(sizeof(*k) + n);

	if (!k)
		return; /* it will not be removed, then */
	*k = (struct kept){.packets = packets, .bytes = bytes};
	memcpy(k->name, name, n);
	*f->last = k;
	f->last = &k->next;
	f->kept_count++;
	f->kept_bytes += bytes;
}

void files_end(struct files *f, struct sink *s, uint64_t packets)
{
	const char *name = f->has_before ? f->name_before : f->name;
	const char *path = f->has_before ? f->path_before : f->path;
	struct finish job = {.sink = *s, .name = strdup(name)};

	if (f->options->rotates)
		job.temporary = strdup(path);
	keep(f, name, packets, s->written);
	s->fd = -1;
	f->has_before = false;
	if (job.name)
		finisher_add(f->finisher, &job);
}

void files_drop(struct files *f)
{
	if (f->options->rotates)
		unlink(f->path);
	strcpy(f->path, f->path_before);
	strcpy(f->name, f->name_before);
	f->has_before = false;
	f->stats.begun--;
}

static bool statvfs_of(const struct files *f, struct statvfs *v)
{
	return f->path[0] && statvfs(f->path, v) == 0 && v->f_blocks;
}

static bool disk_is_full(const struct files *f, uint64_t bytes)
{
	struct statvfs v;

	if (f->options->disk_bytes && f->kept_bytes + bytes > f->options->disk_bytes)
		return true;
	if (!f->options->disk_percent || !statvfs_of(f, &v))
		return false;
	return (v.f_blocks - v.f_bavail) * 100 > (uint64_t)f->options->disk_percent * v.f_blocks;
}

bool files_fit_disk(struct files *f, uint64_t bytes)
{
	while (disk_is_full(f, bytes)) {
		/* Until what was removed is gone, the file system does not tell what it gave. */
		if (f->options->disk_percent && !finisher_is_idle(f->finisher))
			return true;
		if (!f->first)
			return false;
		remove_first(f);
	}
	return true;
}

void files_stats(const struct files *f, struct files_stats *s)
{
	*s = f->stats;
}

uint64_t files_disk_left(const struct files *f)
{
	struct statvfs v;

	return statvfs_of(f, &v) ? (uint64_t)v.f_bavail * v.f_frsize : 0;
}

const char *files_name(const struct files *f)
{
	return f->name;
}

bool files_failed(const struct files *f)
{
	return finisher_failed(f->finisher);
}

int files_close(struct files *f)
{
	int e;

	if (!f)
		return 0;
	e = finisher_close(f->finisher);
	while (f->first)
		forget_first(f);
	free(f);
	return e;
}
