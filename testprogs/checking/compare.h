/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct comparison {
	uint64_t tolerance_ns; /* of the two time stamps, for 99 % of the packets */
	unsigned int explain;  /* how many differences to print on standard error */
};

/* Do two captures hold the same packets in the same order? Prints counts and the verdict. Returns
 * the program's status: 0 they are the same, 1 they differ, 2 a file could not be read. */
int compare_captures(const struct comparison *comparison, const char *path_a, const char *path_b);
