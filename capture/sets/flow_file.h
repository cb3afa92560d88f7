/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* not-flows=FILE: a file that others append to, followed. */
#pragma once

#include <stddef.h>

#include "flows.h"

#define FLOW_TAIL 64

/* How far it was read. One process has it from another as it is. */
struct flow_file {
	uint64_t device, inode, at; /* bytes that were taken: whole lines */
	uint64_t lines;
	uint64_t bad, bad_line;	      /* lines that are no flow, and the first of them */
	uint64_t full, full_line;     /* likewise, flows that there was no room for */
	uint64_t all_bad, all_full;   /* also of the files before it */
	uint32_t told_bad, told_full; /* they were told */
	uint32_t skips;		      /* the rest of a line that is too long, up to its end */
	uint32_t tail_length; /* what stands before at: it tells a file that was written anew */
	char tail[FLOW_TAIL];
};

/* Could it be read? -errno with err written. */
int flow_file_check(const char *path, char *err, size_t size);
/*
 * Take the lines that were appended; of a file that was written anew, or is another, or with anew,
 * all, in place of those before. A line counts once it has its end. -errno with err written: the
 * flows stay as they are.
 */
int flow_file_read(struct flow_file *file, struct flows *to, const char *path, bool anew, char *err,
		   size_t size);

/* What is wrong with lines, once: one sentence; "": nothing that was not told. */
void flow_file_describe(struct flow_file *file, const char *path, char *text, size_t size);
