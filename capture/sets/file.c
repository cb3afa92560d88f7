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
 * A program with privileges of its own opens for its user what that user may read, and no more.
 * Those of set-user-id and set-group-id are laid down for this: whether the path is open to the
 * user the kernel checks, and a device that is not his is not opened.
 */
static int open_as_user(const char *path)
{
	const int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
	int fd, e, uid, gid;

	if (!getauxval(AT_SECURE))
		return open(path, flags);
	gid = setfsgid(getgid());
	uid = setfsuid(getuid());
	fd = open(path, flags);
	e = errno;
	setfsuid((uid_t)uid);
	setfsgid((gid_t)gid);
	errno = e;
	return fd;
}

/* With capabilities of the file the user is the same, and they may still open what he may not. */
static bool may_read(int fd)
{
	char path[32];

	if (!getauxval(AT_SECURE))
		return true;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return access(path, R_OK) == 0;
}

/* Returns the descriptor. */
static int open_file(const char *path, size_t *length, char *err, size_t size)
{
	int fd = open_as_user(path), e = errno;
	struct stat st;

	if (fd < 0) {
		snprintf(err, size, "cannot open %s: %s%s", path, strerror(e),
			 e == ENOENT && path[strspn(path, "0123456789abcdefABCDEF.:/-")] == 0
				 ? " (an address or a port stands in a file, or is a filter: host 192.0.2.1)"
				 : "");
		return -e;
	}
	e = fstat(fd, &st) ? errno : !may_read(fd) ? EACCES : 0;
	if (e)
		snprintf(err, size, "cannot read %s: %s", path, strerror(e));
	else if (!S_ISREG(st.st_mode)) {
		snprintf(err, size, "%s is not a regular file: give a file of addresses or ports",
			 path);
		e = EINVAL;
	} else if (st.st_size > (off_t)SET_FILE_MAX) {
		snprintf(err, size, "%s has %llu MiB, and %u MiB are the most", path,
			 (unsigned long long)st.st_size >> 20, SET_FILE_MAX >> 20);
		e = EFBIG;
	}
	if (e) {
		close(fd);
		return -e;
	}
	*length = (size_t)st.st_size;
	return fd;
}

/* As much as it had when it was opened, or less. */
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

int set_file_parse(set_parse *parse, struct set_entries *e, uint32_t bits, const char *path,
		   char *err, size_t size)
{
	size_t length = 0;
	int fd = open_file(path, &length, err, size), error;
	char *text;
	ssize_t n;

	if (fd < 0)
		return fd;
	text = malloc(length + 1);
	n = text ? read_all(fd, text, length) : -ENOMEM;
	close(fd);
	if (n < 0)
		snprintf(err, size, "cannot read %s: %s", path, strerror((int)-n));
	error = n < 0 ? (int)n : parse(e, bits, path, text, (size_t)n, err, size);
	free(text);
	return error;
}
