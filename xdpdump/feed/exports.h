/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* --to: all streams of a capture, one for each ring that is read by itself. Complains itself. */
#pragma once

#include <sys/types.h>

#include "export.h"
#include "xdpdump/files/command_line.h"

struct feed_plan;

#define EXPORTS_MAX 256

struct exports {
	struct command_line line;
	int control;   /* of the starter; -1: none */
	pid_t starter; /* 0: none */
	struct export *stream;
	unsigned count;
	bool waits_told;
};

/* Before a capture is open. To be closed in any case. -errno. */
int exports_open(struct exports *xs, const struct feed_plan *p);
/* So many streams, until each pcapng-kafka has found its topic. While sockets may be made. -errno.
 */
int exports_begin(struct exports *xs, const struct feed_plan *p, unsigned n);
/* The rest, until all is acknowledged, spooled, or given up. By one thread. */
void exports_end(struct exports *xs);
/* The sum. */
void exports_status(const struct exports *xs, struct export_status *st);
void exports_close(struct exports *xs);
