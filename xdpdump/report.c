/* SPDX-License-Identifier: BSD-3-Clause */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "capture.h"
#include "clock.h"
#include "report.h"

static bool line_is_dirty; /* the live line stands on the terminal */

static void clear_line(void)
{
	if (line_is_dirty)
		fputs("\r\033[K", stderr);
	line_is_dirty = false;
}

void complain(const char *format, ...)
{
	va_list args;

	clear_line();
	fputs("xdpdump: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
}

void progress_begin(struct progress *p)
{
	*p = (struct progress){.on = isatty(STDERR_FILENO), .due = clock_monotonic() + NS_PER_SEC};
}

bool progress_is_due(const struct progress *p)
{
	return p->on && clock_monotonic() >= p->due;
}

int progress_due_in(const struct progress *p)
{
	uint64_t now = clock_monotonic();

	if (!p->on)
		return -1;
	return now >= p->due ? 0 : (int)((p->due - now) / NS_PER_MS) + 1;
}

/* Seconds since the line was last shown: a write that blocked makes it more than one. */
static double seconds_since_shown(const struct progress *p, uint64_t now)
{
	return 1 + (double)(now - p->due) / NS_PER_SEC;
}

void progress_show(struct progress *p, uint64_t packets, uint64_t bytes,
		   const struct capture_stats *s)
{
	uint64_t now = clock_monotonic();
	double rate = (double)(packets - p->packets) / seconds_since_shown(p, now);

	fprintf(stderr,
		"\r%" PRIu64 " packets captured, %.0f/s, %" PRIu64
		" dropped, %.1f MiB written\033[K",
		packets, rate, capture_stats_lost(s) + s->nic_dropped, (double)bytes / (1 << 20));
	line_is_dirty = true;
	p->packets = packets;
	p->due = now + NS_PER_SEC;
}

void progress_end(struct progress *p)
{
	clear_line();
	p->on = false;
}

uint64_t stats_received(const struct capture_stats *s)
{
	return s->matched + s->lost_reentry + s->lost_no_ring - s->refused;
}

static void row(uint64_t n, const char *what, bool always)
{
	if (n || always)
		fprintf(stderr, "%" PRIu64 " %s\n", n, what);
}

void report_statistics(const struct capture_stats *s, uint64_t captured, bool verbose)
{
	uint64_t lost = capture_stats_lost(s), received = stats_received(s);
	uint64_t left = received > captured + lost ? received - captured - lost : 0;

	clear_line();
	fputc('\n', stderr);
	row(captured, "packets captured", true);
	row(received, "packets received by filter", true);
	row(lost, "packets dropped by kernel", true);
	row(s->lost_full, "  of these: ring full (--ring gives a larger one)", verbose);
	row(s->lost_copy, "  of these: could not be copied", verbose);
	row(s->lost_reentry, "  of these: came while the ring was being written", verbose);
	row(s->lost_no_ring, "  of these: came on a CPU that was offline at the start", verbose);
	row(s->nic_dropped, "packets dropped by interface", verbose);
	row(s->truncated, "packets cut to the most that XDP can copy", verbose);
	row(left, "packets not kept: the capture ended before they were written", verbose);
	if (verbose) {
		row(s->offered, "packets seen by the XDP program", true);
		row(s->refused, "packets rejected by the filter in user space", true);
		row(s->bells, "wake-ups", true);
	}
}
