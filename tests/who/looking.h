/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* A process that looks for a test, as xdpdump starts one; and which programs tell. */
#pragma once

#include <bpf/bpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

#include "who/looker.h"
#include "who/who.h"

/* The status of a test that cannot begin, for what who_open() says. Programs that the verifier
 * refuses are no reason to skip it. */
static inline int status_without(const char *err)
{
	bool refused = strstr(err, "refuses a program") != NULL;

	printf("%s: %s\n", refused ? "FAILED" : "skipped", err);
	return refused ? EXIT_FAILURE : 77;
}

/* 0 or -errno. It ends when who closes what connects them. */
static inline int begin_looking(struct who *who, pid_t *looker)
{
	struct looks looks;
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return -errno;
	*looker = fork();
	if (*looker == 0) {
		close(ends[0]);
		looks = who_looks(who);
		looker_serve(ends[1], &looks);
		_exit(0);
	}
	close(ends[1]);
	return who_connect(who, ends[0]);
}

/* By fentry: is the program there that tells of each descriptor? */
static inline bool is_all_told(void)
{
	for (uint32_t id = 0; bpf_prog_get_next_id(id, &id) == 0;) {
		struct bpf_prog_info info = {0};
		uint32_t size = sizeof(info);
		int fd = bpf_prog_get_fd_by_id(id);
		bool is_it = fd >= 0 && bpf_obj_get_info_by_fd(fd, &info, &size) == 0 &&
			     strcmp(info.name, "who_installed") == 0;

		if (fd >= 0)
			close(fd);
		if (is_it)
			return true;
	}
	return false;
}
