/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "find/progress.h"
#include "util/clock.h"
#include "util/command/say.h"

#define EVERY_NS    (200 * NS_PER_MS)
#define EVERY_CALLS 4096

void progress_init(struct progress *p, bool is_quiet)
{
	*p = (struct progress){.is_live = !is_quiet && isatty(STDERR_FILENO)};
}

static double megabytes(uint64_t n)
{
	return (double)n / 1e6;
}

void progress_show(struct progress *p)
{
	uint64_t now;

	if (!p->is_live || ++p->calls % EVERY_CALLS)
		return;
	now = clock_coarse();
	if (now - p->shown < (uint64_t)EVERY_NS)
		return;
	p->shown = now;
	p->is_there = true;
	fprintf(stderr,
		"\r%" PRIu64 " of %" PRIu64 " files, %.0f of %.0f MB, %" PRIu64 " packets\033[K",
		p->files, p->files_all, megabytes(p->read), megabytes(p->all), p->packets);
}

void progress_clear(struct progress *p)
{
	if (p->is_there)
		fputs("\r\033[K", stderr);
	p->is_there = false;
}

void progress_sum(struct progress *p)
{
	note("%" PRIu64 " packets; read %" PRIu64 " of %" PRIu64 " files, %.1f of %.1f MB",
	     p->packets, p->files, p->files_all, megabytes(p->read), megabytes(p->all));
}
