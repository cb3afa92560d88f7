/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The files to search: those that were named, and all in folders that were named. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "find/output.h"

struct place {
	char *path;
	uint64_t size;
	bool is_pipe;
	bool is_named;	/* it was named, not found in a folder */
	uint64_t first; /* time of its first packet by its index, in ns; 0: not known */
	uint64_t start; /* where it is read from */
};

struct places {
	struct place *place;
	size_t count, room;
	struct table known; /* files by device and inode, so that each is listed once */
	bool is_partial;    /* some could not be looked at, after a message */
};

/* words: files and folders. output: a file to leave out; may be NULL. Returns 0 or -errno; -EINTR:
 * a signal says to stop. */
int places_find(struct places *p, char *const *words, const struct output *output);
/* Opens the file for reading. Returns a descriptor, or -errno; -ENOENT too for a file from a folder
 * that is a link or not a regular file by now. */
int place_open(const struct place *p);
/* The sum of all sizes, in bytes. */
uint64_t places_size(const struct places *p);
void places_free(struct places *p);
