/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* How the capture stands, in numbers with names: figures.def has them. */
#pragma once

#include <stdbool.h>

#include "report.h"
#include "util/put_state.h"

struct sources;

enum {
#define FIGURE(name, value, help) FIGURE_##name,
#define TOTAL(name, value, type, help)
#include "figures.def"
	FIGURES
};
enum {
#define FIGURE(name, value, help)
#define TOTAL(name, value, type, help) TOTAL_##name,
#include "figures.def"
	TOTALS
};

struct figure {
	const char *name, *help;
	bool is_gauge;
};
extern const struct figure figures[FIGURES], totals[TOTALS];

/* By enum put_trouble. */
struct trouble_name {
	const char *label, *words;
};
extern const struct trouble_name troubles[PUT_TROUBLES_END];

/* What was counted for each source, and the sum, into st; but for what was captured. */
void figures_collect(struct status *st, const struct sources *all, const struct options *o);
/*
 * Of an interface, or of all: what was lost for want of room for files is then in no other figure.
 */
void figures_of(const struct status *st, const struct source_status *of, uint64_t value[FIGURES]);
void figures_of_capture(const struct status *st, uint64_t value[TOTALS]);
/* Readers of one ring count what the reader of all does not. */
void figures_add_of_readers(struct afxdp_stats *sum, const struct afxdp_stats *one);
/*
 * Lost in a full ring, or for want of a buffer, but not while files waited for their commands.
 * Those have a line of their own.
 */
uint64_t figures_lost_full(const struct source_status *of);
uint64_t figures_lost_socket(const struct source_status *of);
/*
 * Packets that the filter took, lost ones among them. Before the end these are what was written or
 * lost: a filter in user space has not yet decided on what waits to be read.
 */
uint64_t figures_received(const struct status *st, const struct source_status *of);
/* Of these, what the interfaces sent. */
uint64_t figures_sent_received(const struct status *st, const struct source_status *of);
/* Received but neither lost nor written, which takes an end before all was read. */
uint64_t figures_not_kept(const struct status *st);
