/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/clock.h"
#include "util/harmless.h"
#include "util/less.h"
#include "xdpdump/plan/plan.h"
#include "xdpdump/os/complain.h"
#include "figures.h"
#include "report.h"
#include "xdpdump/output/drop_table.h"
#include "xdpdump/source/source.h"

void progress_begin(struct progress *p)
{
	const char *terminal = getenv("TERM");
	bool dumb = terminal && strcmp(terminal, "dumb") == 0; /* it cannot go back in a line */

	if (isatty(STDERR_FILENO) && !dumb)
		p->due = clock_monotonic() + NS_PER_SEC;
}

/* Seconds since the line was last shown: more than 1 if a write has blocked. */
static double seconds_since_shown(const struct progress *p, uint64_t now)
{
	return 1 + (double)(now - p->due) / NS_PER_SEC;
}

static void print_size(uint64_t bytes)
{
	if (bytes >> 30)
		fprintf(stderr, "%.1f GiB", (double)bytes / (1u << 30));
	else
		fprintf(stderr, "%.1f MiB", (double)bytes / (1u << 20));
}

static void print_part(uint64_t n, const char *what)
{
	if (n)
		fprintf(stderr, ", %" PRIu64 " %s", n, what);
}

static void print_held(const struct status *st)
{
	fprintf(stderr, ", waits for the trigger with %" PRIu64 " packets, ", st->held);
	print_size(st->held_bytes);
}

static void print_feeds(const struct feeds_status *f)
{
	if (f->listens)
		fprintf(stderr, ", %" PRIu64 " reader%s", f->clients, f->clients == 1 ? "" : "s");
	print_part(f->client_lost, "not read: reader too slow");
	print_part(f->listen_lost, "not served: --listen behind");
	if (!f->export.place)
		return;
	fprintf(stderr, ", %" PRIu64 " acknowledged", f->export.acknowledged);
	print_part(f->export.spooled, "spooled");
	print_part(less(f->export.left, f->export.lost), "under way");
	print_part(f->export.lost, "lost on the way to Kafka");
	if (f->export.trouble)
		fprintf(stderr, " (%s)", troubles[f->export.trouble].words);
}

/* Print what a line about a running capture says after its rate. */
static void print_line(const struct status *st)
{
	const struct source_status *all = &st->all;
	const struct afxdp_stats *s = &all->stats;

	if (st->waits)
		print_held(st);
	print_part(figures_lost_full(all), "dropped: ring full");
	print_part(all->no_room, "dropped: no room for files");
	print_part(s->lost_copy, "dropped: not copied");
	print_part(s->lost_reentry + s->lost_nested + s->lost_no_ring, "dropped: no ring");
	print_part(figures_lost_socket(all) + s->lost_redirect, "dropped: no buffer");
	print_part(s->no_socket, "passed on: queue not diverted, or no room in front");
	print_part(s->passed_watchdog, "passed on: nobody read");
	print_part(s->nic_dropped, "dropped by interface");
	print_feeds(&st->feeds);
	fputs(", ", stderr);
	print_size(st->bytes);
	if (!st->file)
		return;
	harmless_print(stderr, " in %s, ", st->file);
	print_size(st->disk_left);
	fputs(" left", stderr);
}

void progress_show(struct progress *p, const struct status *st)
{
	uint64_t now = clock_monotonic();
	double rate = (double)(st->all.captured - p->packets) / seconds_since_shown(p, now);

	/* Switch line wrap off: a long name would make two lines of one. */
	fprintf(stderr, "\r\033[?7l%" PRIu64 " packets captured, %.0f/s", st->all.captured, rate);
	print_line(st);
	fputs("\033[K\033[?7h", stderr);
	live_line_stands();
	p->packets = st->all.captured;
	p->due = now + NS_PER_SEC;
}

void progress_end(struct progress *p)
{
	live_line_clear();
	p->due = UINT64_MAX;
}

static void row(uint64_t n, const char *what, bool always)
{
	if (n || always)
		fprintf(stderr, "%" PRIu64 " %s\n", n, what);
}

void report_status(const struct status *st, bool json)
{
	live_line_clear();
	if (json) {
		report_json(stderr, st, false);
		return;
	}
	fprintf(stderr, "%" PRIu64 " packets captured, %" PRIu64 " received by filter",
		st->all.captured, figures_received(st, &st->all));
	print_line(st);
	fputc('\n', stderr);
}

/* Print a line for each interface, if there are several. */
static void report_sources(const struct status *st)
{
	for (unsigned i = 0; st->several && i < st->sources; i++) {
		const struct source_status *at = &st->source[i];
		const struct afxdp_stats *s = &at->stats;
		char name[SOURCE_NAME_SIZE];

		source_name(at->source, name, sizeof(name));
		harmless_print(stderr,
			       "%s: %" PRIu64 " packets captured, %" PRIu64
			       " received by filter, %" PRIu64 " dropped by kernel",
			       name, at->captured, figures_received(st, at), afxdp_stats_lost(s));
		print_part(s->nic_dropped, "dropped by interface");
		fputs(at->source->lost ? ", until it was gone\n" : "\n", stderr);
	}
}

/* Print a line for each ring; unless verbose, only for rings that lost packets. */
static void report_streams(const struct status *st, bool verbose)
{
	for (unsigned i = 0; i < st->streams; i++) {
		const struct stream_status *at = &st->stream[i];

		if (!verbose && !at->to.left)
			continue;
		harmless_print(stderr,
			       "stream %u, of %s, %s %u: %" PRIu64 " packets, %" PRIu64
			       " acknowledged by Kafka, %" PRIu64 " in the spool, %" PRIu64
			       " lost\n",
			       i, source_interface(at->source), at->cpu < 0 ? "queue" : "CPU",
			       at->number, at->to.packets, at->to.acknowledged, at->to.spooled,
			       at->to.left);
	}
}

/* If drops are captured: why the packets were dropped. */
static void report_drops(const struct drop_table *reasons)
{
	for (unsigned i = 0; reasons && i < reasons->count; i++)
		fprintf(stderr, "%" PRIu64 " packets captured that the host's stack dropped: %s\n",
			reasons->row[i].packets, reasons->row[i].reason);
}

/* has_all: as many packets as were asked for were captured. Then nobody misses the ones after
 * them. */
static void report_table(const struct status *st, bool has_all, bool verbose)
{
	const struct afxdp_stats *s = &st->all.stats;
	uint64_t kept_not = less(figures_not_kept(st), s->overwritten);
	uint64_t before = st->all.before_trigger < kept_not ? st->all.before_trigger : kept_not;

	fputc('\n', stderr);
	if (st->slow_filter)
		harmless_print(stderr, "the filter ran %s\n", st->slow_filter);
#define ALWAYS			true
#define VERBOSE			verbose
#define IF_ANY			false
#define ROW(when, value, words) row(value, words, when);
#define WHEN(condition)		if (condition) {
#define END			}
#define PART(call)		call;
#include "report.def"
}

void report_end(const struct status *st, const struct options *o)
{
	bool has_all = o->stop.packets && st->all.captured >= o->stop.packets;

	live_line_clear();
	if (o->json)
		report_json(stderr, st, true);
	else
		report_table(st, has_all, o->verbose);
}
