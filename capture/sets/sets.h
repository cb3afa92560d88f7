/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The sets of a capture (hosts=FILE): read, and written into the map that its programs look in. */
#pragma once

#include <pthread.h>

#include "entries.h"
#include "flow_file.h"
#include "capture/afxdpcapture.h"
#include "capture/options/options.h"

#define SETS_SAID_KEPT 8

/* What was said of changed files, the last ones: a text stays where it is until so many more came.
 */
struct sets_said {
	pthread_mutex_t lock;	/* any thread may ask */
	pthread_mutex_t writes; /* of sets_replace(), which any thread may call */
	char text[SETS_SAID_KEPT][AFXDP_ERROR_SIZE];
	uint32_t taken;	   /* texts so far */
	uint32_t count;	   /* as of struct sets_control */
	const char *last;  /* the newest; NULL: none, or there is a newer one of others */
	const char *other; /* that one, as of the last look */
	bool has_ended;	   /* who reads changed files; it was told */
	uint64_t looked;   /* for that; CLOCK_MONOTONIC ns, atomic */
};

struct sets {
	struct set_entries entries; /* until they are in the map */
	void *map;		    /* of bpf/sets.h; NULL: not mapped */
	uint32_t lines;		    /* of it, up to the tables of flows, */
	uint32_t flows_lines;	    /* ... and those of these */
	uint32_t empty;		    /* bits of the files that have nothing */
	uint64_t read_at;	    /* CLOCK_REALTIME ns: before the files were read */
	struct sets_said *said;
	struct flow_file flow_file;
	struct flows flows[2]; /* as of sets_control.flows; said->lock is for the second one */
};

/*
 * Read the files that o names, with the rights of the user whose process this is, and say in o what
 * the programs need. -errno with err written. Call sets_close() in any case.
 */
int sets_open(struct sets *s, struct afxdp_options *o, char *err, size_t size);
/* Map the map with descriptor fd, and have the programs look in it from here on. -errno with err
 * written. */
int sets_begin(struct sets *s, const struct afxdp_options *o, int fd, char *err, size_t size);
/* Map it, by whoever reads changed files: another process has begun. -errno. */
int sets_map(struct sets *s, const struct afxdp_options *o, int fd);
/*
 * Read the files again, into the set that is not in use, and exchange the two: all frames that come
 * after the return are looked for in the new one. -errno with err written: the old one stays. One
 * process at a time calls it.
 */
int sets_renew(struct sets *s, const struct afxdp_options *o, char *err, size_t size);
/* Likewise, by lists in memory, of the options of lists=. */
int sets_replace(struct sets *s, const struct afxdp_options *o, const struct afxdp_addresses *lists,
		 unsigned n, char *err, size_t size);
/* Likewise, the file of flows: what was appended, or with anew all. An error: they stay. It writes
 * in text what is wrong with lines and was not told. */
int sets_read_flows(struct sets *s, const struct afxdp_options *o, bool anew, char *text,
		    size_t size);
/* Lines of the map that the flows of these options take. */
uint32_t sets_flows_lines(const struct afxdp_options *o);
/* Of the files that s->empty has, as one sentence; "": none is empty. */
void sets_describe_empty(const struct sets *s, const struct afxdp_options *o, char *text,
			 size_t size);
/* Say this in the map, for the process that captures; and find it there: NULL, or what is newer
 * than other, which there is to tell as well. ended: a constant to tell in the end, or NULL: who
 * says something is there. */
void sets_say(struct sets *s, const char *text);
const char *sets_hear(const struct sets *s, const char *other, const char *ended);
void sets_close(struct sets *s);
