/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* How far it is, on a terminal; and what it came to. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct progress {
	uint64_t files, files_all; /* that were read, of how many */
	uint64_t read, all;	   /* bytes */
	uint64_t packets;	   /* that were found */
	uint64_t shown;		   /* when */
	bool is_live, is_there;	   /* there is a line on the terminal */
	unsigned calls;
};

void progress_init(struct progress *p, bool is_quiet);
/* At most five times a second. */
void progress_show(struct progress *p);
void progress_clear(struct progress *p);
void progress_sum(struct progress *p);
