/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Sends a descriptor from this process to itself in a message: do the programs report it? */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct trial {
	uint64_t cookie; /* of the socket */
	bool is_heard;
};

/* Returns 0 or -errno. */
int trial_run(struct trial *t);
