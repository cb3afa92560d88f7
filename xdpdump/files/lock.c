/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lock.h"
#include "util/shared.h"
#include "util/clock.h"

#define TRIES	   100 /* to create a name that others want as well */
#define HOLD_TRIES 50  /* to lock what we have created, */
#define HOLD_MS	   2   /* ... with this wait between tries */

/* Others may read the file only if they may read the secret file. */
static mode_t mode_of(const struct lock_limit *l)
{
	mode_t others = l ? l->mode & 0006 : 0006;

	return 0600 | others << 3 | others;
}

/* Remove permissions from a file that already existed. */
static int narrow(int fd, const struct stat *st, const struct lock_limit *l)
{
	if (!l || l->mode & 0004)
		return 0;
	if (st->st_uid != l->owner && st->st_uid != geteuid())
		return -EKEYREJECTED;
	return st->st_mode & 07077 && fchmod(fd, st->st_mode & 0700) ? -errno : 0;
}

/* On a file system without locks nobody holds one, so that is no error. */
static int lock(int fd)
{
	return flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK ? -EBUSY : 0;
}

static int close_for(int fd, int e)
{
	close(fd);
	return e;
}

int lock_open(const char *path, const struct lock_limit *limit)
{
	int fd = shared_open(path, O_WRONLY | O_CREAT | O_CLOEXEC, mode_of(limit)), e;
	struct stat st;

	if (fd < 0)
		return fd;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		return fd;
	e = lock(fd);
	if (!e)
		e = narrow(fd, &st, limit);
	if (!e && ftruncate(fd, 0))
		e = -errno;
	return e ? close_for(fd, e) : fd;
}

/* Is this still the file with that name? Another xdpdump may have removed it as left over. */
static bool is_named(int fd, const char *path)
{
	struct stat own, named;

	return fstat(fd, &own) == 0 && shared_stat(path, &named) == 0 &&
	       own.st_dev == named.st_dev && own.st_ino == named.st_ino;
}

/* Returns 0 if the file is gone; -EBUSY: another process has locked it; or another -errno. */
static int remove_left_over(const char *path)
{
	int fd = shared_open_any(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0), e;
	struct stat st;

	if (fd < 0)
		return fd == -ENOENT ? 0 : fd;
	e = fstat(fd, &st) || !S_ISREG(st.st_mode) ? -EEXIST : lock(fd);
	if (!e && is_named(fd, path))
		e = shared_unlink(path);
	if (e == -ENOENT)
		e = 0;
	return close_for(fd, e);
}

/*
 * Do we own the file we just created, by its lock and its name? Another xdpdump that mistakes it
 * for a left-over removes it at once. Any other process with a lock can only read the file, which
 * is no reason to stop.
 */
static bool is_taken(int fd, const char *path)
{
	for (int i = 0; i < HOLD_TRIES && lock(fd) && is_named(fd, path); i++)
		clock_sleep(HOLD_MS);
	return is_named(fd, path);
}

int lock_create(const char *path, const struct lock_limit *limit)
{
	int e = -EEXIST;

	for (int i = 0; i < TRIES; i++) {
		int fd = shared_open_any(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
					 mode_of(limit));

		if (fd < 0 && fd != -EEXIST)
			return fd;
		if (fd >= 0 && is_taken(fd, path))
			return fd;
		if (fd >= 0)
			close(fd);
		e = remove_left_over(path);
		if (e)
			return e;
	}
	return -EBUSY;
}

int lock_share(const char *path)
{
	int fd = shared_open_any(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0);

	if (fd >= 0 && flock(fd, LOCK_SH | LOCK_NB)) {
		close(fd);
		return -1;
	}
	return fd;
}

static bool is_locked(int folder, const char *name)
{
	int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	bool locked = fd >= 0 && lock(fd) == -EBUSY;

	if (fd >= 0)
		close(fd);
	return locked;
}

bool lock_is_held(const char *path)
{
	return is_locked(AT_FDCWD, path);
}

/* Is it the name, perhaps with a number, and perhaps with "." and a number and the suffix? */
static bool is_ours(const char *entry, const char *name, const char *suffix)
{
	size_t n = strlen(name);

	if (strncmp(entry, name, n) != 0)
		return false;
	entry += n;
	entry += strspn(entry, "0123456789");
	if (!*entry)
		return true;
	if (*entry == '.' && strspn(entry + 1, "0123456789"))
		entry += 1 + strspn(entry + 1, "0123456789");
	return strcmp(entry, suffix) == 0;
}

bool lock_search(const char *name, const char *suffix, char *found, size_t size)
{
	const char *slash = strrchr(name, '/');
	char folder[PATH_MAX] = ".";
	struct dirent *entry;
	bool held = false;
	DIR *d;

	if (slash)
		snprintf(folder, sizeof(folder), "%.*s", (int)(slash - name) + 1, name);
	d = opendir(folder);
	while (d && !held && (entry = readdir(d))) {
		held = is_ours(entry->d_name, slash ? slash + 1 : name, suffix) &&
		       is_locked(dirfd(d), entry->d_name);
		if (held)
			snprintf(found, size, "%s%s", slash ? folder : "", entry->d_name);
	}
	if (d)
		closedir(d);
	return held;
}
