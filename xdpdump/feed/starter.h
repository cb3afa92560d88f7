/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The process that starts exporters: it begins before a capture is open, so that nothing of one is
 * in it or its children, and is asked for them once it is known how many rings there are.
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
 * Of a child that has just begun, with a struct starter. It gives up its privileges, starts what is
 * asked for at the other end of its socket, and ends when that end and all exporters have. A stream
 * that is the only one is its own.
 */
child_run starter_run;
/* On the other side. of: 0 where there is but one stream. -errno. */
int starter_ask(int control, unsigned stream, unsigned of, int socket, int memory);
