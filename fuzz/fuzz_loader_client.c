/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * What a loader may answer, and then nothing: any bytes, and descriptors in any number. None stays
 * open that nobody knows of.
 */
#include <fcntl.h>
#include <linux/filter.h>
#include <sys/socket.h>
#include <unistd.h>

#include "capture/loader/loader.h"
#include "capture/loader/loader_protocol.h"
#include "fuzz.h"

#define SENT_MAX (ATTACHMENT_FDS + 3)
#define FDS	 64

/* A socket that has these bytes, with descriptors at the first, and no more; *other to be closed. */
static int socket_with(const void *data, size_t size, unsigned descriptors, int *other)
{
	int pair[2], large = 4 << 20, fds[SENT_MAX];
	union {
		struct cmsghdr header;
		char room[CMSG_SPACE(sizeof(fds))];
	} control = {.room = {0}};
	struct iovec bytes = {(void *)data, size};
	struct msghdr m = {.msg_iov = &bytes, .msg_iovlen = 1};

	must(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0, "no socket");
	setsockopt(pair[1], SOL_SOCKET, SO_SNDBUF, &large, sizeof(large));
	for (unsigned i = 0; i < descriptors; i++)
		fds[i] = pair[0];
	if (descriptors) {
		control.header = (struct cmsghdr){.cmsg_len = CMSG_LEN(descriptors * sizeof(int)),
						  .cmsg_level = SOL_SOCKET,
						  .cmsg_type = SCM_RIGHTS};
		memcpy(CMSG_DATA(&control.header), fds, descriptors * sizeof(int));
		m.msg_control = &control;
		m.msg_controllen = CMSG_SPACE(descriptors * sizeof(int));
	}
	must(!size || sendmsg(pair[1], &m, MSG_DONTWAIT | MSG_NOSIGNAL) == (ssize_t)size,
	     "it does not take them");
	shutdown(pair[1], SHUT_WR);
	*other = pair[1];
	return pair[0];
}

static void swap(int fd)
{
	static const struct sock_filter all = {BPF_RET | BPF_K, 0, 0, UINT32_MAX};
	struct loader l = {.socket = fd, .alive = -1};
	enum afxdp_level level;
	char *log = NULL;
	int e = loader_swap(&l, &all, 1, 1, true, &level, &log);

	must(e <= 0 && level <= AFXDP_LEVEL_USER, "an answer that there is none for");
	free(log);
	l.pid = 0; /* nobody's child is waited for */
	must(loader_settle(&l, true, &level) <= 0 && !l.unfinished, "it is not settled");
	must(level <= AFXDP_LEVEL_USER, "a level that there is none for");
	loader_stop(&l);
}

static void start(int fd)
{
	struct loader l = {.socket = fd, .alive = -1};
	char err[AFXDP_ERROR_SIZE] = "";

	if (loader_started(&l, err, sizeof(err)))
		must(err[0] && strnlen(err, sizeof(err)) < sizeof(err), "no reason given");
	l.pid = 0;
	loader_stop(&l);
}

/* An attachment as a loader would send it, but for what the input says. */
static void attach(const uint8_t *data, size_t size, unsigned descriptors)
{
	size_t at = take(&data, &size, 2) % sizeof(struct attachment);
	bool whole = take(&data, &size, 1) != 1;
	union {
		struct attachment a;
		uint8_t bytes[sizeof(struct attachment)];
	} sent;
	struct attachment got;
	unsigned n = 0, expected = descriptors < ATTACHMENT_FDS ? descriptors : ATTACHMENT_FDS;
	int other, fd;
	bool taken;

	memset(&sent, 0, sizeof(sent));
	attachment_init(&sent.a);
	for (unsigned i = 0; i < ATTACHMENT_FDS; i++)
		if (take(&data, &size, 1) & 1)
			sent.a.fd[i] = (int)i;
	memcpy(sent.bytes + at, data, size < sizeof(sent) - at ? size : sizeof(sent) - at);
	fd = socket_with(&sent, sizeof(sent) - (whole ? 0 : 1), descriptors, &other);
	attachment_init(&got);
	taken = loader_receive_attachment(fd, &got, 0) == 0;
	must(whole || !taken, "an attachment that is not whole");
	must(!taken || strnlen(got.warning, sizeof(got.warning)) < sizeof(got.warning), "no end");
	for (unsigned i = 0; i < ATTACHMENT_FDS; i++) {
		if (got.fd[i] < 0)
			continue;
		n++;
		must(close(got.fd[i]) == 0, "a descriptor that nobody sent");
	}
	must(n == (taken ? expected : 0), "not the descriptors that were sent");
	close(fd);
	close(other);
}

static unsigned open_descriptors(void)
{
	unsigned n = 0;

	for (int fd = 0; fd < FDS; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned what = (unsigned)take(&data, &size, 1) % 3, before = open_descriptors();
	unsigned descriptors = (unsigned)take(&data, &size, 1) % SENT_MAX;
	int fd, other;

	if (!size || size > 1 << 16)
		return 0;
	if (what == 2) {
		attach(data, size, descriptors);
	} else {
		fd = socket_with(data, size, 0, &other);
		if (what)
			start(fd);
		else
			swap(fd);
		close(other);
	}
	must(open_descriptors() == before, "a descriptor stays open");
	return 0;
}
