/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "exports.h"
#include "starter.h"
#include "util/clock.h"
#include "util/unique.h"
#include "xdpdump/plan/plan.h"
#include "xdpdump/os/complain.h"
#include "xdpdump/os/signals.h"

#define PROGRAM	  "pcapng-kafka"
#define FILES	  PROGRAM "-" /* the names of spool files begin with this */
#define MOMENT_MS 10
#define QUIET_NS  (NS_PER_SEC) /* a shorter wait is not worth a message */
#define PUSH_NS	  (10 * NS_PER_SEC)
#define REAP_NS	  (NS_PER_SEC)
#define HUNG_NS	  (45 * NS_PER_SEC) /* longer than pcapng-kafka waits for an answer */

static void close_control(struct exports *xs)
{
	if (xs->control >= 0)
		close(xs->control);
	xs->control = -1;
}

static int start(struct exports *xs, const struct feed_plan *p)
{
	struct starter s = {.plan = p, .program = xs->line.program};

	unique_name(s.session);
	xs->control = child_start(&xs->starter, SOCK_SEQPACKET, p->user, starter_run, &s);
	return xs->control < 0 ? xs->control : 0;
}

int exports_open(struct exports *xs, const struct feed_plan *p)
{
	int e;

	*xs = (struct exports){.control = -1};
	if (!p->to)
		return 0;
	e = command_line_parse(&xs->line, "--to", PROGRAM);
	if (e || p->trial)
		return e;
	e = start(xs, p);
	return e ? refuse(e, "--to: %s", strerror(-e)) : 0;
}

static int wait_until_ready(struct export *x)
{
	int e;

	while ((e = export_is_ready(x)) == -EAGAIN) {
		if (signals_stop)
			return -EINTR;
		clock_sleep(MOMENT_MS);
	}
	return e ? e : export_attend(x);
}

static int open_stream(struct exports *xs, const struct feed_plan *p, unsigned of)
{
	unsigned stream = xs->count++;
	int e = export_open(&xs->stream[stream], p->to, xs->control, stream, of);

	return e ? refuse(e, "--to: %s", strerror(-e)) : 0;
}

/* The first stream begins alone, so that an error is reported only once. */
static int open_all(struct exports *xs, const struct feed_plan *p, unsigned n)
{
	unsigned of = p->by_rings ? n : 0;
	int e = open_stream(xs, p, of);

	if (!e)
		e = wait_until_ready(&xs->stream[0]);
	while (!e && xs->count < n)
		e = open_stream(xs, p, of);
	for (unsigned i = 1; i < n && !e; i++)
		e = wait_until_ready(&xs->stream[i]);
	return e;
}

static bool has_files(const char *folder)
{
	DIR *all = opendir(folder);
	const struct dirent *d;
	bool found = false;

	while (all && !found && (d = readdir(all)))
		found = strncmp(d->d_name, FILES, strlen(FILES)) == 0;
	if (all)
		closedir(all);
	return found;
}

static void warn(const char *folder, const char *place)
{
	if (has_files(folder))
		complain("warning: %s has packets of an earlier capture, which this one does not send: pcapng-kafka put --spool %s:SIZE %s < /dev/null",
			 folder, folder, place);
}

static bool is_number(const char *name)
{
	return name[0] && !name[strspn(name, "0123456789")];
}

/* Warn of packets that an earlier capture left in the spool, and that this one does not send. */
static void warn_of_spool(const char *spool, unsigned streams, const char *place)
{
	const char *colon = strrchr(spool, ':');
	char folder[PATH_MAX], inner[PATH_MAX + NAME_MAX + 2];
	const struct dirent *d;
	DIR *all;

	if (!colon || (size_t)(colon - spool) >= sizeof(folder))
		return;
	snprintf(folder, sizeof(folder), "%.*s", (int)(colon - spool), spool);
	if (streams)
		warn(folder, place);
	all = opendir(folder);
	while (all && (d = readdir(all))) {
		if (!is_number(d->d_name) || strtoul(d->d_name, NULL, 10) < streams)
			continue;
		snprintf(inner, sizeof(inner), "%s/%s", folder, d->d_name);
		warn(inner, place);
	}
	if (all)
		closedir(all);
}

int exports_begin(struct exports *xs, const struct feed_plan *p, unsigned n)
{
	int e;

	if (n > EXPORTS_MAX)
		return refuse(-E2BIG,
			      "--to and --files-per-queue: %u rings are too many, because each has a " PROGRAM
			      " of its own: leave out --files-per-queue, or take %d rings at most (ethtool -L sets the queues)",
			      n, EXPORTS_MAX);
	xs->stream = calloc(n, sizeof(*xs->stream));
	if (!xs->stream)
		return complain_memory();
	if (p->spool)
		warn_of_spool(p->spool, p->by_rings ? n : 0, p->to);
	e = open_all(xs, p, n);
	close_control(xs);
	return e;
}

void exports_status(const struct exports *xs, struct export_status *sum)
{
	struct export_status one;

	*sum = (struct export_status){.place = NULL};
	for (unsigned i = 0; i < xs->count; i++) {
		export_status(&xs->stream[i], &one);
		export_add(sum, &one);
	}
}

static void tell_waiting(struct exports *xs)
{
	struct export_status st;

	if (xs->waits_told)
		return;
	xs->waits_told = true;
	exports_status(xs, &st);
	complain("the capture has ended, waiting for %" PRIu64
		 " packets under way to %s; a second signal ends at once",
		 st.left, st.place);
}

static bool one_waits(const struct exports *xs)
{
	for (unsigned i = 0; i < xs->count; i++)
		if (export_waits(&xs->stream[i]))
			return true;
	return false;
}

/* Send all that waits, as long as somebody takes it. */
static void push_all(struct exports *xs)
{
	uint64_t until = clock_monotonic() + PUSH_NS;

	for (unsigned i = 0; i < xs->count; i++)
		feed_finish(xs->stream[i].feed);
	while (signals_stop < 2 && clock_monotonic() < until && one_waits(xs)) {
		clock_sleep(MOMENT_MS);
		for (unsigned i = 0; i < xs->count; i++)
			export_attend(&xs->stream[i]);
	}
}

static bool all_ended(struct exports *xs)
{
	bool all = true;

	for (unsigned i = 0; i < xs->count; i++)
		all &= export_has_ended(&xs->stream[i]);
	return all;
}

static uint64_t done(const struct exports *xs)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < xs->count; i++)
		sum += export_done(&xs->stream[i]);
	return sum;
}

/* Wait until all exporters have ended by themselves, or one hangs. Returns whether all ended. */
static bool wait_for_all(struct exports *xs)
{
	uint64_t begun = clock_monotonic(), moved = begun, now = begun, before = done(xs);
	bool ended;

	while (!(ended = all_ended(xs)) && signals_stop < 2 && now - moved < (uint64_t)HUNG_NS) {
		if (now - begun > (uint64_t)QUIET_NS)
			tell_waiting(xs);
		clock_sleep(MOMENT_MS);
		now = clock_monotonic();
		if (done(xs) != before)
			moved = now;
		before = done(xs);
	}
	if (!ended && signals_stop < 2)
		complain(PROGRAM " does not end: it is left running");
	return ended;
}

/* The starter ends after the last exporter. */
static void reap(struct exports *xs)
{
	uint64_t until = clock_monotonic() + REAP_NS;

	while (waitpid(xs->starter, NULL, WNOHANG) == 0 && clock_monotonic() < until)
		clock_sleep(MOMENT_MS);
}

void exports_end(struct exports *xs)
{
	if (!xs->count)
		return;
	push_all(xs);
	for (unsigned i = 0; i < xs->count; i++)
		export_let_end(&xs->stream[i]);
	if (wait_for_all(xs))
		reap(xs);
}

void exports_close(struct exports *xs)
{
	for (unsigned i = 0; i < xs->count; i++)
		export_close(&xs->stream[i]);
	free(xs->stream);
	close_control(xs);
	command_line_clear(&xs->line);
	*xs = (struct exports){.control = -1};
}
