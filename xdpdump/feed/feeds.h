/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What gets the packets besides a file, or instead of it: --listen and --to. */
#pragma once

#include <stdbool.h>

#include "exports.h"
#include "listen.h"

struct feed_plan;

/* The feeds of a capture, or of one of its rings, which has only an export. */
struct feeds {
	struct listen listen;
	struct exports exports;
	struct export *export; /* the only stream, or that of this ring; NULL: none */
};

/* The state of the feeds, to be reported. */
struct feeds_status {
	bool listens;
	uint64_t clients, joined,
		refused,      /* readers of --listen: now; so far; turned away without room */
		given_up;     /* readers that were dropped because they read nothing for long */
	uint64_t client_lost; /* packets that readers were too slow for, summed over readers */
	uint64_t listen_lost; /* packets that no reader got, because the process was behind */
	struct export_status export;
};

#define FEEDS_MAX 2

/* To be called before captures are open. Returns 0 or -errno; then call feeds_close(), too. */
int feeds_open(struct feeds *f, const struct feed_plan *p);
/* With --files-per-queue: call it once the number of rings is known. Returns 0 or -errno. */
int feeds_begin_rings(struct feeds *f, const struct feed_plan *p, unsigned rings);
struct feeds feeds_of_ring(const struct feeds *f, unsigned ring);
/* List the feeds that exist, followed by NULL. */
void feeds_list(const struct feeds *f, struct feed *list[FEEDS_MAX + 1]);
/* Send what waits, and report what has ended. Returns 0, or once -ECHILD: nobody gets packets. */
int feeds_attend(struct feeds *f);
/* Milliseconds until feeds_attend() is to be called; -1: never. */
int feeds_due_in(const struct feeds *f);
/*
 * Nothing more will be captured: end all feeds. Returns 0, or -1 if packets did not reach the
 * destination of --to.
 */
int feeds_end(struct feeds *f);
void feeds_status(const struct feeds *f, struct feeds_status *st);
void feeds_close(struct feeds *f);
