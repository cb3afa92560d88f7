/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Sockets, and which process held which one when, according to events and to looks at all
 * descriptors. All times are CLOCK_MONOTONIC ns. A process surely holds a socket between two
 * moments at which it is known to hold it; before and after, there are times at which it may hold
 * it.
 */
#pragma once

#include "process.h"

#define WHO_SOCKETS_MAX	 262144
#define WHO_HOLDINGS_MAX 524288
#define WHO_OPEN	 UINT64_MAX /* an end that has not come yet */

struct socket_entry;

struct holding {
	struct process *process;
	struct socket_entry *socket;
	uint64_t maybe_from, from, until, maybe_until;
	uint32_t look;	    /* number of the last look that saw it */
	bool ended_by_look; /* by a look that did not see it any more, without an event */
	struct holding *next, *next_of_process, **of_process;
};

struct socket_entry {
	uint64_t cookie;
	uint64_t born;	   /* 0: it was there before us, or a look has found it */
	uint64_t released; /* WHO_OPEN: not yet */
	uint64_t unseen;   /* until then, the connection existed, but nobody held it */
	uint64_t listens;  /* since then; 0: it does not listen */
	uint64_t listened; /* when it last ended that; 0: never */
	uint64_t came_by;  /* cookie of the listener; 0: not known */
	uint64_t dropped;  /* until then others held it who are no longer known; 0: nobody did */
	uint64_t given; /* when it came in a message from an unknown sender, since a look; or 0 */
	uint64_t found; /* until then the process that accepted it may have it, too; 0: that is
			   known */
	uint32_t netns;
	uint16_t port;
	bool accepted; /* it came by a listener */
	bool inferred; /* infer_acceptor() has been here */
	struct holding *holdings;
	struct socket_entry *next, *next_listener, **listener, *next_watched;
	bool watched;
};

struct look {
	uint32_t number;
	uint64_t begin, end;
};

struct sockets {
	struct processes processes;
	struct socket_entry **bucket;
	struct socket_entry *listeners;
	struct socket_entry *watched; /* a look may change these: not released ones */
	struct look look;	      /* the last look that was included */
	unsigned sockets, holdings;
	uint64_t refused;   /* sockets and holdings that did not fit */
	uint64_t doubt;	    /* what was before this time is not known, because events were lost */
	uint64_t doubted;   /* when they were lost; 0: looks since then are certain */
	int64_t boot_ahead; /* CLOCK_BOOTTIME minus CLOCK_MONOTONIC */
	uint64_t forgot;
};

int sockets_open(struct sockets *t, int64_t boot_ahead);
void sockets_close(struct sockets *t);
struct socket_entry *sockets_find(const struct sockets *t, uint64_t cookie);
void sockets_event(struct sockets *t, const struct who_event *e);
/* A listener's connection is known to be accepted by p, which holds it from then on. */
void sockets_accept(struct sockets *t, struct socket_entry *s, struct process *p, uint64_t from);
/* Events before that time were lost: a look that begins later shows how things are. */
void sockets_lost(struct sockets *t, uint64_t time);
/* What was before that time is not known. */
void sockets_doubt(struct sockets *t, uint64_t before);
/* What a look saw; call sockets_looked() at its end. */
void sockets_seen(struct sockets *t, const struct who_seen *s, const struct look *l);
void sockets_looked(struct sockets *t, const struct look *l);
/* Did the look miss a process that may hold a socket? It does not see a descriptor that moves
 * meanwhile. */
bool sockets_misses(const struct sockets *t, const struct look *l);
