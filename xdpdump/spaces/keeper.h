/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The process that keeps a packet socket open in each wanted network namespace. It alone has
 * CAP_SYS_ADMIN, which entering a namespace takes, and it reads nothing but names and the kernel's
 * lists.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

#define KEEPER_PATTERNS 16

struct keeper_orders {
	const char *patterns[KEEPER_PATTERNS]; /* shell patterns for names */
	unsigned count;
	bool all;	   /* also namespaces without a name, found by their processes */
	bool sees_frames;  /* false: no packet sockets; it only reports the namespaces */
	atomic_uint *kept; /* the number of news that wait for room in the socket */
	int socket;  /* sends struct news; the keeper ends when it receives anything, or the other
			end closes */
	int program; /* the filter of the sockets: afxdp_socket_program(); -1: none */
	int home;    /* the namespace of the capturing process */
};

/* Until it is over, all sockets are closed, and all was heard. -errno after telling why. */
int keeper_run(const struct keeper_orders *o);
