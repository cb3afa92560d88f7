/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The addresses of a network namespace, kept in a map for the programs: a frame to any other
 * address is not for a socket of the host. For the option who.
 */
#pragma once

#include <stdbool.h>

struct mnl_socket;

struct addresses {
	struct mnl_socket *socket; /* NULL: not open */
	int map;		   /* belongs to the caller */
	bool asked;		   /* the kernel is sending all of them */
	bool again;		   /* they have to be asked for again */
	bool full;		   /* the map has no room for all */
};

/*
 * Fill map with the addresses of the namespace that the calling thread is in. Returns 0; or -errno
 * if the kernel does not tell them, and then the map says so.
 */
int addresses_open(struct addresses *a, int map);
/* A descriptor that is readable when addresses come or go; -1: not open. */
int addresses_fd(const struct addresses *a);
void addresses_hear(struct addresses *a);
/* May be called again. */
void addresses_close(struct addresses *a);
