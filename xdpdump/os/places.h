/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Where a capture opens files for writing once it runs. */
#pragma once

#include <limits.h>
#include <stdbool.h>

#define PLACES_MAX 4

struct places {
	struct place {
		const char *file;
		bool makes_more; /* files are made and removed in the folder, also later */
		bool varies; /* the folder is that of all folders, which have a time in their name */
		char folder[PATH_MAX];
	} at[PLACES_MAX];
	unsigned count;
};

/* file: NULL or "-" is none. */
void places_add(struct places *all, const char *file, bool makes_more, bool with_time);
/* May this process, as it is, not do there what it is to do? */
bool places_refuse(const struct places *p);
/*
 * By Landlock (Linux 5.13): writing, making and removing files is for the places alone, of this
 * thread and those that it starts, for good; no_new_privs is set. What is open stays open. 0, also
 * where the kernel has no Landlock; -errno, with *place if it comes from the way to that file.
 */
int places_confine(const struct places *p, const char **place);
