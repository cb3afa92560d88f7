/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include "xdpdump/os/complain.h"
#include "files.h"
#include "command.h"
#include "finisher.h"
#include "index/format.h"
#include "indexer.h"
#include "lock.h"
#include "names.h"
#include "sink.h"
#include "util/shared.h"

struct files {
	const struct file_plan *plan;
	struct names names;
	struct commands *commands; /* NULL: no command */
	struct finisher *finisher;
	struct finish *first, **last; /* finished files, oldest first */
	uint64_t kept_count, kept_bytes;
	struct files_stats stats;
	/* The file being written, and the one before, which may not have ended yet. */
	struct begun {
		char path[PATH_MAX], name[PATH_MAX];
	} now, before;
	bool writes, has_before;
	bool failed; /* without memory, which was reported */
};

static enum names_style style_of(const struct file_plan *p)
{
	if (strchr(p->write, '%'))
		return NAMES_PLAIN;
	if (p->dumpcap_names)
		return NAMES_DUMPCAP;
	return p->ring_count ? NAMES_NUMBERED : NAMES_PLAIN;
}

/*
 * Numbered names may clash with those of another xdpdump, which may be at a later number: look for
 * its locked file. Names with a time need no search: two captures get different names, or meet at
 * the first file.
 */
static int check_alone(const struct files *f)
{
	char other[PATH_MAX];

	if (!f->plan->rotates || f->names.style == NAMES_DUMPCAP || strchr(f->plan->write, '%'))
		return 0;
	if (!lock_search(f->plan->write, PART_ENDING, other, sizeof(other)))
		return 0;
	return refuse(-EBUSY, "%s: another xdpdump has files of this name, at present %s",
		      f->plan->write, other);
}

/*
 * Is there room for all that is appended to the name? Without this check the capture would end, or
 * a file get no index, when there is much to lose.
 */
static int check_names(const struct files *f)
{
	const struct file_plan *p = f->plan;
	const char *behind = p->rotates ? "." NAMES_MANY PART_ENDING : INDEX_PART;
	char name[PATH_MAX], path[PATH_MAX + sizeof("." NAMES_MANY PART_ENDING)];
	struct stat st;
	int e;

	if (!p->rotates && !p->index)
		return 0;
	snprintf(name, sizeof(name), "%s", p->write);
	e = p->rotates ? names_longest(&f->names, name, sizeof(name)) : 0;
	snprintf(path, sizeof(path), "%s%s", name, behind);
	if (!e)
		e = strlen(path) < PATH_MAX ? shared_stat(path, &st) : -ENAMETOOLONG;
	if (e != -ENAMETOOLONG)
		return 0;
	return refuse(e, "%.255s: %s, with %s behind it", p->write, strerror(-e),
		      p->rotates ? "numbers and " PART_ENDING : INDEX_PART);
}

int files_open(struct files **out, const struct file_plan *p)
{
	struct files *f = calloc(1, sizeof(*f));
	int e;

	if (!f)
		return complain_memory();
	f->plan = p;
	f->names = (struct names){.pattern = p->write, .style = style_of(p), .wrap = p->ring_count};
	f->last = &f->first;
	e = check_alone(f);
	if (!e)
		e = check_names(f);
	if (!e && p->command)
		e = commands_open(&f->commands, p->command);
	if (!e)
		e = finisher_open(&f->finisher, p->print_name, f->commands);
	if (e)
		files_close(f);
	else
		*out = f;
	return e;
}

/* --- Finished files. --- */

static bool is_held(const struct files *f, const struct finish *k)
{
	return f->plan->command && !k->done;
}

/* Remove *at from the list. */
static void forget(struct files *f, struct finish **at)
{
	struct finish *k = *at;

	*at = k->next_kept;
	if (!*at)
		f->last = at;
	f->kept_count--;
	f->kept_bytes -= k->bytes;
	finish_leave(k);
}

static void count_removed(struct files *f, const struct finish *k)
{
	f->stats.removed++;
	f->stats.removed_packets += k->packets;
}

/*
 * Remove the oldest file that no command works on. -EBUSY: commands work on all of them; -ENOENT:
 * there is none.
 */
static int remove_oldest(struct files *f)
{
	struct finish **at = &f->first;

	while (*at && is_held(f, *at))
		at = &(*at)->next_kept;
	if (!*at)
		return f->first ? -EBUSY : -ENOENT;
	count_removed(f, *at);
	finisher_remove(f->finisher, *at);
	forget(f, at);
	return 0;
}

/* Files need to be remembered only if some are to be removed or a command works on them. */
static void forget_free(struct files *f)
{
	const struct file_plan *p = f->plan;

	while (!p->each.files && !p->disk_bytes && !p->disk_percent && f->first &&
	       !is_held(f, f->first))
		forget(f, &f->first);
}

/* Returns its place in the list, or the end if no file has that name. */
static struct finish **find_place(struct files *f, const char *name)
{
	struct finish **at = &f->first;

	while (*at && strcmp((*at)->name, name) != 0)
		at = &(*at)->next_kept;
	return at;
}

/* Forget the file that a new one replaces: removing it later would remove the new one. */
static void forget_replaced(struct files *f, const char *name)
{
	struct finish **at = find_place(f, name);

	if (!*at)
		return;
	count_removed(f, *at);
	forget(f, at);
}

static bool is_limited(const struct files *f)
{
	const struct file_plan *p = f->plan;

	return p->each.files || p->disk_bytes || p->disk_percent || p->command;
}

static void keep(struct files *f, struct finish *job, uint64_t packets)
{
	if (!is_limited(f))
		return;
	forget_replaced(f, job->name);
	job->packets = packets;
	job->bytes = job->sink.written;
	if (job->sink.index)
		job->bytes += indexer_size(job->sink.index);
	job->users++;
	*f->last = job;
	f->last = &job->next_kept;
	f->kept_count++;
	f->kept_bytes += job->bytes;
}

/* --- A file begins. --- */

/*
 * Are there too many with one more? A single file (limit 1) is replaced by its successor when that
 * is finished, but not while its command runs: the command has to end before the next file begins.
 */
static bool are_too_many(const struct files *f)
{
	uint64_t limit = f->plan->each.files;

	if (!f->kept_count)
		return f->writes && limit == 1 && f->plan->command;
	return limit && f->kept_count + f->writes >= limit;
}

static int make_room(struct files *f, uint64_t bytes)
{
	int e = 0;

	forget_free(f);
	while (!e && are_too_many(f))
		e = remove_oldest(f);
	if (!e)
		e = files_fit_disk(f, bytes + files_with_index(f->plan, f->plan->each.bytes,
							       f->plan->each.bytes));
	/* If nothing can be removed, the reader finds out when the file has begun, and ends. */
	return e == -ENOSPC ? 0 : e == -ENOENT ? -EBUSY : e;
}

/* May another file of that name, which a time can repeat, still be on its way to the medium? */
static bool may_meet(struct files *f, const char *name)
{
	bool again = f->names.style == NAMES_NUMBERED
			     ? f->names.count > f->names.wrap
			     : strchr(f->plan->write, '%') || *find_place(f, name);

	return again && !finisher_is_idle(f->finisher);
}

/* A name may come again: then the temporary name gets a number of its own. */
static int set_temporary(struct files *f)
{
	char number[24] = "";

	if (may_meet(f, f->now.name))
		snprintf(number, sizeof(number), ".%" PRIu64, f->names.count);
	return snprintf(f->now.path, sizeof(f->now.path), "%s%s%s", f->now.name, number,
			PART_ENDING) >= PATH_MAX
		       ? -ENAMETOOLONG
		       : 0;
}

/*
 * The next number may belong to a file that is kept longer, for its command: take another number
 * that is free. For a name with a time, wait.
 */
static int set_name(struct files *f, uint64_t time)
{
	uint64_t tries = f->names.style == NAMES_NUMBERED ? f->names.wrap : 1;
	struct names before = f->names;
	char name[sizeof(f->now.name)];
	const struct finish *k;
	int e;

	do
		e = names_next(&f->names, time, name, sizeof(name) - sizeof(PART_ENDING));
	while (!e && --tries &&
	       (*find_place(f, name) || (f->writes && strcmp(name, f->now.name) == 0)));
	k = e ? NULL : *find_place(f, name);
	if (k && is_held(f, k))
		e = -EBUSY;
	if (e)
		f->names = before;
	else
		strcpy(f->now.name, name);
	return e;
}

/* Only a file of several has a temporary name; others may read a single one while it grows. */
static int set_paths(struct files *f, uint64_t time)
{
	int e = 0;

	if (f->plan->rotates)
		e = set_name(f, time);
	else if (snprintf(f->now.name, sizeof(f->now.name), "%s", f->plan->write) >= PATH_MAX)
		e = -ENAMETOOLONG;
	if (!e && f->plan->rotates)
		e = set_temporary(f);
	else if (!e)
		strcpy(f->now.path, f->now.name);
	return e;
}

/*
 * Refuse a name that is a device or a link to one, because renaming would replace it. A folder that
 * appears later does not end the capture.
 */
static int check_place(const struct files *f)
{
	struct stat st;

	if (!f->plan->rotates || stat(f->now.name, &st) || S_ISREG(st.st_mode) ||
	    (S_ISDIR(st.st_mode) && f->stats.begun))
		return 0;
	if (S_ISDIR(st.st_mode))
		return refuse(-EISDIR, "%s: %s", f->now.name, strerror(EISDIR));
	return refuse(-EEXIST,
		      "%s: it is no regular file, and files that rotate are renamed into place: name another, or leave out -C, -G and -b",
		      f->now.name);
}

int files_begin(struct files *f, uint64_t time, uint64_t bytes, const char **path)
{
	int e = f->stats.begun ? make_room(f, bytes) : 0;

	if (e)
		return e;
	f->before = f->now;
	e = set_paths(f, time);
	if (e && e != -EBUSY) /* %.255s, because a name that is too long may be very long */
		complain("%.255s: %s", f->plan->write, strerror(-e));
	if (!e)
		e = check_place(f);
	if (e) {
		f->now = f->before;
		return e;
	}
	f->has_before = f->writes;
	f->writes = true;
	*path = f->now.path;
	f->stats.begun++;
	return 0;
}

void files_end(struct files *f, struct sink *s, uint64_t packets)
{
	const struct begun *b = f->has_before ? &f->before : &f->now;
	struct finish *job = finish_new(b->name, f->plan->rotates ? b->path : NULL);

	f->writes = f->has_before; /* the newer file, if there is one */
	f->has_before = false;
	if (!job) { /* the file keeps that name */
		complain("%s: %s", b->path, strerror(ENOMEM));
		f->failed = true;
		sink_close(s);
		return;
	}
	job->sink = *s;
	s->fd = -1;
	s->index = NULL;
	keep(f, job, packets);
	finisher_add(f->finisher, job);
	/* No file begins after the last one, which would remove the oldest. */
	if (f->plan->each.files && f->kept_count > f->plan->each.files && !f->writes)
		remove_oldest(f);
}

void files_drop(struct files *f, bool made)
{
	if (made && f->plan->rotates)
		shared_unlink(f->now.path);
	f->now = f->before;
	f->writes = f->has_before;
	f->has_before = false;
	f->stats.begun--;
}

void files_wait(struct files *f, unsigned ms)
{
	commands_wait(f->commands, ms);
}

void files_tell_commands(struct files *f)
{
	commands_tell(f->commands);
}

/* --- The disk. --- */

static bool statvfs_of(const char *path, struct statvfs *v)
{
	const char *slash = strrchr(path, '/');
	char folder[PATH_MAX];

	if (!path[0])
		return false;
	if (statvfs(path, v) == 0)
		return v->f_blocks;
	/* In a trial the file does not exist: ask for its folder. */
	snprintf(folder, sizeof(folder), "%.*s", slash ? (int)(slash - path) + 1 : 1,
		 slash ? path : ".");
	return statvfs(folder, v) == 0 && v->f_blocks;
}

uint64_t files_with_index(const struct file_plan *p, uint64_t bytes, uint64_t length)
{
	return p->index && length ? bytes + indexer_most(length) : bytes;
}

static bool disk_is_full(const struct files *f, uint64_t bytes)
{
	struct statvfs v;

	if (f->plan->disk_bytes && f->kept_bytes + bytes > f->plan->disk_bytes)
		return true;
	if (!f->plan->disk_percent || !statvfs_of(f->now.path, &v))
		return false;
	return (v.f_blocks - v.f_bavail) * 100 > (uint64_t)f->plan->disk_percent * v.f_blocks;
}

int files_fit_disk(struct files *f, uint64_t bytes)
{
	int e = 0;

	while (!e && disk_is_full(f, bytes)) {
		/* Until removed files are gone, the file system does not report what they free. */
		if (f->plan->disk_percent && !finisher_is_idle(f->finisher))
			return 0;
		e = remove_oldest(f);
	}
	return e == -ENOENT ? -ENOSPC : e;
}

void files_stats(const struct files *f, struct files_stats *s)
{
	*s = f->stats;
}

uint64_t files_disk_left(const char *name)
{
	struct statvfs v;

	return statvfs_of(name, &v) ? (uint64_t)v.f_bavail * v.f_frsize : 0;
}

const char *files_name(const struct files *f)
{
	return f->now.name;
}

int files_close(struct files *f)
{
	int e, failed;

	if (!f)
		return 0;
	e = finisher_close(f->finisher);
	failed = commands_close(f->commands);
	while (f->first)
		forget(f, &f->first);
	if (f->failed)
		failed = -1;
	free(f);
	return e ? e : failed;
}
