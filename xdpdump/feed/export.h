/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * --to: a stream of packets for a pcapng-kafka, through a pipe. A process in between starts it, and
 * restarts it when it dies. It complains itself.
 */
#pragma once

#include <stdbool.h>

#include "feed.h"

struct export
{
	struct feed *feed;
	struct put_state *state; /* shared with pcapng-kafka */
	int socket;		 /* to the exporter, which sends a pipe for each run; -1: none */
	const char *place;	 /* the destination, as in --to */
	char name[24];		 /* ", stream 3" if there are several, or "" */
	/* Packets lost before pcapng-kafka, and the loss being reported. CLOCK_MONOTONIC. */
	uint64_t lost, lost_before, lost_since, lost_last;
	bool is_losing;
};

/* What became of the packets that the export was given. */
struct export_status {
	const char *place;	/* NULL: there is no export */
	uint64_t packets, runs; /* packets given to it; runs of pcapng-kafka */
	uint64_t again;		/* how many of these were not the first run of a stream */
	uint64_t acknowledged, spooled, spool_bytes;
	uint64_t spool_age, acknowledged_age; /* ns: of the oldest in the spool; of the last */
	uint64_t lost;			      /* as far as is known now */
	unsigned trouble;		      /* enum put_trouble */
	uint64_t behind; /* how many of these because pcapng-kafka was behind or not running */
	uint64_t left;	 /* under way, including behind; once all has ended, they are lost */
};

/*
 * Ask the starter for a stream. of: how many there are; 0: only this one. Returns 0 or -errno; in
 * both cases the caller calls export_close().
 */
int export_open(struct export *x, const char *place, int starter, unsigned stream, unsigned of);
/* Returns 0: it has found its topic; -EAGAIN: not yet; -ECHILD: it has ended, and said why. */
int export_is_ready(struct export *x);
/* Send what waits, also to a new pcapng-kafka. Returns 0, or once -ECHILD: none will come. */
int export_attend(struct export *x);
/* Is there something left to send before it may end? */
bool export_waits(const struct export *x);
/* After that: close the pipe once, so that pcapng-kafka may end, and ask whether it has ended. */
void export_let_end(struct export *x);
bool export_has_ended(struct export *x);
/* Packets that pcapng-kafka has finished with, over all runs. */
uint64_t export_done(const struct export *x);
/* May be called from any thread. */
void export_status(const struct export *x, struct export_status *st);
void export_add(struct export_status *sum, const struct export_status *one);
void export_close(struct export *x);
