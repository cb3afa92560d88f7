/* SPDX-License-Identifier: BSD-3-Clause */
/* From the rings to the files, until the end. Complains itself. */
#ifndef XDPDUMP_READER_H
#define XDPDUMP_READER_H

#include "files.h"
#include "output.h"
#include "report.h"
#include "rotation.h"
#include "sources.h"
#include "trigger.h"

struct reader {
	const struct options *options;
	struct sources sources;
	struct output *output;
	struct files *files; /* NULL: to standard output */
	struct rotation rotation;
	struct trigger trigger;
	struct progress progress;
	struct capture_stats before[SOURCES_MAX];	 /* when the present file began */
	uint64_t begin_time, begin_packets, begin_bytes; /* likewise; CLOCK_REALTIME ns */
	uint64_t left;					 /* packets still wanted */
	uint64_t end_time;    /* CLOCK_MONOTONIC ns, as all that follow: when to end */
	uint64_t give_up;     /* once the sources are stopped: what is left then is lost */
	uint64_t report_time; /* the next report of --stats-interval */
	uint64_t disk_time;   /* the next look at the disk */
	unsigned runs;
	int error;	   /* of an interface */
	int told;	   /* the last error of writing that was told of */
	bool closed, done; /* closed: there is no present file */
};

/* A file, standard output or text begins, as options say. -errno. */
int reader_open(struct reader *r);
/*
 * Does this failure mean that Wireshark has all it wants and has gone? That is an end as good as
 * any other. reader_run() and reader_close() take it for one themselves.
 */
bool reader_is_left(const struct reader *r, int e);
/* Until the capture ends. -errno. */
int reader_run(struct reader *r);
/* The last words, after all was read; prints the closing statistics. -1: something failed. */
int reader_close(struct reader *r);

#endif
