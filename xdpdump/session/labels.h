/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* --who: each record that is taken gets a label. */
#ifndef XDPDUMP_LABELS_H
#define XDPDUMP_LABELS_H

#include <errno.h>
#include <stdint.h>

#include "xdpdump/output/label.h"
#include "xdpdump/output/output.h"

struct labels;
struct options;
struct sources;

/*
 * With privilege, and before sources are open: the looker, which keeps some, gets nothing of them.
 * *l: NULL without --who. Complains itself.
 */
int labels_open(struct labels **l, const struct options *o);
void labels_close(struct labels *l);
/* The functions below allow NULL. */
/* Where no label can be had, of open sources. */
void labels_note_blind(const struct labels *l, const struct sources *all);
const struct label_book *labels_book(const struct labels *l);
/* Records in memory that is ours until they are released. 0, or LABELS_FAILED: why is told. */
#define LABELS_FAILED (-ECHILD)
int labels_put(struct labels *l, const struct batch *b);
int labels_put_one(struct labels *l, const struct epb_header *r, const struct epb_lengths *lengths);
/* Now and then, also where no packets come. */
int labels_beat(struct labels *l);
/* How many packets have each class; NULL: there are none. */
const uint64_t *labels_counts(const struct labels *l);

#endif
