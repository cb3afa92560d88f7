/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Asks the kernel to read ahead what is needed soon, so that the disk has several requests at a
 * time. This is only advice: errors are ignored here, and reported where the file is read. */
#pragma once

#include "find/lookup.h"
#include "find/places.h"

#define AHEAD_FILES 16u

/* What lookup_open() will read of that file and its index. */
void ahead_lookup(const struct place *p);
/* What will be read first of that file. */
void ahead_begin(const struct place *p);
/* This granule of an open file, and the next one that is wanted. */
void ahead_granule(const struct lookup *l, int fd, uint64_t granule);
