/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/clock.h"
#include "util/harmless.h"
#include "util/shared.h"
#include "xdpdump/files/trial.h"
#include "xdpdump/os/complain.h"
#include "report.h"
#include "watchers.h"

#define INTERVAL_NS ((uint64_t)10 * NS_PER_SEC) /* unless --stats-interval says so */
/* A sleeping reader looks at its rings once a second, and a busy machine is no reason to end a
 * capture. */
#define FRESH_NS    ((uint64_t)2 * NS_PER_SEC)
#define STATUS_SIZE 512

void watchers_open(struct watchers *w, const struct options *o)
{
	*w = (struct watchers){.notify = {.fd = -1}, .stats = -1, .due = UINT64_MAX};
	w->beat_due = UINT64_MAX;
	w->interval = o->stats_interval ? o->stats_interval : INTERVAL_NS;
	w->metrics.file = o->metrics;
	w->stats_name = o->stats_file;
	if (!o->trial)
		notify_open(&w->notify);
}

static int explain(const char *option, const char *file, int e)
{
	if (e == -EEXIST)
		complain("%s %s: it is not a regular file, and is not replaced", option, file);
	else if (e)
		complain("%s %s: %s", option, file, shared_why(file, e));
	return e;
}

/* Write the whole line, or cut the file back to before it: a partial line would spoil the next one,
 * too. write() returns less than asked if there is no room; only another write() returns the
 * reason. */
static int write_line(int fd, const char *line, size_t length)
{
	struct stat before;
	bool is_file = fstat(fd, &before) == 0 && S_ISREG(before.st_mode);
	size_t done = 0;
	int e = 0;

	while (!e && done < length) {
		ssize_t n = write(fd, line + done, length - done);

		if (n > 0)
			done += (size_t)n;
		else
			e = n ? -errno : -EIO;
	}
	if (e && done && is_file && ftruncate(fd, before.st_size))
		e = -errno;
	return e;
}

/* Add the whole line, or nothing. */
static int stats_file_add(int fd, const struct status *st, bool final)
{
	size_t length;
	char *line;
	FILE *to = open_memstream(&line, &length);
	int e;

	if (!to)
		return -ENOMEM;
	report_json(to, st, final);
	/* fclose() may return 0 even if memory ran out. */
	e = fclose(to) || !line ? -ENOMEM : write_line(fd, line, length);
	free(line);
	return e;
}

static int open_stats(struct watchers *w)
{
	w->stats = shared_open(w->stats_name,
			       O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK | O_NOCTTY | O_CLOEXEC,
			       0666);
	return w->stats < 0 ? w->stats : 0;
}

int watchers_open_files(struct watchers *w, const struct options *o)
{
	int e = w->metrics.file ? explain("--metrics", w->metrics.file, metrics_try(&w->metrics))
				: 0;

	if (e || !w->stats_name)
		return e;
	if (o->trial)
		return file_try_list(w->stats_name);
	return explain("--stats-file", w->stats_name, open_stats(w));
}

void watchers_close(struct watchers *w)
{
	notify_close(&w->notify);
	if (w->stats >= 0)
		close(w->stats);
	w->stats = -1;
}

static double units(uint64_t bytes)
{
	return (double)bytes / (bytes >> 30 ? 1u << 30 : 1u << 20);
}

static const char *unit(uint64_t bytes)
{
	return bytes >> 30 ? "GiB" : "MiB";
}

static void send_status(struct watchers *w, const struct status *st, uint64_t now)
{
	double seconds = (double)(now - w->told) / NS_PER_SEC;
	double rate = seconds > 0 ? (double)(st->all.captured - w->captured) / seconds : 0;
	char text[STATUS_SIZE];
	int n;

	if (w->notify.fd < 0)
		return;
	n = snprintf(text, sizeof(text),
		     "STATUS=%" PRIu64 " packets captured, %.0f/s, %" PRIu64
		     " dropped by kernel, %.1f %s written",
		     st->all.captured, w->told ? rate : 0, afxdp_stats_lost(&st->all.stats),
		     units(st->bytes), unit(st->bytes));

	if (st->file)
		snprintf(text + n, sizeof(text) - (size_t)n, ", %.1f %s left, in %.300s",
			 units(st->disk_left), unit(st->disk_left), st->file);
	harmless(text); /* makes it one line: systemd would read a second one as another variable */
	notify_send(&w->notify, text);
	w->captured = st->all.captured;
	w->told = now;
}

/* Warn once: a capture does not end because its reports cannot be written. */
static void warn(const char *option, const char *file, int e, bool *said)
{
	if (e && !*said)
		complain("warning: %s %s: %s: the capture goes on", option, file, strerror(-e));
	*said |= e != 0;
}

static void write_metrics(struct watchers *w, const struct status *st, bool ends)
{
	if (w->metrics.file)
		warn("--metrics", w->metrics.file, metrics_write(&w->metrics, st, ends),
		     &w->said_metrics);
}

static void add_stats(struct watchers *w, const struct status *st, bool final)
{
	if (w->stats >= 0)
		warn("--stats-file", w->stats_name, stats_file_add(w->stats, st, final),
		     &w->said_stats);
}

void watchers_begin(struct watchers *w, const struct status *st)
{
	uint64_t now = clock_monotonic();

	w->begun = true;
	w->metrics.begun = st->time;
	write_metrics(w, st, false);
	notify_ready(&w->notify);
	send_status(w, st, now);
	if (w->notify.fd >= 0 || w->metrics.file || w->stats >= 0)
		w->due = now + w->interval;
	if (w->notify.watchdog)
		w->beat_due = now;
}

uint64_t watchers_due(const struct watchers *w)
{
	return w->due < w->beat_due ? w->due : w->beat_due;
}

void watchers_tell(struct watchers *w, const struct status *st, uint64_t now)
{
	w->due += w->interval;
	if (w->due <= now)
		w->due = now + w->interval;
	write_metrics(w, st, false);
	add_stats(w, st, false);
	send_status(w, st, now);
}

/* If the capture makes no progress, look again soon. */
void watchers_beat(struct watchers *w, uint64_t advanced, uint64_t now)
{
	if (now < w->beat_due)
		return;
	if (now > advanced + FRESH_NS) {
		w->beat_due = now + NS_PER_SEC / 2;
		return;
	}
	notify_send(&w->notify, "WATCHDOG=1");
	w->beat_due = now + w->notify.watchdog / 2;
}

void watchers_stop(struct watchers *w)
{
	if (!w->stops && w->begun)
		notify_send(&w->notify, "STOPPING=1");
	w->stops = true;
}

void watchers_end(struct watchers *w, const struct status *st)
{
	watchers_stop(w);
	if (!w->begun)
		return;
	write_metrics(w, st, true);
	add_stats(w, st, true);
	send_status(w, st, clock_monotonic());
	w->due = w->beat_due = UINT64_MAX;
}
