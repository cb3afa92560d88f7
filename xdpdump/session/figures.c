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

/* What is not the same for all interfaces together as the sum of theirs. */
struct counted {
	uint64_t captured, received, sent_received, lost_full, lost_socket;
};

static void fill(uint64_t to[FIGURES], const struct afxdp_stats *s, const struct counted *n)
{
#define FIGURE(name, value, help) to[FIGURE_##name] = value;
#define TOTAL(name, value, type, help)
#include "figures.def"
}

/* accepted: by the library's counters, with what nobody will read, or not before the trigger. */
static uint64_t received(const struct status *st, uint64_t decided, uint64_t accepted)
{
	return (st->ended || st->waits) && accepted > decided ? accepted : decided;
}

uint64_t figures_received(const struct status *st)
{
	return received(st,
			st->captured + afxdp_stats_lost(&st->stats) + st->stats.overwritten +
				st->before_trigger,
			afxdp_stats_accepted(&st->stats));
}

uint64_t figures_source_received(const struct status *st, unsigned which)
{
	const struct source_status *s = &st->source[which];

	return received(st, s->captured + afxdp_stats_lost(&s->stats) + s->stats.overwritten,
			afxdp_stats_accepted(&s->stats));
}

static uint64_t sent_received(const struct status *st, uint64_t captured,
			      const struct afxdp_stats *s)
{
	return received(st, captured + s->side_lost[AFXDP_SENT],
			afxdp_stats_side_accepted(s, AFXDP_SENT));
}

uint64_t figures_sent_received(const struct status *st)
{
	uint64_t captured = 0;

	for (unsigned i = 0; i < st->sources; i++)
		captured += st->source[i].captured_sent;
	return sent_received(st, captured, &st->stats);
}

void figures_of_all(const struct status *st, uint64_t value[FIGURES])
{
	struct counted n = {.captured = st->captured,
			    .received = figures_received(st),
			    .sent_received = figures_sent_received(st),
			    .lost_full = figures_lost_full(st),
			    .lost_socket = figures_lost_socket(st)};

	fill(value, &st->stats, &n);
}

void figures_of_source(const struct status *st, unsigned which, uint64_t value[FIGURES])
{
	const struct source_status *s = &st->source[which];
	struct counted n = {.captured = s->captured,
			    .received = figures_source_received(st, which),
			    .sent_received = sent_received(st, s->captured_sent, &s->stats),
			    .lost_full = s->stats.lost_full,
			    .lost_socket = s->stats.lost_socket};

	fill(value, &s->stats, &n);
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

uint64_t figures_lost_full(const struct status *st)
{
	return less(st->stats.lost_full, st->no_room);
}

uint64_t figures_lost_socket(const struct status *st)
{
	return less(st->stats.lost_socket, less(st->no_room, st->stats.lost_full));
}

uint64_t figures_not_kept(const struct status *st)
{
	return less(afxdp_stats_accepted(&st->stats), st->captured + afxdp_stats_lost(&st->stats));
}

void figures_collect(struct status *st, const struct sources *all, const struct options *o)
{
	st->stats = (struct afxdp_stats){0};
	st->several = (o->source.interface_count > 1 || o->drops) && all->count > 1;
	st->sources = all->count;
	for (unsigned i = 0; i < all->count; i++) {
		struct source_status *at = &st->source[i];

		at->source = &all->source[i];
		source_stats(at->source, &at->stats);
		stats_add(&st->stats, &at->stats);
	}
}
