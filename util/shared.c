/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/folder.h"
#include "util/shared.h"

/* Closes the folder's descriptor, and returns e. */
static int close_for(int folder, int e)
{
	close(folder);
	return e;
}

/* A name that ends in a slash names a folder, even if there is none, as for open(2). */
static int folder_of(const char *path, const char **name)
{
	size_t n = strlen(path);

	return n && path[n - 1] == '/' ? -EISDIR : folder_open(path, name);
}

static bool is_anothers(const struct stat *folder, const struct stat *st)
{
	return st->st_uid != geteuid() && st->st_uid != folder->st_uid;
}

static int open_in(int folder, const char *name, int flags, mode_t mode)
{
	struct stat at, st;
	bool shared = fstat(folder, &at) == 0 && folder_is_shared(&at);
	int fd = openat(folder, name, shared ? flags | O_NOFOLLOW : flags, mode);

	if (fd < 0)
		return -errno;
	if (shared && fstat(fd, &st) == 0 && is_anothers(&at, &st))
		return close_for(fd, -EPERM);
	return fd;
}

int shared_open(const char *path, int flags, mode_t mode)
{
	const char *name;
	int folder = folder_of(path, &name);

	return folder < 0 ? folder : close_for(folder, open_in(folder, name, flags, mode));
}

int shared_create(const char *path, mode_t *later)
{
	int fd = shared_open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	mode_t mask;

	*later = 0;
	if (fd == -EEXIST) {
		fd = shared_open(path, O_WRONLY | O_CLOEXEC, 0);
		if (fd != -ENOENT)
			return fd;
		/* a link that leads to a file which does not exist yet */
		fd = shared_open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	}
	if (fd < 0)
		return fd;
	mask = umask(0);
	umask(mask);
	*later = 0666 & ~mask;
	return fd;
}

int shared_open_folder(const char *path)
{
	char with_slash[PATH_MAX];
	const char *name;
	int folder, fd;

	if (snprintf(with_slash, sizeof(with_slash), "%s/", path) >= PATH_MAX)
		return -ENAMETOOLONG;
	folder = folder_open(with_slash, &name);
	if (folder < 0)
		return folder;
	fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return close_for(folder, fd < 0 ? -errno : fd);
}

int shared_open_any(const char *path, int flags, mode_t mode)
{
	const char *name;
	int folder = folder_of(path, &name), fd;

	if (folder < 0)
		return folder;
	fd = openat(folder, name, flags, mode);
	return close_for(folder, fd < 0 ? -errno : fd);
}

int shared_stat(const char *path, struct stat *st)
{
	const char *name;
	int folder = folder_of(path, &name);

	if (folder < 0)
		return folder;
	return close_for(folder, fstatat(folder, name, st, AT_SYMLINK_NOFOLLOW) ? -errno : 0);
}

int shared_rename(const char *from, const char *to)
{
	const char *name, *new_name;
	int folder = folder_of(from, &name), target, e;

	if (folder < 0)
		return folder;
	target = folder_of(to, &new_name);
	if (target < 0)
		return close_for(folder, target);
	e = renameat(folder, name, target, new_name) ? -errno : 0;
	return close_for(folder, close_for(target, e));
}

int shared_unlink(const char *path)
{
	const char *name;
	int folder = folder_of(path, &name);

	if (folder < 0)
		return folder;
	return close_for(folder, unlinkat(folder, name, 0) ? -errno : 0);
}

/* Looks at the file itself. -EPERM, or -ENOENT if it is not in a shared folder. */
static int look(const char *path, struct stat *folder, struct stat *st)
{
	const char *name;
	int fd = folder_of(path, &name), e = 0;

	if (fd < 0)
		return fd;
	if (fstat(fd, folder) || !folder_is_shared(folder) ||
	    fstatat(fd, name, st, AT_SYMLINK_NOFOLLOW))
		e = -ENOENT;
	return close_for(fd, e);
}

int shared_narrow(int fd, mode_t most)
{
	struct stat st;

	if (fstat(fd, &st))
		return -errno;
	if (!S_ISREG(st.st_mode) || !(st.st_mode & 07777 & ~most))
		return 0;
	return fchmod(fd, st.st_mode & most) ? -errno : 0;
}

const char *shared_why(const char *path, int e)
{
	struct stat folder, st;
	int found = e == -EPERM || e == -EACCES ? look(path, &folder, &st) : -ENOENT;

	if (found == -EPERM)
		return "a symbolic link of another user leads there, from a directory where everybody may create files: name another way";
	if (!found && is_anothers(&folder, &st))
		return "it belongs to another user, in a directory where everybody may create files: remove it";
	return strerror(-e);
}

bool shared_is_anothers(const char *path)
{
	struct stat folder, st;

	return look(path, &folder, &st) == 0 && st.st_uid != geteuid() &&
	       folder.st_uid != geteuid();
}
