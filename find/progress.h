/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Shows on a terminal how far the search is, and prints the totals at the end. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct progress {
	uint64_t files, files_all; /* files read, and how many there are */
	uint64_t read, all;	   /* bytes read, and of all files */
	uint64_t packets;	   /* packets found */
	uint64_t shown;		   /* time of the last update */
	bool is_live, is_there;	   /* is_live: show it; is_there: the line is on the terminal */
	unsigned calls;
};

void progress_init(struct progress *p, bool is_quiet);
/* Updates the line at most five times a second. */
void progress_show(struct progress *p);
void progress_clear(struct progress *p);
void progress_sum(struct progress *p);
