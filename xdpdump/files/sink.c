/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <poll.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "xdpdump/os/signals.h"
#include "sink.h"

/* Below, the page cache is faster than the medium. */
#define DIRECT_MIN (256u << 10)

/* Standard output may be a file that had something in it before. */
static int find_base(struct sink *s)
{
	struct stat st;
	off_t at;

	if (fstat(s->fd, &st))
		return -errno;
	s->regular = S_ISREG(st.st_mode);
	if (!s->regular)
		return 0;
	at = fcntl(s->fd, F_GETFL) & O_APPEND ? st.st_size : lseek(s->fd, 0, SEEK_CUR);
	if (at < 0)
		return -errno;
	s->base = (uint64_t)at;
	return 0;
}

static int begin(struct sink *s)
{
	int e = find_base(s);

	if (e)
		sink_close(s);
	return e;
}

/* tmpfs takes O_DIRECT since Linux 6.6, but the page cache is all that it is. */
static bool is_in_memory(int fd)
{
	struct statfs fs;

	return fstatfs(fd, &fs) == 0 && (fs.f_type == TMPFS_MAGIC || fs.f_type == RAMFS_MAGIC);
}

/* File systems that cannot say so here, or at the first write. */
static void open_direct(struct sink *s)
{
	bool worth = s->regular && !is_in_memory(s->fd);
	char path[32];
	int fd;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", s->fd);
	fd = worth ? open(path, O_WRONLY | O_DIRECT | O_CLOEXEC) : -1;
	s->direct = fd > 0 ? fd : 0;
}

static void close_direct(struct sink *s)
{
	if (s->direct)
		close(s->direct);
	s->direct = 0;
}

int sink_open(struct sink *s, const char *path)
{
	int e;

	*s = (struct sink){.ours = true};
	s->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	e = s->fd < 0 ? -errno : begin(s);
	if (!e)
		open_direct(s);
	return e;
}

/* A file of ours is there for a moment, and then as before. */
static int try_new(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (fd < 0)
		return -errno;
	unlink(path);
	return fd;
}

/* A pipe or a device could notice that it was opened. */
static int try_special(const char *path, const struct stat *st)
{
	if (S_ISDIR(st->st_mode))
		return -EISDIR;
	if (S_ISSOCK(st->st_mode))
		return -ENXIO;
	return eaccess(path, W_OK) ? -errno : 0;
}

static int try_room(int fd)
{
	struct statvfs v;

	if (fstatvfs(fd, &v) || !v.f_blocks)
		return 0;
	return (geteuid() == 0 ? v.f_bfree : v.f_bavail) ? 0 : -ENOSPC;
}

int sink_try(struct sink *s, const char *path)
{
	struct stat st;
	int fd, e = 0;

	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) {
		e = try_special(path, &st);
		return e ? e : sink_open(s, "/dev/null");
	}
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		fd = errno == ENOENT ? try_new(path) : -errno;
	if (fd == -EEXIST) /* a symbolic link to what is not there yet */
		return sink_open(s, "/dev/null");
	if (fd < 0)
		return fd;
	e = try_room(fd);
	close(fd);
	return e ? e : sink_open(s, "/dev/null");
}

int sink_open_stdout(struct sink *s)
{
	*s = (struct sink){.fd = STDOUT_FILENO};
	return begin(s);
}

bool sink_is_pipe(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode));
}

/* Step over n bytes. Returns how many parts are done with. */
static int skip(struct iovec *iov, int parts, size_t n)
{
	int i = 0;

	while (i < parts && n >= iov[i].iov_len)
		n -= iov[i++].iov_len;
	if (i < parts) {
		iov[i].iov_base = (char *)iov[i].iov_base + n;
		iov[i].iov_len -= n;
	}
	return i;
}

/* What a write that took nothing means: 0 is "try again". */
static int recover(const struct sink *s, ssize_t done)
{
	struct pollfd wait = {.fd = s->fd, .events = POLLOUT};

	if (done == 0)
		return -EIO;
	if (errno == EINTR)
		return signals_stop > 1 ? -EINTR : 0;
	if (errno != EAGAIN)
		return -errno;
	if (poll(&wait, 1, -1) < 0 && errno != EINTR) /* we were given a non-blocking pipe */
		return -errno;
	return signals_stop > 1 ? -EINTR : 0;
}

/*
 * Bytes that stand at the same place of a page in memory and in the file: up to a whole page by the
 * page cache, whole pages past it. No page is ever written both ways.
 */
static ssize_t write_aligned(struct sink *s, const struct iovec *piece)
{
	size_t head = -s->written % SINK_ALIGNMENT;
	ssize_t done;

	if (head)
		return pwrite(s->fd, piece->iov_base, head, (off_t)s->written);
	done = pwrite(s->direct, piece->iov_base, piece->iov_len & -(size_t)SINK_ALIGNMENT,
		      (off_t)s->written);
	if (done >= 0 || errno != EINVAL)
		return done;
	close_direct(s);
	return pwrite(s->fd, piece->iov_base, piece->iov_len, (off_t)s->written);
}

static bool is_for_direct(const struct sink *s, const struct iovec *piece)
{
	return s->direct && piece->iov_len >= DIRECT_MIN &&
	       ((uintptr_t)piece->iov_base - s->written) % SINK_ALIGNMENT == 0;
}

static ssize_t write_some(struct sink *s, const struct iovec *iov, int n)
{
	if (is_for_direct(s, iov))
		return write_aligned(s, iov);
	if (!s->base && s->regular && s->ours)
		return pwritev(s->fd, iov, n, (off_t)s->written);
	return writev(s->fd, iov, n);
}

int sink_write(struct sink *s, struct iovec *iov, int n)
{
	int e = 0, over = skip(iov, n, 0);

	for (iov += over, n -= over; n > 0 && !e; iov += over, n -= over) {
		ssize_t done = write_some(s, iov, n);

		over = 0;
		if (done > 0) {
			s->written += (uint64_t)done;
			over = skip(iov, n, (size_t)done);
			/* Interrupted, or as much as there was room for. */
			if (over < n && !s->regular && signals_stop > 1)
				e = -EINTR;
		} else {
			e = recover(s, done);
		}
	}
	return e;
}

void sink_cut(struct sink *s, uint64_t length)
{
	struct stat st;

	if (!s->regular || fstat(s->fd, &st) ||
	    (uint64_t)st.st_size != s->base + s->written) /* somebody else writes there as well */
		return;
	if (ftruncate(s->fd, (off_t)(s->base + length)) == 0 &&
	    lseek(s->fd, (off_t)(s->base + length), SEEK_SET) >= 0)
		s->written = length;
}

int sink_close(struct sink *s)
{
	int e = 0;

	close_direct(s);
	if (s->fd < 0)
		return 0;
	/* Writing back to the medium fails late, and only fsync() tells. */
	if (s->regular && fsync(s->fd) && errno != EINVAL && errno != EROFS)
		e = -errno;
	if (s->ours && close(s->fd) && !e && errno != EINTR)
		e = -errno;
	s->fd = -1;
	return e;
}
