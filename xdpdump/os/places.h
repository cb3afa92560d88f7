/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Where a running capture opens files for writing. */
#pragma once

#include <limits.h>
#include <stdbool.h>

#define PLACES_MAX 4

struct places {
	struct place {
		const char *file;
		bool makes_more; /* files are created and removed in the folder, also later */
		bool varies;	 /* a time is in the folders' names; folder is above all of them */
		char folder[PATH_MAX];
	} at[PLACES_MAX];
	unsigned count;
};

/* file: NULL or "-" is not added. with_time: it may have conversions of strftime(). */
void places_add(struct places *all, const char *file, bool makes_more, bool with_time);
/* Does this process lack the permission for what it is to do in these places? */
bool places_refuse(const struct places *p);
/*
 * With Landlock (Linux 5.13): allow writing, creating and removing files only in these places, for
 * good, for this thread and those that it starts; no_new_privs must be set. What is open stays
 * open. Returns 0, also if the kernel has no Landlock; or -errno, and *place if one file's path
 * causes it.
 */
int places_confine(const struct places *p, const char **place);
