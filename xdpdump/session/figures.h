/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The state of a capture as named numbers, which figures.def lists. */
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

/* Indexed by enum put_trouble. */
struct trouble_name {
	const char *label, *words;
};
extern const struct trouble_name troubles[PUT_TROUBLES_END];

/* Put into *st the statistics of each source, and their sum. reader_add() adds what was
 * captured. */
void figures_collect(struct status *st, const struct sources *all, const struct options *o);
/* Get the figures of one interface, or of all together. Those of all do not include packets that
 * were lost because there was no room for files: TOTAL_dropped_no_room counts these. */
void figures_of(const struct status *st, const struct source_status *of, uint64_t value[FIGURES]);
void figures_of_capture(const struct status *st, uint64_t value[TOTALS]);
/* Add what only readers of one ring count, not the reader of all rings. */
void figures_add_of_readers(struct afxdp_stats *sum, const struct afxdp_stats *one);
/* Packets lost because a ring was full, or because an AF_XDP socket had no buffer. Those lost while
 * files waited for their commands are not included: they have a figure of their own. */
uint64_t figures_lost_full(const struct source_status *of);
uint64_t figures_lost_socket(const struct source_status *of);
/* Packets that the filter accepted, including lost ones. While the capture runs this is what was
 * written or lost, because a filter in user space has not yet seen what waits to be read. */
uint64_t figures_received(const struct status *st, const struct source_status *of);
/* Of these, the packets that the interfaces sent. */
uint64_t figures_sent_received(const struct status *st, const struct source_status *of);
/* Packets that the filter accepted, but that were neither lost nor captured: they were overwritten
 * before the trigger, or the capture ended before they were read. */
uint64_t figures_not_kept(const struct status *st);
