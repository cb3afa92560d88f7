/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "signals.h"
#include "sink.h"

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

int sink_open(struct sink *s, const char *path)
{
	*s = (struct sink){.ours = true};
	s->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	return s->fd < 0 ? -errno : begin(s);
}

int sink_open_stdout(struct sink *s)
{
	*s = (struct sink){.fd = STDOUT_FILENO};
	return begin(s);
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

int sink_write(struct sink *s, struct iovec *iov, int n)
{
	int e = 0, over = skip(iov, n, 0);

	for (iov += over, n -= over; n > 0 && !e; iov += over, n -= over) {
		ssize_t done = writev(s->fd, iov, n);

		over = 0;
		if (done > 0) {
			s->written += (uint64_t)done;
			over = skip(iov, n, (size_t)done);
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
