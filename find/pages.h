/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Gives pages back to the page cache that are used only once, because a capture on the same host
 * needs it more. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define PAGES_STEP (8u << 20)

/* For a file that is written: up to where writing to disk was begun, and up to where pages were
 * given back. */
struct pages {
	uint64_t begun, given;
};

/* Gives back what lies before the file's read position. */
void pages_read(int fd);
/*
 * Call this after each write: begins to write new data to disk, and gives back what has got there.
 * Returns 0, or -EIO, -ENOSPC or -EDQUOT if it did not get there.
 */
int pages_written(struct pages *p, int fd);
/* Gives back these bytes of a mapped file, which are not read again. */
void pages_mapped(int fd, const uint8_t *map, uint64_t from, uint64_t to);
