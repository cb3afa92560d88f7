/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * --to: pcapng-kafka put, by a pipe, as a child without privilege. A process between starts it, and
 * starts it anew when it dies. Complains itself.
 */
#ifndef XDPDUMP_EXPORT_H
#define XDPDUMP_EXPORT_H

#include <sys/types.h>

#include "feed.h"
#include "xdpdump/files/command_line.h"

struct options;
struct put_state;

struct export
{
	struct feed *feed; /* NULL: it is not asked for */
	struct put_state *state;
	struct command_line line;
	char **argv;
	int socket;	   /* pipes come from there; -1: none */
	pid_t child;	   /* that starts it; 0: none */
	const char *place; /* where the packets go */
	bool waits_told;
};

/* What became of the packets that it was given. */
struct export_status {
	const char *place;	/* NULL: there is none */
	uint64_t packets, runs; /* given; of pcapng-kafka */
	uint64_t acknowledged, spooled;
	uint64_t behind; /* lost, as pcapng-kafka was behind or not there */
	uint64_t left;	 /* under way; when it has ended: lost, with those behind */
};

/*
 * Before a capture is open. Until pcapng-kafka has found its topic. To be closed in any case.
 * -errno.
 */
int export_open(struct export *x, const struct options *o);
/* What waits goes on, to a new pcapng-kafka if there is one. -ECHILD: there will be none. Once. */
int export_attend(struct export *x);
/* The rest, until all is acknowledged, spooled, or given up. */
void export_end(struct export *x);
void export_status(const struct export *x, struct export_status *st);
void export_close(struct export *x);

#endif
