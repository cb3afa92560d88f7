/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "util/folder.h"

#define LINKS_MAX 40 /* the kernel's limit */

bool folder_is_shared(const struct stat *folder)
{
	return folder->st_mode & S_ISVTX && folder->st_mode & (S_IWOTH | S_IWGRP);
}

/* Does this file in the folder belong to somebody other than us, root, or the folder's owner? */
static bool has_anothers(const struct stat *folder, const struct stat *file)
{
	return file->st_uid && file->st_uid != geteuid() && file->st_uid != folder->st_uid;
}

/* Links in /proc may lead to something without a name: the kernel follows them. */
static bool is_magic(int link)
{
	struct statfs fs;

	return fstatfs(link, &fs) == 0 && fs.f_type == PROC_SUPER_MAGIC;
}

static bool is_refused(int folder, const struct stat *link)
{
	struct stat st;

	return fstat(folder, &st) || (folder_is_shared(&st) && has_anothers(&st, link));
}

/* Opens what has this name in the folder. Returns a descriptor; 0: it is a link, whose target is
 * written to target (PATH_MAX bytes); or -errno. */
static int enter(int folder, const char *name, char *target)
{
	int fd = openat(folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC), e = 0;
	struct stat st;
	ssize_t n;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) == 0 && !S_ISLNK(st.st_mode))
		return fd;
	if (is_refused(folder, &st)) {
		e = -EPERM;
	} else if (is_magic(fd)) {
		e = openat(folder, name, O_PATH | O_CLOEXEC);
		e = e < 0 ? -errno : e;
	} else {
		n = readlinkat(fd, "", target, PATH_MAX - 1);
		e = n < 0 ? -errno : 0;
		target[n < 0 ? 0 : n] = 0;
	}
	close(fd);
	return e;
}

/* Insert target before the rest of the path. */
static int put_before(char *rest, const char *target)
{
	size_t n = strlen(target), left = strlen(rest) + 1;

	if (n + left >= PATH_MAX)
		return -ENAMETOOLONG;
	memmove(rest + n + 1, rest, left);
	memcpy(rest, target, n);
	rest[n] = '/';
	return 0;
}

/* Open the root if the path begins there; otherwise the path begins in folder. */
static int begin_way(int folder, const char *rest)
{
	int fd;

	if (*rest != '/')
		return folder;
	if (folder >= 0)
		close(folder);
	fd = open("/", O_PATH | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/* Remove the first name of rest, which is not empty. */
static void take_name(char *rest, char *name)
{
	size_t slashes = strspn(rest, "/"), n = strcspn(rest + slashes, "/");

	memcpy(name, rest + slashes, n);
	name[n] = 0;
	memmove(rest, rest + slashes + n, strlen(rest + slashes + n) + 1);
}

static int follow(char *rest)
{
	char name[PATH_MAX], target[PATH_MAX];
	int folder = *rest == '/' ? -1 : open(".", O_PATH | O_CLOEXEC), links = 0;

	if (folder < 0 && *rest != '/')
		return -errno;
	folder = begin_way(folder, rest);
	while (folder >= 0 && rest[strspn(rest, "/")]) {
		int next;

		take_name(rest, name);
		next = enter(folder, name, target);
		if (next == 0 && ++links > LINKS_MAX)
			next = -ELOOP;
		if (next == 0 && (next = put_before(rest, target)) == 0) {
			folder = begin_way(folder, rest);
			continue;
		}
		close(folder);
		folder = next;
	}
	return folder;
}

int folder_open(const char *path, const char **name)
{
	const char *slash = strrchr(path, '/');
	char rest[PATH_MAX];

	*name = slash ? slash + 1 : path;
	if (slash && slash - path >= PATH_MAX - 1)
		return -ENAMETOOLONG;
	snprintf(rest, sizeof(rest), "%.*s", slash ? (int)(slash - path) + 1 : 0, path);
	return follow(rest);
}
