/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* One capture, from the first check to the closing statistics. */
#pragma once

#include "xdpdump/source/source.h"

/* Run a capture. Returns the exit status of the program. */
int session_run(const struct options *o);

/* An interface of a trial, or a program on it, after it was opened. */
struct session_source {
	char ifname[IFNAMSIZ];
	const char *netns;
	char place[SOURCE_DESCRIPTION_SIZE];
	bool traced; /* in an existing XDP program, not at a hook */
	char diverted_to[80], warning[AFXDP_ERROR_SIZE], filter[2 * AFXDP_ERROR_SIZE];
	enum afxdp_level level;
};

struct session_trial {
	unsigned count; /* 0: the trial failed before all were open */
	struct session_source source[SOURCES_MAX];
};

/*
 * Do all that session_run() does before the first packet, by the same code, then close everything:
 * nothing is attached, no interface is changed, and no file is left. Prints what would make the
 * capture fail. Afterwards this process has dropped its privileges, as for a capture. Returns 0 or
 * -errno.
 */
int session_try(const struct options *o, struct session_trial *trial);
