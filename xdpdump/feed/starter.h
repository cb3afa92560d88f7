/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The process that starts exporters. It begins before a capture is open, so that neither it nor its
 * children share anything of that, and gets requests once the number of rings is known.
 */
#pragma once

#include "util/unique.h"
#include "xdpdump/os/child.h"

struct feed_plan;

struct starter {
	const struct feed_plan *plan;
	const char *program;
	char session[UNIQUE_ROOM];
};

/*
 * Runs in a child that has just begun, with a struct starter. It gives up its privileges and starts
 * an exporter for each request on its socket. It ends when the other end is closed and all
 * exporters have ended. A stream that is the only one runs in the starter itself.
 */
child_run starter_run;
/*
 * In the capturing process: ask for an exporter. of: the number of streams; 0: there is only one.
 * Returns 0 or -errno.
 */
int starter_ask(int control, unsigned stream, unsigned of, int socket, int memory);
