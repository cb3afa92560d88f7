/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "util/clock.h"
#include "xdpdump/os/signals.h"
#include "figures.h"
#include "labels.h"
#include "reader_file.h"
#include "supervisor.h"
#include "workers.h"

#define NUDGE_MS 100 /* after the second signal, interrupt threads that still write this often */

int supervisor_begin(struct supervisor *s)
{
	const struct options *o = s->options;
	uint64_t now = clock_monotonic();
	int e = 0;

	s->end_time = o->stop.duration ? now + o->stop.duration : UINT64_MAX;
	/* With --stats-file the reports go there, so none are printed. */
	s->report_time = o->stats_interval && !o->stats_file ? now + o->stats_interval : UINT64_MAX;
	s->progress.due = UINT64_MAX;
	for (unsigned i = 0; i < s->count && !e; i++)
		e = reader_open(&s->worker[i].reader);
	s->begun = !e;
	return e;
}

/* --- The state of the capture. --- */

static void fill_streams(struct supervisor *s, struct status *st)
{
	if (s->worker->reader.alone || !s->stream) {
		if (options_feed(s->options))
			feeds_status(&s->feeds, &st->feeds);
		return;
	}
	st->streams = s->count;
	st->stream = s->stream;
	for (unsigned i = 0; i < s->count; i++) {
		struct feeds_status one;

		feeds_status(&s->worker[i].feeds, &one);
		s->stream[i].to = one.export;
		export_add(&st->feeds.export, &one.export);
	}
}

/* Fill *st, except for what workers have captured. */
static void fill(struct supervisor *s, struct status *st)
{
	*st = (struct status){.time = clock_wall()};
	st->who = labels_counts(s->labels);
	labels_left_out(s->labels, &st->left_out);
	st->slow_filter = sources_slow_filter(&s->sources);
	figures_collect(st, &s->sources, s->options);
	if (s->worker->reader.alone)
		return;
	st->file = s->options->files.write;
	if (st->file)
		st->disk_left = files_disk_left(st->file);
}

/* run: threads are running, so take the numbers that they reported last; those of a thread that has
 * ended are taken from its reader. */
static void add_workers(struct supervisor *s, struct status *st, bool run)
{
	for (unsigned i = 0; i < s->count; i++) {
		struct worker *w = &s->worker[i];
		bool runs = run && !w->finished;
		struct afxdp_stats own;

		reader_add(&w->reader, st, w->from, runs);
		if (w->reader.alone || runs)
			continue;
		source_stats(&w->source, &own);
		figures_add_of_readers(&st->all.stats, &own);
		figures_add_of_readers(&st->source[w->from].stats, &own);
	}
}

static const struct status *fill_live(struct supervisor *s)
{
	struct status *st = &s->live;

	fill(s, st);
	fill_streams(s, st);
	add_workers(s, st, true);
	return st;
}

/* Is a report due, or was one asked for by SIGUSR1? After a long delay the interval begins anew. */
static bool report_is_due(struct supervisor *s, uint64_t now)
{
	uint64_t interval = s->options->stats_interval;
	bool due = signals_report;

	if (due)
		signals_report = 0;
	if (now < s->report_time)
		return due;
	s->report_time += interval;
	if (s->report_time <= now)
		s->report_time = now + interval;
	return true;
}

static void report_if_due(struct supervisor *s, uint64_t now)
{
	if (report_is_due(s, now))
		report_status(fill_live(s), s->options->json);
	if (watchers_are_due(&s->watchers, now))
		watchers_tell(&s->watchers, fill_live(s), now);
	if (clock_monotonic() >= s->progress.due)
		progress_show(&s->progress, fill_live(s));
}

/* When the worker that is furthest behind last made progress. */
static uint64_t advanced(const struct supervisor *s)
{
	uint64_t first = UINT64_MAX;

	for (unsigned i = 0; i < s->count; i++) {
		struct worker *w = &s->worker[i];
		uint64_t time = atomic_load(&w->reader.advanced);

		if (!atomic_load(&w->ended) && time < first)
			first = time;
	}
	return first;
}

/* --- What users and clocks ask for. --- */

void supervisor_stop(struct supervisor *s)
{
	if (s->ends)
		return;
	s->ends = true;
	watchers_stop(&s->watchers);
	sources_stop(&s->sources);
	for (unsigned i = 0; i < s->sources.count; i++)
		atomic_store(&s->stopped[i], true);
	workers_wake(s);
}

static void lose_source(struct supervisor *s, const struct source *from, int e)
{
	bool ends = sources_lose(&s->sources, from, e, s->options->stop_when_gone);
	struct afxdp_stats stats;

	for (unsigned i = 0; i < s->sources.count && !s->worker->reader.alone; i++) {
		if (!s->source[i].lost)
			continue;
		source_stats(&s->source[i], &stats); /* updates its first ring's counters */
		atomic_store(&s->stopped[i], true);
	}
	if (ends) { /* what was captured is still written */
		s->e = e;
		supervisor_stop(s);
	}
	workers_wake(s);
}

void supervisor_attend(struct supervisor *s, uint64_t now)
{
	if (signals_stop || now >= s->end_time)
		supervisor_stop(s);
	if (s->reloads != signals_rotate) {
		s->reloads = signals_rotate;
		sources_reload(&s->sources);
	}
	if (!s->begun) /* the files are still being opened, and a pipe has no room yet */
		return;
	report_if_due(s, now);
	if (watchers_want_beats(&s->watchers))
		watchers_beat(&s->watchers, advanced(s), now);
}

/* --- Sources that are lost, and the sleep. --- */

/* End a worker's file. This starts its command: all commands start before the first is waited
 * for. */
static void finish(struct worker *w)
{
	if (w->finished)
		return;
	w->finished = true;
	w->reader.sources->stopped = true;
	sources_tell_change(&w->sources, &w->source);
	reader_finish(&w->reader);
}

/* Was everything of this source read, or does nothing more come? What the rings keep until the
 * trigger comes still has to be read. */
static bool is_read(struct supervisor *s, unsigned source)
{
	if (s->worker->reader.alone)
		return !s->worker->reader.trigger.waits &&
		       sources_may_release(&s->source[source], clock_monotonic());
	for (unsigned i = 0; i < s->count; i++)
		if (s->worker[i].from == source && !worker_has_ended(&s->worker[i]))
			return false;
	return true;
}

/* Write the source's statistics to the file, which goes on; or end the files of its rings. */
static int end_source(struct supervisor *s, unsigned source)
{
	if (s->worker->reader.alone)
		return reader_end_source(&s->worker->reader, source);
	for (unsigned i = 0; i < s->count; i++) {
		struct worker *w = &s->worker[i];

		if (w->from != source)
			continue;
		worker_join(w);
		finish(w);
		source_release_reader(&w->source);
	}
	return 0;
}

static int release_lost(struct supervisor *s)
{
	int e = 0;

	for (unsigned i = 0; i < s->sources.count && !e; i++) {
		if (!s->source[i].lost || !s->source[i].reader || !is_read(s, i))
			continue;
		e = end_source(s, i);
		sources_release(&s->sources, &s->source[i]);
	}
	return e;
}

static int until_due(const struct supervisor *s)
{
	uint64_t due = clock_earlier(s->progress.due, watchers_due(&s->watchers));

	due = clock_earlier(due, s->report_time);
	return clock_ms_until(clock_earlier(due, s->ends ? UINT64_MAX : s->end_time),
			      clock_monotonic());
}

int supervisor_sleep(struct supervisor *s, int ms)
{
	int e = s->sources.leaving && !s->ends ? release_lost(s) : 0;
	const struct source *which;

	if (e)
		return e;
	e = sources_wait(&s->sources, clock_earlier_ms(ms, until_due(s)), &which);
	if (e == -EPIPE)
		return e;
	e = source_judge(e);
	if (e && !s->ends)
		lose_source(s, which, e);
	return 0;
}

/* --- Several workers. --- */

static bool all_ended(struct supervisor *s)
{
	for (unsigned i = 0; i < s->count; i++)
		if (!worker_has_ended(&s->worker[i]))
			return false;
	return true;
}

/* Has a worker ended, for another reason than that its interface is gone? */
static bool one_ended(struct supervisor *s)
{
	for (unsigned i = 0; i < s->count; i++)
		if (worker_has_ended(&s->worker[i]) && !s->source[s->worker[i].from].lost)
			return true;
	return false;
}

/* Wake the workers when signals came; they look at the counters themselves. */
static void pass_signals_on(struct supervisor *s)
{
	if (s->stops == signals_stop && s->rotations == signals_rotate &&
	    s->flushes == signals_flush)
		return;
	s->stops = signals_stop;
	s->rotations = signals_rotate;
	s->flushes = signals_flush;
	workers_wake(s);
}

/* Attend the feeds of workers that have ended. The error is ignored: a pcapng-kafka that ended was
 * already reported. */
static void attend_left(struct supervisor *s)
{
	for (unsigned i = 0; i < s->count; i++)
		if (s->worker[i].finished)
			feeds_attend(&s->worker[i].feeds);
}

static void attend_workers(struct supervisor *s)
{
	attend_left(s);
	if (one_ended(s))
		supervisor_stop(s);
	supervisor_attend(s, clock_monotonic());
	pass_signals_on(s);
	if (signals_stop > 1)
		workers_interrupt(s);
}

static int run_workers(struct supervisor *s)
{
	int e = workers_start(s);

	while (!all_ended(s)) {
		attend_workers(s);
		supervisor_sleep(s, signals_stop > 1 ? NUDGE_MS : -1);
	}
	for (unsigned i = 0; i < s->count; i++)
		worker_join(&s->worker[i]);
	return e;
}

/* --- The end. --- */

/* End all files, and the capture. */
static int end(struct supervisor *s)
{
	struct status *st = &s->status;
	int e = 0;

	supervisor_stop(s);
	fill(s, st); /* also updates the interface's counters that the first file reports */
	progress_end(&s->progress);
	for (unsigned i = 0; i < s->count; i++)
		finish(&s->worker[i]);
	if (options_feed(s->options) && feeds_end(&s->feeds))
		e = -1;
	fill_streams(s, st);
	add_workers(s, st, false);
	for (unsigned i = 0; i < s->count; i++)
		if (reader_end(&s->worker[i].reader) || s->worker[i].e)
			e = -1;
	if (decode_end(&s->decode)) /* it prints all packets before we print the statistics */
		e = -1;
	st->ended = true;
	st->time = clock_wall(); /* because workers may have reported while they ended */
	watchers_end(&s->watchers, st);
	if (!s->options->quiet)
		report_end(st, s->options);
	return e;
}

/* Is there a live line? Not if packets are printed to the same terminal. */
static bool shows_progress(const struct options *o)
{
	bool written =
		o->files.write ? strcmp(o->files.write, "-") != 0 : options_feed(o) && !o->decode;

	return written && !o->quiet && !((o->print || o->decode) && isatty(STDOUT_FILENO));
}

int supervisor_run(struct supervisor *s)
{
	int e, ended;

	if (shows_progress(s->options))
		progress_begin(&s->progress);
	watchers_begin(&s->watchers, fill_live(s));
	if (s->worker->reader.alone)
		e = reader_run(&s->worker->reader);
	else
		e = run_workers(s);
	ended = end(s);
	e = e ? e : s->e;
	return e ? e : ended;
}
