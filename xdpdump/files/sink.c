/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <poll.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "util/clock.h"
#include "xdpdump/os/signals.h"
#include "indexer.h"
#include "lock.h"
#include "sink.h"

/* For shorter pieces the page cache is faster than the medium. */
#define DIRECT_MIN (256u << 10)
/* How often patience is asked while a pipe is full. */
#define ASK_MS 100

/* Standard output may be a file with contents: ours begin at its end or its position. */
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

static int begin_sink(struct sink *s)
{
	int e = find_base(s);

	if (e)
		sink_close(s);
	return e;
}

/* tmpfs accepts O_DIRECT since Linux 6.6, but it lies in the page cache anyway. */
static bool is_in_memory(int fd)
{
	struct statfs fs;
	unsigned int type;

	if (fstatfs(fd, &fs))
		return false;
	type = (unsigned int)fs.f_type; /* signed on some machines */
	return type == TMPFS_MAGIC || type == RAMFS_MAGIC;
}

/* Open it again with O_DIRECT. A file system that cannot do that says so, maybe at a write. */
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

int sink_open(struct sink *s, const char *path, bool fresh, const struct lock_limit *limit)
{
	int e;

	*s = (struct sink){.ours = true};
	s->fd = fresh ? lock_create(path, limit) : lock_open(path, limit);
	e = s->fd < 0 ? s->fd : begin_sink(s);
	if (!e)
		open_direct(s);
	return e;
}

int sink_open_stdout(struct sink *s)
{
	*s = (struct sink){.fd = STDOUT_FILENO};
	return begin_sink(s);
}

int sink_open_pipe(struct sink *s, int fd)
{
	*s = (struct sink){.fd = fd, .ours = true};
	return begin_sink(s);
}

void sink_open_taker(struct sink *s, struct sink_taker taker)
{
	*s = (struct sink){.fd = -1, .taker = taker};
}

bool sink_is_pipe(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode));
}

/* Advance by n bytes. Returns how many parts are used up. */
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

/*
 * Write bytes that have the same offset within a page in memory and in the file: up to the next
 * page boundary through the page cache, then whole pages with O_DIRECT. No page is ever written
 * both ways.
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

bool sink_is_placed(const struct sink *s)
{
	return s->regular && s->ours && !s->base;
}

static ssize_t write_some(struct sink *s, const struct iovec *iov, int n)
{
	if (is_for_direct(s, iov))
		return write_aligned(s, iov);
	if (sink_is_placed(s))
		return pwritev(s->fd, iov, n, (off_t)s->written);
	return writev(s->fd, iov, n);
}

/*
 * Write what a pipe takes without waiting, or return -1 with EAGAIN. Where the kernel cannot do
 * that, there is room for PIPE_BUF bytes once poll() says so, because nobody else writes to this
 * pipe.
 */
static ssize_t write_now(struct sink *s, const struct iovec *iov, int n)
{
	struct pollfd room = {.fd = s->fd, .events = POLLOUT};
	ssize_t done;

	if (!s->waits) {
		done = pwritev2(s->fd, iov, n, -1, RWF_NOWAIT);
		if (done >= 0 || (errno != EOPNOTSUPP && errno != ENOSYS && errno != EINVAL))
			return done;
		s->waits = true;
	}
	done = poll(&room, 1, 0);
	if (done == 0)
		errno = EAGAIN;
	return done <= 0 ? -1
			 : write(s->fd, iov->iov_base,
				 iov->iov_len < PIPE_BUF ? iov->iov_len : PIPE_BUF);
}

/* When the pipe stopped taking bytes (0: it takes them), and when patience was last asked. */
struct idle {
	uint64_t since, asked;
};

/* The pipe is full: wait up to ASK_MS, and ask whether to go on. */
static int wait_for_reader(struct sink *s, struct idle *idle)
{
	struct pollfd room = {.fd = s->fd, .events = POLLOUT};
	uint64_t now = clock_monotonic();
	int n;

	if (!idle->since)
		idle->since = now;
	if (!idle->asked)
		idle->asked = now;
	n = poll(&room, 1, ASK_MS);
	if (n < 0 && errno != EINTR)
		return -errno;
	now = clock_monotonic();
	if (n > 0 && now - idle->asked < ASK_MS * NS_PER_MS)
		return 0;
	idle->asked = now;
	if (s->patience.ask)
		return s->patience.ask(s->patience.arg, now - idle->since);
	return signals_stop > 1 ? -EINTR : 0;
}

/* Handle a write that wrote nothing. Returns 0 to try again. */
static int recover(struct sink *s, ssize_t done, struct idle *idle)
{
	if (done == 0)
		return -EIO;
	if (!s->regular && (errno == EAGAIN || errno == EINTR))
		return wait_for_reader(s, idle);
	if (errno != EINTR)
		return -errno;
	return signals_stop > 1 ? -EINTR : 0;
}

/* Never sleeps in a write to a pipe, so that timers and signals are noticed while nobody reads. */
static int write_all(struct sink *s, struct iovec *iov, int n)
{
	struct idle idle = {0};
	int e = 0, over = skip(iov, n, 0);

	for (iov += over, n -= over; n > 0 && !e; iov += over, n -= over) {
		ssize_t done = s->regular ? write_some(s, iov, n) : write_now(s, iov, n);

		over = 0;
		if (done > 0) {
			idle.since = 0;
			s->written += (uint64_t)done;
			over = skip(iov, n, (size_t)done);
		} else {
			e = recover(s, done, &idle);
		}
	}
	return e;
}

static int give(struct sink *s, const struct iovec *iov, int n)
{
	int e = s->taker.take(s->taker.arg, iov, n);

	for (int i = 0; i < n && !e; i++)
		s->written += iov[i].iov_len;
	return e;
}

int sink_write(struct sink *s, struct iovec *iov, int n)
{
	return s->taker.take ? give(s, iov, n) : write_all(s, iov, n);
}

void sink_cut(struct sink *s, uint64_t length)
{
	struct stat st;

	if (!s->regular || fstat(s->fd, &st) ||
	    (uint64_t)st.st_size != s->base + s->written) /* somebody else writes to it as well */
		return;
	if (ftruncate(s->fd, (off_t)(s->base + length)) == 0 &&
	    lseek(s->fd, (off_t)(s->base + length), SEEK_SET) >= 0)
		s->written = length;
}

/* Errors of writing back to the medium come late, and only fsync() returns them. */
int sink_sync(struct sink *s)
{
	int e = 0;

	if (s->regular && !s->synced && fsync(s->fd) && errno != EINVAL && errno != EROFS)
		e = -errno;
	s->synced = true;
	return e;
}

int sink_close(struct sink *s)
{
	int e;

	close_direct(s);
	indexer_close(s->index);
	s->index = NULL;
	if (s->fd < 0)
		return 0;
	e = sink_sync(s);
	if (s->ours && close(s->fd) && !e && errno != EINTR)
		e = -errno;
	s->fd = -1;
	return e;
}
