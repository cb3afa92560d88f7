/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Asks the disk for what is read soon, so that it has several requests at a time and nobody waits
 * for each in turn. It is advice: what fails here is told where it is read. */
#pragma once

#include "find/lookup.h"
#include "find/places.h"

#define AHEAD_FILES 16u

/* What lookup_open() reads of that file and of its index. */
void ahead_lookup(const struct place *p);
/* What is read first of that file. */
void ahead_begin(const struct place *p);
/* That granule of an open file, and the next one that is wanted. */
void ahead_granule(const struct lookup *l, int fd, uint64_t granule);
