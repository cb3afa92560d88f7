/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* A capture beside us needs the page cache more than what is read or written once. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define PAGES_STEP (8u << 20)

/* Of a file that is written: what is on its way to the disk. */
struct pages {
	uint64_t begun, given;
};

/* What was read in front of where this file is read. */
void pages_read(int fd);
/*
 * Called after a write: what has come goes to the disk, and is given back once it is there. 0;
 * -EIO, -ENOSPC, -EDQUOT: it did not get there.
 */
int pages_written(struct pages *p, int fd);
/* Of a file in memory: these bytes, which are not read again. */
void pages_mapped(int fd, const uint8_t *map, uint64_t from, uint64_t to);
