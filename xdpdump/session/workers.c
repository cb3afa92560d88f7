/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xdpdump/files/names.h"
#include "xdpdump/os/affinity.h"
#include "xdpdump/os/complain.h"
#include "xdpdump/os/limits.h"
#include "xdpdump/os/signals.h"
#include "supervisor.h"
#include "workers.h"

/* Put "-cpu3" or "-q3" before the suffix, and if there are several interfaces the interface's name
 * before that. */
static int set_name(struct worker *w, const char *write, bool several)
{
	const char *suffix = names_suffix(write);
	int n = snprintf(w->name, sizeof(w->name), "%.*s%s%s-%s%u%s", (int)(suffix - write), write,
			 several ? "-" : "", several ? w->source.ifname : "",
			 w->cpu < 0 ? "q" : "cpu", w->number, suffix);

	return n < (int)sizeof(w->name) ? 0 : -ENAMETOOLONG;
}

static void describe(struct worker *w)
{
	struct source *s = &w->source;

	for (unsigned i = 0; i < AFXDP_SIDES; i++) {
		char *place = s->place[i];
		size_t used = strlen(place);

		if (used)
			snprintf(place + used, sizeof(s->place[i]) - used, ", %s %u",
				 w->cpu < 0 ? "queue" : "CPU", w->number);
	}
}

static int open_ring(struct worker *w, struct afxdp_capture *capture, unsigned n)
{
	int e = afxdp_reader_open(&w->source.reader, capture, n);

	if (e)
		return e;
	w->cpu = afxdp_reader_cpu(w->source.reader);
	w->number = w->cpu < 0 ? afxdp_reader_queue(w->source.reader) : (unsigned)w->cpu;
	return 0;
}

/* Set the worker's options: the user's, except for what the supervisor handles for all rings
 * together. */
static void set_options(struct worker *w, const struct options *o, unsigned rings)
{
	w->options = *o;
	if (o->files.write)
		w->options.files.write = w->name;
	w->options.stop.packets = 0;
	w->options.files.disk_bytes = (o->files.disk_bytes + rings - 1) / rings;
}

/* Open the worker for ring n of a source. */
static int open_worker(struct supervisor *s, struct worker *w, unsigned from, unsigned n)
{
	const struct options *o = s->options;
	int e;

	w->source = s->source[from];
	w->source.of = &s->source[from];
	w->source.netns_id = (struct netns_id){0}; /* the supervisor checks whether it is gone */
	w->sources = (struct sources){.source = &w->source, .count = 1, .pipe = -1};
	w->from = from;
	e = open_ring(w, w->source.capture, n);
	if (!e && o->files.write)
		e = set_name(w, o->files.write, s->sources.count > 1);
	if (e)
		return refuse(e, "%s: a reader of its own for each ring: %s", w->source.ifname,
			      strerror(-e));
	describe(w);
	w->reader.sources = &w->sources;
	w->reader.stopped = &s->stopped[from];
	w->reader.options = &w->options;
	w->reader.pool = o->stop.packets ? &s->left : NULL;
	return 0;
}

static int open_workers(struct supervisor *s, unsigned rings)
{
	int e = 0;

	limits_raise_descriptors();
	affinity_share();
	for (unsigned i = 0; i < s->sources.count && !e; i++) {
		unsigned its = afxdp_rings(s->source[i].capture);

		for (unsigned n = 0; n < its && !e; n++)
			e = open_worker(s, &s->worker[s->count++], i, n);
	}
	for (unsigned i = 0; i < s->count; i++)
		set_options(&s->worker[i], s->options, rings);
	return e;
}

/* Refuse two files of the same name: an interface was named twice, or in two network namespaces. */
static int check_names(const struct supervisor *s)
{
	for (unsigned i = 0; i < s->count && s->options->files.write; i++) {
		for (unsigned k = 0; k < i; k++) {
			if (strcmp(s->worker[i].name, s->worker[k].name) != 0)
				continue;
			return refuse(-EEXIST,
				      "--files-per-queue: two files would be called %s: name an interface once",
				      s->worker[i].name);
		}
	}
	return 0;
}

/* Begin a stream for each ring. */
static int begin_streams(struct supervisor *s)
{
	int e;

	s->stream = calloc(s->count, sizeof(*s->stream));
	if (!s->stream)
		return complain_memory();
	e = feeds_begin_rings(&s->feeds, &s->options->feed, s->count);
	for (unsigned i = 0; i < s->count && !e; i++) {
		struct worker *w = &s->worker[i];

		w->feeds = feeds_of_ring(&s->feeds, i);
		w->reader.feeds = &w->feeds;
		s->stream[i].source = &s->source[w->from];
		s->stream[i].cpu = w->cpu;
		s->stream[i].number = w->number;
	}
	return e;
}

static unsigned count_rings(const struct supervisor *s)
{
	unsigned rings = 0;

	for (unsigned i = 0; i < s->sources.count; i++)
		rings += afxdp_rings(s->source[i].capture);
	return rings;
}

int workers_open(struct supervisor *s)
{
	bool alone = !s->options->files_per_queue, fed = options_feed(s->options);
	unsigned n = alone ? 1 : count_rings(s);
	int e = 0;

	s->left = s->options->stop.packets;
	s->worker = calloc(n, sizeof(*s->worker));
	if (!s->worker)
		return complain_memory();
	for (unsigned i = 0; i < n; i++)
		s->worker[i].reader = (struct reader){.supervisor = s,
						      .alone = alone,
						      .number = i,
						      .options = s->options,
						      .sources = &s->sources,
						      .cooked = s->cooked,
						      .stopped = s->stopped,
						      .give_up = UINT64_MAX,
						      .labels = s->labels,
						      .feeds = fed ? &s->feeds : NULL};
	if (alone)
		s->count = 1;
	else
		e = open_workers(s, n);
	if (!e)
		e = check_names(s);
	return e || alone || !fed ? e : begin_streams(s);
}

/* --- The thread of a ring. --- */

/* Name the thread for ps -L and top -H. The thread does it itself, because naming another thread
 * needs a file in /proc. */
static void name_thread(const struct worker *w)
{
	char name[16];

	snprintf(name, sizeof(name), "read-%s%u", w->cpu < 0 ? "q" : "cpu", w->number);
	pthread_setname_np(pthread_self(), name);
}

static void *work(void *arg)
{
	struct worker *w = arg;
	sigset_t nudge;

	name_thread(w);
	affinity_queue_reader(w->cpu, w->reader.number, w->source.node);
	sigemptyset(&nudge);
	sigaddset(&nudge, SIGALRM);
	pthread_sigmask(SIG_UNBLOCK, &nudge, NULL);
	w->e = reader_run(&w->reader);
	atomic_store(&w->ended, true);
	signals_end_sleep();
	return NULL;
}

int workers_start(struct supervisor *s)
{
	int e = 0;

	for (unsigned i = 0; i < s->count && !e; i++) {
		struct worker *w = &s->worker[i];

		e = signals_start_thread(&w->thread, work, w);
		w->runs = !e;
	}
	if (e)
		complain("cannot start a thread: %s", strerror(-e));
	return e;
}

void workers_wake(const struct supervisor *s)
{
	for (unsigned i = 0; i < s->count; i++)
		if (s->worker[i].source.reader)
			afxdp_wake(s->worker[i].source.reader);
}

void workers_interrupt(struct supervisor *s)
{
	for (unsigned i = 0; i < s->count; i++)
		if (!worker_has_ended(&s->worker[i]))
			pthread_kill(s->worker[i].thread, SIGALRM);
}

bool worker_has_ended(struct worker *w)
{
	return !w->runs || atomic_load(&w->ended);
}

void worker_join(struct worker *w)
{
	if (w->runs)
		pthread_join(w->thread, NULL);
	w->runs = false;
}

void workers_close(struct supervisor *s)
{
	for (unsigned i = 0; i < s->count; i++) {
		struct worker *w = &s->worker[i];

		afxdp_reader_close(w->source.reader);
		reader_free(&w->reader);
	}
	free(s->worker);
	free(s->stream);
	s->worker = NULL;
	s->stream = NULL;
	s->count = 0;
}
