/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* A descriptor goes from this process to itself by a message: do the programs tell of it? */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct trial {
	uint64_t cookie; /* of the socket */
	bool is_heard;
};

/* 0 or -errno. */
int trial_run(struct trial *t);
