/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Sockets, and which process held which when, as far as events and looks at all descriptors tell.
 * All times are CLOCK_MONOTONIC ns. A process surely holds a socket between two moments at which it
 * is known to; around these lie times at which it may.
 */
#pragma once

#include "process.h"

#define WHO_SOCKETS_MAX	 262144
#define WHO_HOLDINGS_MAX 524288
#define WHO_OPEN	 UINT64_MAX /* an end that has not come */

struct socket_entry;

struct holding {
	struct process *process;
	struct socket_entry *socket;
	uint64_t maybe_from, from, until, maybe_until;
	uint32_t look;	    /* the last one that saw it */
	bool ended_by_look; /* which did not see it any more: nobody told why */
	struct holding *next, *next_of_process, **of_process;
};

struct socket_entry {
	uint64_t cookie;
	uint64_t born;	   /* 0: it was there before us, or was found by a look */
	uint64_t released; /* WHO_OPEN: not yet */
	uint64_t unseen;   /* before this its connection was there, and nobody held it */
	uint64_t listens;  /* from then on; 0: it does not */
	uint64_t listened; /* when it ended that, the last time; 0: not yet */
	uint64_t came_by;  /* the listener's cookie; 0: not known */
	uint64_t dropped;  /* until then others had it who are not known any more; 0: nobody */
	uint64_t given; /* when it came by a message and no sender was known, since a look; or 0 */
	uint64_t found; /* until then who accepted it may have it, too; 0: that is known */
	uint32_t netns;
	uint16_t port;
	bool accepted; /* it came by a listener */
	bool inferred; /* ... and whether it is known who accepted it has been looked at */
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
	struct socket_entry *watched; /* a look may change these: not those that were released */
	struct look look;	      /* the last that was taken in */
	unsigned sockets, holdings;
	uint64_t refused;   /* sockets and holdings for which there was no room */
	uint64_t doubt;	    /* what was before this is not known: events were lost */
	uint64_t doubted;   /* when they were; 0: looks since then are sure */
	int64_t boot_ahead; /* of CLOCK_BOOTTIME to CLOCK_MONOTONIC */
	uint64_t forgot;
};

int sockets_open(struct sockets *t, int64_t boot_ahead);
void sockets_close(struct sockets *t);
struct socket_entry *sockets_find(const struct sockets *t, uint64_t cookie);
void sockets_event(struct sockets *t, const struct who_event *e);
/* A listener's connection is known to be accepted by it: it holds it from then on. */
void sockets_accept(struct sockets *t, struct socket_entry *s, struct process *p, uint64_t from);
/* Events were lost before that time: a look that begins behind it tells what is. */
void sockets_lost(struct sockets *t, uint64_t time);
/* What is before that time is not known. */
void sockets_doubt(struct sockets *t, uint64_t before);
/* What a look saw; end it with the following. */
void sockets_seen(struct sockets *t, const struct who_seen *s, const struct look *l);
void sockets_looked(struct sockets *t, const struct look *l);
/* It did not see who may hold a socket: a descriptor that moves while it goes by is not seen. */
bool sockets_misses(const struct sockets *t, const struct look *l);
