/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The sets of a capture (hosts=FILE): read, and written into the map that its programs search. */
#pragma once

#include <pthread.h>

#include "entries.h"
#include "flow_file.h"
#include "capture/afxdpcapture.h"
#include "capture/options/options.h"

#define SETS_SAID_KEPT 8

/* The latest messages about changed files. A text stays valid until SETS_SAID_KEPT more have
 * come. */
struct sets_said {
	pthread_mutex_t lock;	/* any thread may ask */
	pthread_mutex_t writes; /* held by sets_replace(), which any thread may call */
	char text[SETS_SAID_KEPT][AFXDP_ERROR_SIZE];
	uint32_t taken;	   /* number of texts so far */
	uint32_t count;	   /* copy of the count in struct sets_control */
	const char *last;  /* the newest text; NULL: there is none, or a newer one comes from
			      elsewhere */
	const char *other; /* that newer one, as of the last look */
	bool has_ended;	 /* the process that reads changed files has ended, and the user was told */
	uint64_t looked; /* when that was last checked; CLOCK_MONOTONIC ns, atomic */
};

struct sets {
	struct set_entries entries; /* until they are written into the map */
	void *map;		    /* the map of bpf/sets.h; NULL: not mapped */
	uint32_t lines;		    /* its number of lines before the tables of flows */
	uint32_t flows_lines;	    /* number of lines of these tables */
	uint32_t empty;		    /* bits of the options whose files are empty */
	uint64_t read_at;	    /* CLOCK_REALTIME ns, taken before the files were read */
	struct sets_said *said;
	struct flow_file flow_file;
	struct flows flows[2]; /* as in sets_control; lock protects the 2nd */
};

/*
 * Read the files that o names, with the rights of the user of this process, and write into o what
 * the programs need to know. Returns 0, or -errno with err written. Call sets_close() in any case.
 */
int sets_open(struct sets *s, struct afxdp_options *o, char *err, size_t size);
/* Map the map with descriptor fd, and make the programs use it from now on. Returns 0, or -errno
 * with err written. */
int sets_begin(struct sets *s, const struct afxdp_options *o, int fd, char *err, size_t size);
/* Map it in the process that reads changed files: another process has called sets_begin(). Returns
 * 0 or -errno. */
int sets_map(struct sets *s, const struct afxdp_options *o, int fd);
/*
 * Read the files again into the set that is not in use, and exchange the two: all frames that come
 * after the return are looked up in the new set. Returns 0, or -errno with err written, and the old
 * set stays. One process at a time may call it.
 */
int sets_renew(struct sets *s, const struct afxdp_options *o, char *err, size_t size);
/* Likewise, from lists in memory, for the options in lists=. */
int sets_replace(struct sets *s, const struct afxdp_options *o, const struct afxdp_addresses *lists,
		 unsigned n, char *err, size_t size);
/* Likewise, for the file of flows: read what was appended, or with anew all of it. On an error the
 * flows stay. Writes into text what is wrong with lines, unless the user was told already. */
int sets_read_flows(struct sets *s, const struct afxdp_options *o, bool anew, char *text,
		    size_t size);
/* How many lines of the map the flows of these options take. */
uint32_t sets_flows_lines(const struct afxdp_options *o);
/* One sentence about the files in s->empty; "": none is empty. */
void sets_describe_empty(const struct sets *s, const struct afxdp_options *o, char *text,
			 size_t size);
/* sets_say() writes a text into the map, for the process that captures. sets_hear() returns the
 * latest text there; or NULL if there is none, or other, a notice from elsewhere, is newer. ended,
 * unless NULL, is a constant text to return in the end, because the process that writes texts has
 * ended. */
void sets_say(struct sets *s, const char *text);
const char *sets_hear(const struct sets *s, const char *other, const char *ended);
void sets_close(struct sets *s);
