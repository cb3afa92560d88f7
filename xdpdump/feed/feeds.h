/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What else gets the packets, beside a file or in its place: --listen and --to. */
#pragma once

#include <stdbool.h>

#include "exports.h"
#include "listen.h"

struct feed_plan;

/* Of a capture, or of one of its rings: then it has but the export. */
struct feeds {
	struct listen listen;
	struct exports exports;
	struct export *export; /* whose packets come from one reader; NULL: none */
};

/* How they stand. */
struct feeds_status {
	bool listens;
	uint64_t clients, joined,
		refused,      /* of --listen: now; so far; for whom there was no room */
		given_up;     /* readers that read nothing for long */
	uint64_t client_lost; /* packets that they were too slow for, of each */
	uint64_t listen_lost; /* ... that nobody got, as their process was behind */
	struct export_status export;
};

#define FEEDS_MAX 2

/* Before captures are open. To be closed in any case. -errno. */
int feeds_open(struct feeds *f, const struct feed_plan *p);
/* With --files-per-queue, once it is known how many rings there are. -errno. */
int feeds_begin_rings(struct feeds *f, const struct feed_plan *p, unsigned rings);
struct feeds feeds_of_ring(const struct feeds *f, unsigned ring);
/* Those that there are: NULL behind the last. */
void feeds_list(const struct feeds *f, struct feed *list[FEEDS_MAX + 1]);
/* Send what waits, and tell what has ended: -ECHILD, once, where nobody gets packets any more. */
int feeds_attend(struct feeds *f);
/* Milliseconds until that is to be done; -1: never. */
int feeds_due_in(const struct feeds *f);
/* Nothing more comes. -1: packets did not get where they were to go. */
int feeds_end(struct feeds *f);
void feeds_status(const struct feeds *f, struct feeds_status *st);
void feeds_close(struct feeds *f);
