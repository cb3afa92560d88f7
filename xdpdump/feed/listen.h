/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* --listen: a socket, and a child without privilege that serves it. Complains itself. */
#pragma once

#include <sys/types.h>

#include "address.h"
#include "feed.h"
#include "serve.h"

struct feed_plan;

struct listen {
	struct feed *feed;	   /* NULL: it is not asked for */
	struct serve_state *state; /* of the child */
	pid_t child;		   /* 0: none */
	char place[ADDRESS_TEXT_SIZE];
	bool is_open_to_all; /* not on loopback */
	bool has_keys;	     /* of TLS connections */
};

/*
 * Before a capture is open, so that the child has nothing of it. To be closed in any case. -errno.
 */
int listen_open(struct listen *l, const struct feed_plan *p);
/* How to connect, and the warning. */
void listen_announce(const struct listen *l);
/* Has the child ended on its own? Once, after a complaint. */
bool listen_is_dead(struct listen *l);
/* Serve what was captured, as far as readers read it. */
void listen_end(struct listen *l);
void listen_close(struct listen *l);
