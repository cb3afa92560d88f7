/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* --who: each record that is taken gets a label. */
#ifndef XDPDUMP_LABELS_H
#define XDPDUMP_LABELS_H

#include <stdint.h>

#include "xdpdump/output/label.h"
#include "xdpdump/output/output.h"

struct labels;
struct options;
struct sources;

/* With privilege, before the capture of open sources begins. *l: NULL without --who. Complains
 * itself. */
int labels_open(struct labels **l, const struct options *o, const struct sources *all);
void labels_close(struct labels *l);
/* The functions below allow NULL. */
const struct label_book *labels_book(const struct labels *l);
/* Records in memory that is ours until they are released. -errno, which is told. */
int labels_put(struct labels *l, const struct batch *b);
int labels_put_one(struct labels *l, const struct epb_header *r, const struct epb_lengths *lengths);
/* Now and then, also where no packets come. */
int labels_beat(struct labels *l);
/* How many packets have each class; NULL: there are none. */
const uint64_t *labels_counts(const struct labels *l);

#endif
