/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * When the time of a file is over: its size is looked after in session/reader.c. All times are
 * wall clock ns.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "xdpdump/plan/plan.h"

struct rotation {
	const struct limits *file;
	uint64_t begin, end; /* records stamped from end on belong in the next file */
};

/* A file begins. now may be the end of the file before, so that no time lies between them. */
void rotation_begin(struct rotation *r, const struct limits *file, uint64_t now);
/*
 * Has the time come, although no record shows it? Records of before the end have had the time to
 * arrive.
 */
bool rotation_is_due(struct rotation *r, uint64_t now);
/* Milliseconds until it may be; -1: never. */
int rotation_due_in(const struct rotation *r, uint64_t now);
