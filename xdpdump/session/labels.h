/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* --who: each record that is taken gets a label. */
#pragma once

#include <errno.h>
#include <stdint.h>

#include "xdpdump/output/label.h"
#include "xdpdump/output/output.h"

struct labels;
struct left_out;
struct sources;

/*
 * With privilege, and before sources are open: the looker, which keeps some, gets nothing of them.
 * *l: NULL without --who. Complains itself.
 */
int labels_open(struct labels **l, const struct options *o);
void labels_close(struct labels *l);
/* The functions below allow NULL, as in a trial. */
/* When sources are open, with privilege still: what came since is taken in. Complains itself. */
int labels_begin(struct labels *l, const struct options *o, const struct sources *all);
const struct label_book *labels_book(const struct labels *l);
/* Records in memory that is ours until they are released. 0, or LABELS_FAILED: why is told. */
#define LABELS_FAILED (-ECHILD)
int labels_put(struct labels *l, const struct batch *b);
/* Are only some processes wanted? Then each record is asked for, and has its label by that. */
bool labels_choose(const struct labels *l);
bool labels_want(struct labels *l, const struct epb_header *r, const struct epb_lengths *lengths);
/* For the capture: who-others. -1: all are wanted. */
int labels_others(const struct labels *l);
/* When labels_beat() has something to do, in ns of CLOCK_MONOTONIC. */
uint64_t labels_due(const struct labels *l);
/* Now and then, also where no packets come. */
int labels_beat(struct labels *l);
/* How many packets have each class; NULL: there are none. */
const uint64_t *labels_counts(const struct labels *l);
/* Packets left out; zeros where all are wanted. */
void labels_left_out(const struct labels *l, struct left_out *to);
