/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* When the time of a file is over; session/reader.c watches its size. Times are wall clock ns. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "xdpdump/plan/plan.h"

struct rotation {
	const struct limits *file;
	uint64_t begin, end; /* records with time stamps from end on belong in the next file */
};

/* A file begins. now may be the end of the previous file, so that there is no gap between them. */
void rotation_begin(struct rotation *r, const struct limits *file, uint64_t now);
/*
 * Is the file's time over, even if no record shows it? Waits long enough for records stamped before
 * the end to arrive.
 */
bool rotation_is_due(struct rotation *r, uint64_t now);
/* Milliseconds until rotation_is_due() may be true; -1: never. */
int rotation_due_in(const struct rotation *r, uint64_t now);
