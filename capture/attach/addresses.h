/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The addresses of a network namespace, kept in a map for the programs: a frame to another address
 * is not for a socket of the host. Option who.
 */
#pragma once

#include <stdbool.h>

struct mnl_socket;

struct addresses {
	struct mnl_socket *socket; /* NULL: not open */
	int map;		   /* the caller's */
	bool asked;		   /* the kernel is telling all of them */
	bool again;		   /* it has to be asked */
	bool full;		   /* the map has no room for all */
};

/*
 * Fill map with the addresses of the namespace that the calling thread is in. -errno: the kernel
 * does not tell them, and the map says so.
 */
int addresses_open(struct addresses *a, int map);
/* Readable when addresses come and go; -1: not open. */
int addresses_fd(const struct addresses *a);
void addresses_hear(struct addresses *a);
/* Again is allowed. */
void addresses_close(struct addresses *a);
