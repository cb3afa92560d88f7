/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* not-flows=FILE: follows a file that others append to. */
#pragma once

#include <stddef.h>

#include "flows.h"

#define FLOW_TAIL 64

/* How far the file was read. One process gets this from another as it is. */
struct flow_file {
	uint64_t device, inode, at; /* bytes that were processed: whole lines */
	uint64_t lines;
	uint64_t bad, bad_line;	      /* lines that are not a flow, and the first such line */
	uint64_t full, full_line;     /* likewise, flows that there was no room for */
	uint64_t all_bad, all_full;   /* including those of earlier files */
	uint32_t told_bad, told_full; /* the user was told of these */
	uint32_t skips;		      /* skip the rest of a line that is too long */
	uint32_t tail_length; /* bytes of tail, which precede at: they differ if the file was
				 written anew */
	char tail[FLOW_TAIL];
};

/* Can the file be read? Returns 0, or -errno with err written. */
int flow_file_check(const char *path, char *err, size_t size);
/*
 * Process the lines that were appended. If the file was written anew or is another file, or anew is
 * set, process all lines, and replace the flows by them. A line counts once it is complete, up to
 * its newline. Returns 0, or -errno with err written, and the flows stay as they are.
 */
int flow_file_read(struct flow_file *file, struct flows *to, const char *path, bool anew, char *err,
		   size_t size);

/* What is wrong with lines, in one sentence, unless the user was told already: then "". */
void flow_file_describe(struct flow_file *file, const char *path, char *text, size_t size);
