/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <libgen.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

#include "xdpdump/os/affinity.h"
#include "util/clock.h"
#include "xdpdump/os/complain.h"
#include "xdpdump/os/limits.h"
#include "xdpdump/files/names.h"
#include "figures.h"
#include "per_queue.h"
#include "reader.h"
#include "report.h"
#include "xdpdump/os/signals.h"

#define LOOK_MS	 1000 /* the state of the interfaces is asked for so often */
#define NUDGE_MS 100  /* who still writes after the second signal is interrupted so often */

/* A ring, its file, and the thread between them. */
struct queue {
	struct options options; /* those of the user, with the name of this file */
	char name[PATH_MAX];
	struct source source; /* a copy with a reader of one ring; all else is not ours */
	int cpu;	      /* of the ring; -1: it is that of a queue */
	unsigned number;      /* of CPU or queue */
	unsigned from;	      /* the number of the source that it is a copy of */
	struct reader reader;
	struct feeds feeds; /* of the thread, while it runs */
	pthread_t thread;
	bool runs, finished; /* finished: its file has its last words */
	atomic_bool ended;
	int e;
};

struct per_queue {
	struct status status; /* of the capture, as it is told; too much for a stack */
	const struct options *options;
	struct keylog *keylog;
	struct sources *sources;
	struct watchers *watchers;
	struct feeds *feeds; /* those of all; NULL: there are none */
	struct queue *queue;
	struct stream_status
		*stream; /* how that of each stands, as of the last look; NULL: likewise */
	unsigned count;
	bool ends; /* it comes to its end */
	atomic_bool stopped[SOURCES_MAX];
	_Atomic uint64_t left;		/* packets that -c still wants */
	uint64_t end_time, report_time; /* CLOCK_MONOTONIC ns */
	struct progress progress;
	sig_atomic_t stops, rotations, flushes; /* readers were woken for these */
	int e;
};

/* "-cpu3" or "-q3", in front of the suffix; with several interfaces their names as well. */
static int set_name(struct queue *q, const char *write, bool several)
{
	const char *suffix = names_suffix(write);
	int n = snprintf(q->name, sizeof(q->name), "%.*s%s%s-%s%u%s", (int)(suffix - write), write,
			 several ? "-" : "", several ? q->source.ifname : "",
			 q->cpu < 0 ? "q" : "cpu", q->number, suffix);

	return n < (int)sizeof(q->name) ? 0 : -ENAMETOOLONG;
}

static void describe(struct queue *q)
{
	struct source *s = &q->source;

	for (unsigned i = 0; i < AFXDP_SIDES; i++) {
		char *place = s->place[i];
		size_t used = strlen(place);

		if (used)
			snprintf(place + used, sizeof(s->place[i]) - used, ", %s %u",
				 q->cpu < 0 ? "queue" : "CPU", q->number);
	}
}

static int open_reader(struct queue *q, struct afxdp_capture *capture, unsigned n)
{
	int e = afxdp_reader_open(&q->source.reader, capture, n);

	if (e)
		return e;
	q->cpu = afxdp_reader_cpu(q->source.reader);
	q->number = q->cpu < 0 ? afxdp_reader_queue(q->source.reader) : (unsigned)q->cpu;
	return 0;
}

static int open_queue(struct per_queue *all, struct queue *q, unsigned from, unsigned n)
{
	const struct source *s = &all->sources->source[from];
	const struct options *o = all->options;
	int e;

	q->source = *s;
	q->source.netns_id = (struct netns_id){0}; /* whether it is gone is looked after for all */
	q->from = from;
	e = open_reader(q, s->capture, n);
	if (!e && o->files.write)
		e = set_name(q, o->files.write, all->sources->count > 1);
	if (e) {
		complain("%s: a reader of its own for each ring: %s", s->ifname, strerror(-e));
		return e;
	}
	describe(q);
	q->options = *o;
	if (o->files.write)
		q->options.files.write = q->name;
	/* These are for all of them together, and looked after here. */
	q->options.stop.packets = 0;
	q->options.stop.duration = 0;
	q->options.stats_interval = 0;
	q->reader = (struct reader){.options = &q->options,
				    .sources = {.source = &q->source, .count = 1, .pipe = -1},
				    .keylog = all->keylog,
				    .stopped = &all->stopped[from],
				    .notes_advance = watchers_want_beats(all->watchers),
				    .pool = o->stop.packets ? &all->left : NULL};
	return 0;
}

static int open_queues(struct per_queue *q)
{
	int e = 0;

	for (unsigned i = 0; i < q->sources->count && !e; i++) {
		unsigned rings = afxdp_rings(q->sources->source[i].capture);

		for (unsigned n = 0; n < rings && !e; n++)
			e = open_queue(q, &q->queue[q->count++], i, n);
	}
	return e;
}

/* An interface named twice, or in two network namespaces. */
static int check_names(const struct per_queue *q)
{
	for (unsigned i = 0; i < q->count && q->options->files.write; i++) {
		for (unsigned k = 0; k < i; k++) {
			if (strcmp(q->queue[i].name, q->queue[k].name) != 0)
				continue;
			complain("--files-per-queue: two files would be called %s: name an interface once",
				 q->queue[i].name);
			return -EEXIST;
		}
	}
	return 0;
}

static int no_memory(void)
{
	complain("out of memory");
	return -ENOMEM;
}

/* A stream for each ring. */
static int begin_feeds(struct per_queue *q)
{
	int e;

	q->stream = calloc(q->count, sizeof(*q->stream));
	if (!q->stream)
		return no_memory();
	e = feeds_begin_rings(q->feeds, q->options, q->count);
	for (unsigned i = 0; i < q->count && !e; i++) {
		struct queue *at = &q->queue[i];

		at->feeds = feeds_of_ring(q->feeds, i);
		at->reader.feeds = &at->feeds;
		q->stream[i].source = &q->sources->source[at->from];
		q->stream[i].cpu = at->cpu;
		q->stream[i].number = at->number;
	}
	return e;
}

int per_queue_open(struct per_queue **out, const struct options *o, struct sources *all,
		   struct watchers *w, struct keylog *keylog, struct feeds *feeds)
{
	struct per_queue *q = calloc(1, sizeof(*q));
	unsigned rings = 0;
	int e;

	*out = q;
	if (!q)
		return no_memory();
	for (unsigned i = 0; i < all->count; i++)
		rings += afxdp_rings(all->source[i].capture);
	q->options = o;
	q->keylog = keylog;
	q->sources = all;
	q->watchers = w;
	q->feeds = feeds;
	q->queue = calloc(rings, sizeof(*q->queue));
	if (!q->queue)
		return no_memory();
	q->left = o->stop.packets;
	limits_raise_descriptors();
	affinity_share();
	e = open_queues(q);
	for (unsigned i = 0; i < q->count; i++)
		q->queue[i].options.files.disk_bytes =
			(o->files.disk_bytes + q->count - 1) / q->count;
	if (!e)
		e = check_names(q);
	return e || !feeds ? e : begin_feeds(q);
}

int per_queue_begin(struct per_queue *q)
{
	int e = 0;

	for (unsigned i = 0; i < q->count && !e; i++)
		e = reader_open(&q->queue[i].reader);
	return e;
}

/* --- The thread of a ring. --- */

/* For ps -L and top -H. By itself: of another thread it would go by a file of /proc. */
static void name_thread(const struct queue *q)
{
	char name[16];

	snprintf(name, sizeof(name), "read-%s%u", q->cpu < 0 ? "q" : "cpu", q->number);
	pthread_setname_np(pthread_self(), name);
}

static void *run(void *arg)
{
	struct queue *q = arg;
	sigset_t nudge;

	name_thread(q);
	affinity_queue_reader(q->cpu, q->reader.number, q->source.node);
	sigemptyset(&nudge);
	sigaddset(&nudge, SIGALRM);
	pthread_sigmask(SIG_UNBLOCK, &nudge, NULL);
	q->e = reader_run(&q->reader);
	atomic_store(&q->ended, true);
	signals_end_sleep();
	return NULL;
}

/* --- The thread that has the captures. --- */

static void wake_all(const struct per_queue *q)
{
	for (unsigned i = 0; i < q->count; i++)
		if (q->queue[i].source.reader)
			afxdp_wake(q->queue[i].source.reader);
}

static bool is_ended(struct queue *q)
{
	return !q->runs || atomic_load(&q->ended);
}

static bool all_ended(struct per_queue *q)
{
	for (unsigned i = 0; i < q->count; i++)
		if (!is_ended(&q->queue[i]))
			return false;
	return true;
}

/* Not as its interface is gone. */
static bool one_ended(struct per_queue *q)
{
	for (unsigned i = 0; i < q->count; i++)
		if (is_ended(&q->queue[i]) && !q->sources->source[q->queue[i].from].lost)
			return true;
	return false;
}

/* Take the programs off. Readers still read what there is. */
static void stop(struct per_queue *q)
{
	if (q->ends)
		return;
	q->ends = true;
	watchers_stop(q->watchers);
	sources_stop(q->sources);
	for (unsigned i = 0; i < q->sources->count; i++)
		atomic_store(&q->stopped[i], true);
	wake_all(q);
}

/* --- An interface that is gone; the files of its rings end. --- */

static void lose(struct per_queue *q, const struct source *s, int e)
{
	struct sources *all = q->sources;
	struct afxdp_stats stats;
	bool ends = sources_lose(all, s, e, q->options->stop_when_gone);

	for (unsigned i = 0; i < all->count; i++) {
		if (!all->source[i].lost)
			continue;
		source_stats(&all->source[i], &stats); /* for the file of its first ring, too */
		atomic_store(&q->stopped[i], true);
	}
	if (ends) { /* what has come is written all the same */
		q->e = e;
		stop(q);
	}
	wake_all(q);
}

static void join(struct queue *at)
{
	if (at->runs)
		pthread_join(at->thread, NULL);
	at->runs = false;
}

/* Commands begin, of all files before one is waited for. */
static void finish(struct queue *at)
{
	if (at->finished)
		return;
	at->finished = true;
	at->reader.sources.stopped = true;
	reader_finish(&at->reader);
}

static bool is_read(struct per_queue *q, unsigned source)
{
	for (unsigned i = 0; i < q->count; i++)
		if (q->queue[i].from == source && !is_ended(&q->queue[i]))
			return false;
	return true;
}

static void release(struct per_queue *q, unsigned source)
{
	for (unsigned i = 0; i < q->count; i++) {
		struct queue *at = &q->queue[i];

		if (at->from != source)
			continue;
		join(at);
		finish(at);
		source_release_reader(&at->source);
	}
	sources_release(q->sources, &q->sources->source[source]);
}

static void release_lost(struct per_queue *q)
{
	for (unsigned i = 0; i < q->sources->count && q->sources->leaving && !q->ends; i++) {
		const struct source *s = &q->sources->source[i];

		if (s->lost && s->reader && is_read(q, i))
			release(q, i);
	}
}

/* --- How it stands. --- */

static uint64_t disk_left(const char *write)
{
	char path[PATH_MAX];
	struct statvfs v;

	if (!write)
		return 0;
	snprintf(path, sizeof(path), "%s", write);
	return statvfs(dirname(path), &v) ? 0 : (uint64_t)v.f_bavail * v.f_frsize;
}

static void fill_status(struct per_queue *q, struct status *st)
{
	*st = (struct status){.time = clock_wall(), .file = q->options->files.write};
	st->slow_filter = sources_slow_filter(q->sources);
	figures_collect(st, q->sources, q->options);
	st->disk_left = disk_left(q->options->files.write);
}

static void fill_streams(struct per_queue *q, struct status *st)
{
	if (!q->feeds)
		return;
	st->streams = q->count;
	st->stream = q->stream;
	for (unsigned i = 0; i < q->count; i++) {
		struct feeds_status one;

		feeds_status(&q->queue[i].feeds, &one);
		q->stream[i].to = one.export;
		export_add(&st->feeds.export, &one.export);
	}
}

/* Readers have left what they have captured. */
static void fill_live(struct per_queue *q, struct status *st)
{
	fill_status(q, st);
	fill_streams(q, st);
	for (unsigned i = 0; i < q->count; i++) {
		struct queue *at = &q->queue[i];
		uint64_t captured = atomic_load(&at->reader.said.packets);

		st->captured += captured;
		st->source[at->from].captured += captured;
		st->source[at->from].captured_sent += atomic_load(&at->reader.said.sent);
		st->bytes += atomic_load(&at->reader.said.bytes);
		st->files.begun += atomic_load(&at->reader.said.files);
		st->files.removed += atomic_load(&at->reader.said.removed);
		st->files.removed_packets += atomic_load(&at->reader.said.removed_packets);
	}
}

static void report_if_due(struct per_queue *q, uint64_t now)
{
	struct status *st = &q->status;

	if (report_is_due(&q->report_time, q->options->stats_interval, now)) {
		fill_live(q, st);
		report_status(st, q->options->json);
	}
	if (watchers_are_due(q->watchers, now)) {
		fill_live(q, st);
		watchers_tell(q->watchers, st, now);
	}
	if (progress_is_due(&q->progress)) {
		fill_live(q, st);
		progress_show(&q->progress, st);
	}
}

/* When the one that is furthest behind went on. */
static uint64_t advanced(const struct per_queue *q)
{
	uint64_t first = UINT64_MAX;

	for (unsigned i = 0; i < q->count; i++) {
		struct queue *at = &q->queue[i];
		uint64_t time = is_ended(at) ? UINT64_MAX : atomic_load(&at->reader.advanced);

		if (time < first)
			first = time;
	}
	return first;
}

/* Readers look at these themselves, once they are awake. */
static void pass_signals_on(struct per_queue *q)
{
	if (q->stops == signals_stop && q->rotations == signals_rotate &&
	    q->flushes == signals_flush)
		return;
	q->stops = signals_stop;
	q->rotations = signals_rotate;
	q->flushes = signals_flush;
	wake_all(q);
}

/* Out of a write to a pipe that nobody empties. */
static void interrupt_writes(struct per_queue *q)
{
	for (unsigned i = 0; i < q->count; i++)
		if (!is_ended(&q->queue[i]))
			pthread_kill(q->queue[i].thread, SIGALRM);
}

/* What a reader that has ended has left for others. One whose pcapng-kafka is gone has been told
 * of. */
static void attend_left(struct per_queue *q)
{
	for (unsigned i = 0; i < q->count; i++)
		if (q->queue[i].finished)
			feeds_attend(&q->queue[i].feeds);
}

static void attend(struct per_queue *q)
{
	uint64_t now = clock_monotonic();

	release_lost(q);
	attend_left(q);
	if (signals_stop || now >= q->end_time || one_ended(q))
		stop(q);
	pass_signals_on(q);
	if (signals_stop > 1)
		interrupt_writes(q);
	report_if_due(q, now);
	if (watchers_want_beats(q->watchers))
		watchers_beat(q->watchers, advanced(q), now);
}

static int timeout(const struct per_queue *q)
{
	uint64_t now = clock_monotonic(), due = now + LOOK_MS * NS_PER_MS;
	int live = progress_due_in(&q->progress), told = watchers_due_in(q->watchers, now), ms;

	if (signals_stop > 1)
		return NUDGE_MS;
	if (q->report_time < due)
		due = q->report_time;
	if (q->end_time < due && !q->ends)
		due = q->end_time;
	ms = due > now ? (int)((due - now) / NS_PER_MS) + 1 : 0;
	ms = told >= 0 && told < ms ? told : ms;
	return live >= 0 && live < ms ? live : ms;
}

/* Wakes readers, too. */
static void look(struct per_queue *q)
{
	bool due = sources_look_is_due(q->sources);

	for (unsigned i = 0; i < q->sources->count; i++) {
		struct source *s = &q->sources->source[i];
		int e = s->lost ? 0 : source_judge(afxdp_attend(s->reader));

		sources_tell_change(s);
		if (!e && due && !s->lost && source_lacks_netns(s))
			e = -ENONET;
		if (e && !q->ends)
			lose(q, s, e);
	}
}

static void sleep_until_something(struct per_queue *q)
{
	struct pollfd fds[SOURCES_MAX];
	const struct sources *all = q->sources;

	for (unsigned i = 0; i < all->count; i++) {
		const struct source *s = &all->source[i];

		fds[i] =
			(struct pollfd){.fd = s->lost ? -1 : afxdp_fd(s->reader), .events = POLLIN};
	}
	poll(fds, all->count, timeout(q));
	look(q);
}

static int start(struct per_queue *q)
{
	int e = 0;

	for (unsigned i = 0; i < q->count && !e; i++) {
		struct queue *one = &q->queue[i];

		one->reader.number = i;
		e = signals_start_thread(&one->thread, run, one);
		one->runs = !e;
	}
	if (e)
		complain("cannot start a thread: %s", strerror(-e));
	return e;
}

static void add(struct status *sum, unsigned from, const struct status *one)
{
	struct source_status *at = &sum->source[from];

	sum->captured += one->captured;
	at->captured += one->captured;
	at->captured_sent += one->source[0].captured_sent;
	sum->bytes += one->bytes;
	sum->no_room += one->no_room;
	sum->files.begun += one->files.begun;
	sum->files.removed += one->files.removed;
	sum->files.removed_packets += one->files.removed_packets;
	figures_add_of_readers(&sum->stats, &one->stats);
	figures_add_of_readers(&at->stats, &one->stats);
}

/* The last words of all files, and of the capture. */
static int end(struct per_queue *q)
{
	struct status *sum = &q->status, one;
	int e = 0;

	fill_status(q, sum); /* also for the first file, which has the interface's counters */
	progress_end(&q->progress);
	for (unsigned i = 0; i < q->count; i++)
		finish(&q->queue[i]);
	if (q->feeds && feeds_end(q->feeds))
		e = -1;
	for (unsigned i = 0; i < q->count; i++) {
		struct queue *at = &q->queue[i];

		if (reader_end(&at->reader, &one) || at->e)
			e = -1;
		add(sum, at->from, &one);
	}
	sum->ended = true;
	fill_streams(q, sum);
	watchers_end(q->watchers, sum);
	if (!q->options->quiet)
		report_end(sum, q->options);
	return e;
}

int per_queue_run(struct per_queue *q)
{
	const struct options *o = q->options;
	uint64_t now = clock_monotonic();
	int ended;

	q->end_time = o->stop.duration ? now + o->stop.duration : UINT64_MAX;
	q->report_time = report_first(o, now);
	if (!o->quiet)
		progress_begin(&q->progress);
	q->e = start(q);
	fill_live(q, &q->status);
	watchers_begin(q->watchers, &q->status);
	while (!all_ended(q)) {
		attend(q);
		sleep_until_something(q);
	}
	stop(q);
	for (unsigned i = 0; i < q->count; i++)
		join(&q->queue[i]);
	ended = end(q);
	return q->e ? q->e : ended;
}

void per_queue_close(struct per_queue *q)
{
	if (!q)
		return;
	for (unsigned i = 0; i < q->count; i++) {
		struct queue *at = &q->queue[i];

		afxdp_reader_close(at->source.reader);
		files_close(at->reader.files);
		if (at->reader.output)
			at->reader.output->ops->free(at->reader.output);
	}
	free(q->queue);
	free(q->stream);
	free(q);
}
