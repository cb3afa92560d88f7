/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * --to: a stream of packets for a pcapng-kafka, by a pipe. A process between starts it, and starts
 * it anew when it dies. Complains itself.
 */
#pragma once

#include <stdbool.h>

#include "feed.h"

struct export
{
	struct feed *feed;
	struct put_state *state; /* of pcapng-kafka */
	int socket; /* to the process that starts pcapng-kafka, which sends pipes; -1: none */
	const char *place; /* where the packets go */
	char name[24];	   /* ", stream 3", where there are several */
	/* Packets that were lost in front of it, and a loss that is told: monotonic. */
	uint64_t lost, lost_before, lost_since, lost_last;
	bool is_losing;
};

/* What became of the packets that it was given. */
struct export_status {
	const char *place;	/* NULL: there is none */
	uint64_t packets, runs; /* given; of pcapng-kafka */
	uint64_t again;		/* of these runs, those after the first of a stream */
	uint64_t acknowledged, spooled, spool_bytes;
	uint64_t spool_age, acknowledged_age; /* ns: of the oldest there; of the last */
	uint64_t lost;			      /* so far, as far as it is known */
	unsigned trouble;		      /* enum put_trouble */
	uint64_t behind; /* of these, as pcapng-kafka was behind or not there */
	uint64_t left;	 /* under way; when it has ended: lost, with those behind */
};

/* Asks a starter for it. of: so many streams; 0: the only one. To be closed in any case. -errno. */
int export_open(struct export *x, const char *place, int starter, unsigned stream, unsigned of);
/* It has found its topic; -EAGAIN: not yet; -ECHILD: it has said what is wrong. */
int export_is_ready(struct export *x);
/* What waits goes on, to a new pcapng-kafka if there is one. -ECHILD: there will be none. Once. */
int export_attend(struct export *x);
/* Is there something to do before it may end? */
bool export_waits(const struct export *x);
/* After that: is it over? Once: that its pcapng-kafka may end. */
void export_let_end(struct export *x);
bool export_has_ended(struct export *x);
/* Packets that pcapng-kafka has done with, of all runs. */
uint64_t export_done(const struct export *x);
/* From any thread. */
void export_status(const struct export *x, struct export_status *st);
void export_add(struct export_status *sum, const struct export_status *one);
void export_close(struct export *x);
