/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* --listen: a socket, and a child without privilege that serves it. It complains itself. */
#pragma once

#include <sys/types.h>

#include "address.h"
#include "feed.h"
#include "serve.h"

struct feed_plan;

struct listen {
	struct feed *feed;	   /* NULL: no --listen, or a trial */
	struct serve_state *state; /* shared with the child */
	pid_t child;		   /* 0: there is no child */
	char place[ADDRESS_TEXT_SIZE];
	bool is_open_to_all; /* not on loopback */
	bool has_keys;	     /* the stream has keys of TLS connections */
};

/*
 * Call it before a capture is open, so that the child has nothing of it. Returns 0 or -errno; the
 * caller calls listen_close() in both cases.
 */
int listen_open(struct listen *l, const struct feed_plan *p);
/* Tell the user how to connect, and warn if others can. */
void listen_announce(const struct listen *l);
/* Has the child ended on its own? Returns true once, after a complaint. */
bool listen_is_dead(struct listen *l);
/* Send what was captured and wait for the child, as long as readers take something. */
void listen_end(struct listen *l);
void listen_close(struct listen *l);
