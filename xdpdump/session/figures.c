/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */

#include "xdpdump/plan/plan.h"
#include "figures.h"
#include "util/clock.h"
#include "util/less.h"
#include "xdpdump/source/sources.h"

const struct figure figures[FIGURES] = {
#define FIGURE(name, value, help) {#name, help, false},
#define TOTAL(name, value, type, help)
#include "figures.def"
};

#define counter false
#define gauge	true
const struct figure totals[TOTALS] = {
#define FIGURE(name, value, help)
#define TOTAL(name, value, type, help) {#name, help, type},
#include "figures.def"
};

const struct trouble_name troubles[PUT_TROUBLES_END] = {
#define PUT_TROUBLE(name, label, words) [PUT_##name] = {label, words},
	PUT_TROUBLES(PUT_TROUBLE)
#undef PUT_TROUBLE
};

/* accepted: from the library's counters, including packets that will not be read, or not before the
 * trigger. */
static uint64_t received(const struct status *st, uint64_t decided, uint64_t accepted)
{
	return (st->ended || st->waits) && accepted > decided ? accepted : decided;
}

uint64_t figures_received(const struct status *st, const struct source_status *of)
{
	return received(st,
			of->captured + afxdp_stats_lost(&of->stats) + of->stats.overwritten +
				of->before_trigger,
			afxdp_stats_accepted(&of->stats));
}

uint64_t figures_sent_received(const struct status *st, const struct source_status *of)
{
	return received(st, of->captured_sent + of->stats.side_lost[AFXDP_SENT],
			afxdp_stats_side_accepted(&of->stats, AFXDP_SENT));
}

void figures_of(const struct status *st, const struct source_status *of, uint64_t to[FIGURES])
{
	const struct afxdp_stats *s = &of->stats;

#define FIGURE(name, value, help) to[FIGURE_##name] = value;
#define TOTAL(name, value, type, help)
#include "figures.def"
}

void figures_of_capture(const struct status *st, uint64_t to[TOTALS])
{
#define FIGURE(name, value, help)
#define TOTAL(name, value, type, help) to[TOTAL_##name] = value;
#include "figures.def"
}

void figures_add_of_readers(struct afxdp_stats *sum, const struct afxdp_stats *one)
{
	sum->refused += one->refused;
	sum->refused_truncated += one->refused_truncated;
	for (enum afxdp_side side = 0; side < AFXDP_SIDES; side++)
		sum->side_refused[side] += one->side_refused[side];
	sum->unstamped += one->unstamped;
}

uint64_t figures_lost_full(const struct source_status *of)
{
	return less(of->stats.lost_full, of->no_room);
}

uint64_t figures_lost_socket(const struct source_status *of)
{
	return less(of->stats.lost_socket, less(of->no_room, of->stats.lost_full));
}

uint64_t figures_not_kept(const struct status *st)
{
	return less(afxdp_stats_accepted(&st->all.stats),
		    st->all.captured + afxdp_stats_lost(&st->all.stats));
}

void figures_collect(struct status *st, const struct sources *all, const struct options *o)
{
	st->several = (o->source.interface_count > 1 || o->drops) && all->count > 1;
	st->sources = all->count;
	for (unsigned i = 0; i < all->count; i++) {
		struct source_status *at = &st->source[i];

		at->source = &all->source[i];
		source_stats(at->source, &at->stats);
		stats_add(&st->all.stats, &at->stats);
	}
}
