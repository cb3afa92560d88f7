/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <linux/capability.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "looker.h"
#include "who/looker.h"
#include "xdpdump/os/child.h"
#include "xdpdump/os/complain.h"
#include "xdpdump/os/confine.h"

/* To read of processes where /proc hides those of others, and names of containers. */
#define WANTED (1ull << CAP_SYS_PTRACE | 1ull << CAP_DAC_READ_SEARCH)

static int serve(int socket, int link, const struct child_user *u)
{
	const int fds[] = {socket, link};
	int e;

	child_ignore_signals();
	e = child_keep_descriptors(fds, sizeof(fds) / sizeof(fds[0]));
	if (!e)
		e = child_keep_capabilities(u, child_capabilities() & WANTED);
	if (e) {
		complain("--who: cannot give up capabilities: %s", strerror(-e));
		return EXIT_FAILURE;
	}
	e = confine_looking();
	if (e)
		complain("warning: cannot set a seccomp filter: %s", strerror(-e));
	looker_serve(STDERR_FILENO + 1, STDERR_FILENO + 2);
	return EXIT_SUCCESS;
}

int looker_begin(int link, pid_t *process)
{
	struct child_user u;
	int ends[2], e;

	child_find_user(&u, NULL);
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return -errno;
	*process = fork();
	if (*process == 0)
		_exit(serve(ends[1], link, &u));
	e = *process < 0 ? -errno : 0;
	close(ends[1]);
	if (!e)
		return ends[0];
	close(ends[0]);
	return e;
}
