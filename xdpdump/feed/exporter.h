/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The process between: it starts a program again and again, each time with a new pipe as its input.
 */
#ifndef XDPDUMP_EXPORTER_H
#define XDPDUMP_EXPORTER_H

#include <sys/types.h>

#include "xdpdump/os/child.h"

struct put_state;

#define EXPORTER_STATE_FD 4 /* the program has the state there */

struct exporter {
	const char *program;
	char *const *argv;
	int socket; /* the writing ends of pipes go there */
	int memory; /* of the state */
	struct put_state *state;
	pid_t parent; /* who captures */
	struct child_user user;
};

/* Of a child that has just begun; does not return. */
void exporter_run(const struct exporter *x) __attribute__((noreturn));
/* On the other side: the next pipe, or -EAGAIN, or another -errno. */
int exporter_receive(int socket);

#endif
