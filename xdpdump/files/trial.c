/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "util/shared.h"
#include "sink.h"
#include "trial.h"
#include "xdpdump/os/complain.h"

/* Creates the file, and removes it at once. */
static int try_new(const char *path)
{
	int fd = shared_open_any(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (fd >= 0)
		shared_unlink(path);
	return fd;
}

static int try_special(const char *path, const struct stat *st)
{
	if (S_ISDIR(st->st_mode))
		return -EISDIR;
	if (S_ISSOCK(st->st_mode))
		return -ENXIO;
	return eaccess(path, W_OK) ? -errno : 0;
}

/* Is there free space, and is nobody else writing the file? */
static int try_open(int fd)
{
	struct statvfs v;

	if (flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
		return -EBUSY;
	if (fstatvfs(fd, &v) || !v.f_blocks)
		return 0;
	return (geteuid() == 0 ? v.f_bfree : v.f_bavail) ? 0 : -ENOSPC;
}

/* Only we use this name: a regular file left there would be removed. */
static int try_left_over(const char *path)
{
	struct stat st;

	if (lstat(path, &st))
		return 0;
	if (S_ISLNK(st.st_mode))
		return -ELOOP;
	if (S_ISDIR(st.st_mode))
		return -EISDIR;
	return S_ISREG(st.st_mode) ? 0 : -EEXIST;
}

/* Returns a descriptor; -EEXIST: it is no regular file, but can be written; or another -errno. */
static int try_write(const char *path)
{
	struct stat st;
	int fd;

	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) {
		int e = try_special(path, &st);

		return e ? e : -EEXIST;
	}
	fd = shared_open(path, O_WRONLY | O_CLOEXEC, 0);
	return fd == -ENOENT ? try_new(path) : fd; /* -EEXIST: a link to a missing file */
}

static int try_path(const char *path, bool fresh)
{
	int e = fresh ? try_left_over(path) : 0, fd;

	if (e)
		return e;
	fd = try_write(path);
	if (fd < 0)
		return fd == -EEXIST ? 0 : fd;
	e = try_open(fd);
	close(fd);
	return e;
}

int file_try(struct sink *s, const char *path, bool fresh)
{
	int e = try_path(path, fresh);

	return e ? e : sink_open(s, "/dev/null", false, NULL);
}

int file_try_list(const char *name)
{
	int fd;

	if (!name || strcmp(name, "-") == 0 || strcmp(name, "stdout") == 0 ||
	    strcmp(name, "stderr") == 0)
		return 0;
	fd = try_write(name);
	if (fd >= 0)
		close(fd);
	if (fd >= 0 || fd == -EEXIST)
		return 0;
	return refuse(fd, "%s: %s", name, shared_why(name, fd));
}
