/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The process that keeps a packet socket in each network namespace that is wanted. It alone has
 * CAP_SYS_ADMIN, without which nobody enters a namespace, and reads nothing but names and the
 * kernel's lists.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

#define KEEPER_PATTERNS 16

struct keeper_orders {
	const char *patterns[KEEPER_PATTERNS]; /* of names, as the shell has them */
	unsigned count;
	bool all;	  /* also those that only a process is in */
	bool sees_frames; /* else there are no packet sockets, and it only reports the namespaces */
	atomic_uint *kept; /* news that there is no room for in the socket */
	int socket;	   /* for struct news; it is over when something comes, or its end does */
	int program;	   /* the filter of the sockets: afxdp_socket_program(); -1: none */
	int home;	   /* the namespace of the capturing process */
};

/* Until it is over, all sockets are closed, and all was heard. -errno after telling why. */
int keeper_run(const struct keeper_orders *o);
