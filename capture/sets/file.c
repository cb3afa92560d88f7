/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <unistd.h>

#include "text.h"

/*
 * A program with privileges of its own opens for its user only what that user may read. So it gives
 * up the ids of set-user-ID and set-group-ID meanwhile, and the kernel checks whether the user may
 * open the path.
 */
static int open_as_user(const char *path, int flags)
{
	int fd, e, uid, gid;

	if (!getauxval(AT_SECURE))
		return open(path, flags | O_CLOEXEC);
	gid = setfsgid(getgid());
	uid = setfsuid(getuid());
	fd = open(path, flags | O_CLOEXEC);
	e = errno;
	setfsuid((uid_t)uid);
	setfsgid((gid_t)gid);
	errno = e;
	return fd;
}

/* Find out which file it is without opening it: opening a device may have effects, and would let a
 * process that writes into a FIFO begin. */
static int find_file(const char *path, struct stat *st, char *err, size_t size)
{
	int fd = open_as_user(path, O_PATH), e = 0;

	if (fd < 0 || fstat(fd, st)) {
		e = errno;
		snprintf(err, size, "cannot open %s: %s%s", path, strerror(e),
			 e == ENOENT && path[strcspn(path, ".:0123456789")] &&
					 path[strspn(path, "0123456789abcdefABCDEF.:/-")] == 0
				 ? " (an address or a port stands in a file, or is a filter: host 192.0.2.1)"
				 : "");
	} else if (!S_ISREG(st->st_mode)) {
		e = EINVAL;
		snprintf(err, size,
			 "%s is not a regular file: give a file of addresses, ports or flows",
			 path);
	} else if (st->st_size > (off_t)SET_FILE_MAX) {
		e = EFBIG;
		snprintf(err, size, "%s has %llu MiB, and %u MiB are the most", path,
			 (unsigned long long)st->st_size >> 20, SET_FILE_MAX >> 20);
	}
	if (e && fd >= 0)
		close(fd);
	return e ? -e : fd;
}

/* Open that file, whatever has the path now. If this program has file capabilities, its user is the
 * same, and the capabilities may still open what the user may not. */
static int open_found(int found, const char *path, char *err, size_t size)
{
	char same[40];
	int fd = -1;

	snprintf(same, sizeof(same), "/proc/thread-self/fd/%d", found);
	if (!getauxval(AT_SECURE) || access(same, R_OK) == 0)
		fd = open_as_user(same, O_RDONLY | O_NONBLOCK);
	if (fd < 0) {
		fd = -errno;
		snprintf(err, size, "cannot open %s: %s", path,
			 fd == -ENOENT ? "mount /proc first" : strerror(-fd));
	}
	close(found);
	return fd;
}

/* Read as much as the file had when it was found, or less. */
static ssize_t read_all(int fd, char *to, size_t length)
{
	size_t done = 0;

	while (done < length) {
		ssize_t n = read(fd, to + done, length - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		done += (size_t)n;
	}
	return (ssize_t)done;
}

/* Half of an address would be another address. */
static bool has_changed(int fd, const struct stat *before)
{
	struct stat now;

	return fstat(fd, &now) || now.st_size != before->st_size ||
	       now.st_mtim.tv_sec != before->st_mtim.tv_sec ||
	       now.st_mtim.tv_nsec != before->st_mtim.tv_nsec;
}

int set_file_open(const char *path, struct stat *st, char *err, size_t size)
{
	int fd = find_file(path, st, err, size);

	return fd < 0 ? fd : open_found(fd, path, err, size);
}

/* Returns the length, or -errno with err written; the caller frees the text. */
static ssize_t read_file(const char *path, char **text, char *err, size_t size)
{
	struct stat st;
	int fd = set_file_open(path, &st, err, size);
	ssize_t n;

	if (fd < 0)
		return fd;
	*text = malloc((size_t)st.st_size + 1);
	n = *text ? read_all(fd, *text, (size_t)st.st_size + 1) : -ENOMEM;
	if (n < 0) {
		snprintf(err, size, "cannot read %s: %s", path, strerror((int)-n));
	} else if (n != st.st_size || has_changed(fd, &st)) {
		n = -EAGAIN;
		snprintf(err, size,
			 "%s changed while it was read: give a file that is finished, and rename a new one into its place",
			 path);
	}
	close(fd);
	return n;
}

int set_file_parse(set_parse *parse, struct set_entries *e, uint32_t bits, const char *path,
		   char *err, size_t size)
{
	char *text = NULL;
	ssize_t n = read_file(path, &text, err, size);
	/* Editors of other systems write a byte order mark first. */
	size_t mark = n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
	int error = n < 0 ? (int)n : parse(e, bits, path, text + mark, (size_t)n - mark, err, size);

	free(text);
	return error;
}
