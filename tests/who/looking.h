/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* A process that looks for a test, as xdpdump starts one. */
#ifndef TESTS_LOOKING_H
#define TESTS_LOOKING_H

#include <errno.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

#include "who/looker.h"
#include "who/who.h"

/* 0 or -errno. It ends when who closes what connects them. */
static inline int begin_looking(struct who *who, pid_t *looker)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return -errno;
	*looker = fork();
	if (*looker == 0) {
		close(ends[0]);
		looker_serve(ends[1], who_link(who));
		_exit(0);
	}
	close(ends[1]);
	return who_connect(who, ends[0]);
}

#endif
