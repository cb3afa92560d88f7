/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * --files-per-queue: each ring has a reader in a thread of its own, which writes a file of its own,
 * and with --to a stream of its own.
 * The thread that has the captures sleeps on them all, wakes readers whose ring has something, and
 * does what is done once: signals, statistics, the end. Complains itself.
 */
#ifndef XDPDUMP_PER_QUEUE_H
#define XDPDUMP_PER_QUEUE_H

#include "xdpdump/plan/plan.h"
#include "xdpdump/source/sources.h"
#include "watchers.h"

struct feeds;
struct keylog;
struct per_queue;

/* Opens what needs descriptors, before privileges are dropped. Of open sources. feeds: NULL: none.
 * -errno. */
int per_queue_open(struct per_queue **q, const struct options *o, struct sources *all,
		   struct watchers *w, struct keylog *keylog, struct feeds *feeds);
/* The files begin. -errno. */
int per_queue_begin(struct per_queue *q);
/* Until the capture ends; prints the closing statistics. -1 or -errno: something failed. */
int per_queue_run(struct per_queue *q);
/* Before the sources are closed; NULL is allowed. */
void per_queue_close(struct per_queue *q);

#endif
