/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* One capture, from the first check to the closing statistics. */
#pragma once

#include "xdpdump/source/source.h"

/* The exit status of the program. */
int session_run(const struct options *o);

/* An interface of a trial, or a program on one, once it was opened. */
struct session_source {
	char ifname[IFNAMSIZ];
	const char *netns;
	char place[SOURCE_DESCRIPTION_SIZE];
	bool traced; /* in an XDP program that is there, not at a hook */
	char diverted_to[80], warning[AFXDP_ERROR_SIZE], filter[2 * AFXDP_ERROR_SIZE];
	enum afxdp_level level;
};

struct session_trial {
	unsigned count; /* 0: not all could be opened */
	struct session_source source[SOURCES_MAX];
};

/*
 * All that session_run() does before the first packet, by the same code, and then it closes
 * everything: attaches nothing, changes nothing about interfaces, leaves no file. What stands in
 * the way it complains of. Afterwards this process has given up its privileges, as for a capture.
 * -errno.
 */
int session_try(const struct options *o, struct session_trial *trial);
