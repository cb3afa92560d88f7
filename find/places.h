/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The files that are searched: those that were named, and all that are in folders. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "find/output.h"

struct place {
	char *path;
	uint64_t size;
	bool is_pipe;
	bool is_named;	/* not found in a folder */
	uint64_t first; /* time of its first packet, by its index; 0: it is not known */
	uint64_t start; /* where it is read from */
};

struct places {
	struct place *place;
	size_t count, room;
	struct table known; /* by device and inode: each once */
	bool is_partial;    /* some could not be looked at: it was told */
};

/* words: files and folders. output: is none of them; may be NULL. 0 or -errno; -EINTR: a signal
 * says to stop. */
int places_find(struct places *p, char *const *words, const struct output *output);
/* To read. What was found in a folder, and is a link or no file by now, is gone: -ENOENT. Or
 * -errno. */
int place_open(const struct place *p);
/* The size of all. */
uint64_t places_size(const struct places *p);
void places_free(struct places *p);
