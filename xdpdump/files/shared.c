/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shared.h"

/* Sticky, and others may write: the same folders as fs.protected_symlinks of the kernel means. */
static bool is_shared(const char *path, struct stat *folder)
{
	const char *slash = strrchr(path, '/');
	char name[PATH_MAX] = ".";

	if (slash)
		snprintf(name, sizeof(name), "%.*s", (int)(slash - path) + 1, path);
	return stat(name, folder) == 0 && folder->st_mode & S_ISVTX &&
	       folder->st_mode & (S_IWOTH | S_IWGRP);
}

static bool is_anothers(const struct stat *st, const struct stat *folder)
{
	return st->st_uid != geteuid() && st->st_uid != folder->st_uid;
}

int shared_open(const char *path, int flags, mode_t mode)
{
	struct stat folder, st;
	bool shared = is_shared(path, &folder);
	int fd = open(path, shared ? flags | O_NOFOLLOW : flags, mode);

	if (fd < 0)
		return -errno;
	if (shared && fstat(fd, &st) == 0 && is_anothers(&st, &folder)) {
		close(fd);
		return -EPERM;
	}
	return fd;
}

bool shared_refuses(const char *path)
{
	struct stat folder, st;

	return is_shared(path, &folder) && lstat(path, &st) == 0 && is_anothers(&st, &folder);
}

bool shared_is_anothers(const char *path)
{
	struct stat folder, st;

	return is_shared(path, &folder) && lstat(path, &st) == 0 && st.st_uid != geteuid() &&
	       folder.st_uid != geteuid();
}
