/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The readers of a stream over connections. Each gets the beginning first, and then what comes from
 * its joining on. The last bytes are kept once for all of them. A reader that falls behind them
 * gets the rest of what it had begun, then a note of what is missing, then what comes from then on.
 */
#pragma once

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

#include "beginning.h"
#include "ring.h"

struct pcapng_block;

#define CLIENTS_MAX 32

struct audience {
	bool is_pcap; /* not pcapng: without notes of what is missing */
	struct feed_ring ring;
	struct beginning beginning; /* for pcap: the header of a file */
	uint16_t link_type;	    /* pcap: of the first interface; others are left out */
	struct buffer is_of_first;  /* ... whether each interface has it, a byte each */
	struct client *client[CLIENTS_MAX];
	unsigned count;
	uint64_t lost;	   /* packets, summed over all readers */
	uint64_t given_up; /* readers that were dropped because they read nothing for long */
	uint64_t moved;	   /* when a reader last took something, CLOCK_MONOTONIC */
};

/* Returns 0 or -errno. */
int audience_open(struct audience *a, bool is_pcap);
/* Take a block of the stream, made by us. Returns 0 or -ENOMEM. */
int audience_take(struct audience *a, const struct pcapng_block *b);
/* Has the stream begun, so that clients may join? */
bool audience_may_join(const struct audience *a);
/*
 * Takes over the connection. If there are too many readers, it replaces the one that has taken
 * nothing for longest. Returns false, and closes fd, if there is no room for it or the beginning.
 */
bool audience_join(struct audience *a, int fd);
/* Does a reader take nothing at present? If it takes nothing for long, it is dropped later. */
bool audience_stalls(const struct audience *a);
/* Fill fds for poll(), one for each reader. */
void audience_list(const struct audience *a, struct pollfd *fds);
/* Serve the readers after poll(), with fds from audience_list(). Removes those that are gone. */
void audience_serve(struct audience *a, const struct pollfd *fds, unsigned n);
/* Is there a reader that does not have everything yet? */
bool audience_waits(const struct audience *a);
/* What readers do not have yet is lost, and counted. */
void audience_close(struct audience *a);
