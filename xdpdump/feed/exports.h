/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* --to: all streams of a capture, one for each ring that is read by itself. It complains itself. */
#pragma once

#include <sys/types.h>

#include "export.h"
#include "xdpdump/files/command_line.h"

struct feed_plan;

#define EXPORTS_MAX 256

struct exports {
	struct command_line line;
	int control;   /* the socket to the starter; -1: none */
	pid_t starter; /* 0: there is no starter */
	struct export *stream;
	unsigned count;
	bool waits_told;
};

/* To be called before a capture is open. Returns 0 or -errno; then call exports_close(), too. */
int exports_open(struct exports *xs, const struct feed_plan *p);
/*
 * Begin n streams, and wait until each pcapng-kafka has found its topic. Call it while sockets may
 * be made. Returns 0 or -errno.
 */
int exports_begin(struct exports *xs, const struct feed_plan *p, unsigned n);
/* Send the rest, until everything is acknowledged, spooled or given up. For one thread. */
void exports_end(struct exports *xs);
/* The sum over all streams. */
void exports_status(const struct exports *xs, struct export_status *st);
void exports_close(struct exports *xs);
