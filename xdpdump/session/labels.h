/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* --who: each record that is captured gets a label. */
#pragma once

#include <errno.h>
#include <stdint.h>

#include "xdpdump/output/label.h"
#include "xdpdump/output/output.h"

struct labels;
struct left_out;
struct sources;

/* Call it with privileges, and before sources are opened: the process that looks at sockets keeps
 * some privileges, and must not inherit anything of the sources. *l is NULL without --who, and in a
 * trial. Prints its own error messages. Returns 0 or -errno. */
int labels_open(struct labels **l, const struct options *o);
void labels_close(struct labels *l);
/* In the functions below, except labels_want(), l may be NULL. */
/* Call it when the sources are open, still with privileges: reads the events up to now. Prints its
 * own error messages. Returns 0 or -errno. */
int labels_begin(struct labels *l, const struct options *o, const struct sources *all);
const struct label_book *labels_book(const struct labels *l);
/* Give records their labels. This writes into the records in the rings, which are ours until they
 * are released. Returns 0, or LABELS_FAILED after telling why. */
#define LABELS_FAILED (-ECHILD)
int labels_put(struct labels *l, const struct batch *b);
/* Are only some processes wanted? Then call labels_want() for each record, which also gives it its
 * label. */
bool labels_choose(const struct labels *l);
bool labels_want(struct labels *l, const struct epb_header *r, const struct epb_lengths *lengths);
/* The capture's option who-others: the descriptor of a map. -1: all processes are wanted. */
int labels_others(const struct labels *l);
/* When labels_beat() is due, in ns of CLOCK_MONOTONIC. */
uint64_t labels_due(const struct labels *l);
/* Call it when due, also if no packets come. Returns 0, or LABELS_FAILED after telling why. */
int labels_beat(struct labels *l);
/* The number of packets of each class, indexed by enum who_class. NULL: --who was not given. */
const uint64_t *labels_counts(const struct labels *l);
/* Get the number of packets left out: 0 if all processes are wanted. */
void labels_left_out(const struct labels *l, struct left_out *to);
