/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Who reads a stream over connections: each from its joining on, by the beginning first. The last
 * bytes are kept once for all of them. Who is slower than that gets what it had begun, then word of
 * what is missing, then what comes from then on.
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
	bool is_pcap; /* not pcapng: without word of what is missing */
	struct feed_ring ring;
	struct beginning beginning; /* of pcap, the header of a file */
	uint16_t link_type;	    /* pcap: of the first; packets of others are left out */
	struct buffer is_of_first;  /* ... and whether an interface has it, a byte each */
	struct client *client[CLIENTS_MAX];
	unsigned count;
	uint64_t lost;	   /* packets, of all of them */
	uint64_t given_up; /* that read nothing for long */
	uint64_t moved;	   /* when one last took something, monotonic */
};

/* -errno. */
int audience_open(struct audience *a, bool is_pcap);
/* A block of the stream, of our own making. -errno, of memory. */
int audience_take(struct audience *a, const struct pcapng_block *b);
/* Has the stream begun, so that clients may join? */
bool audience_may_join(const struct audience *a);
/*
 * The connection is taken over. Where they are too many, it takes the place of the one that has
 * taken nothing for longest. False: there is no room for it or its beginning, and it is closed.
 */
bool audience_join(struct audience *a, int fd);
/* Does one of them take nothing at present? Who has not for long is given up by and by. */
bool audience_stalls(const struct audience *a);
/* For poll(): one for each. */
void audience_list(const struct audience *a, struct pollfd *fds);
/* As they were listed. Those that are gone are removed. */
void audience_serve(struct audience *a, const struct pollfd *fds, unsigned n);
/* Does anybody not have all of it? */
bool audience_waits(const struct audience *a);
/* What they do not have is lost for them. */
void audience_close(struct audience *a);
