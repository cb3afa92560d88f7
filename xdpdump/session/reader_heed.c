/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <string.h>

#include "xdpdump/os/complain.h"
#include "xdpdump/os/signals.h"
#include "figures.h"
#include "reader.h"
#include "reader_heed.h"
#include "report.h"

/* So long after the end the reader of a pipe may take nothing. And before a word is said of it. */
#define UNREAD_NS ((uint64_t)3 * NS_PER_SEC)
#define QUIET_NS  ((uint64_t)NS_PER_SEC / 4)
#define ROOM_MS	  50 /* signals are looked at so often while files wait for commands */

uint64_t reader_present_bytes(const struct reader *r)
{
	return r->options->zstd_level ? r->output->bytes - r->begin_bytes : r->output->length;
}

/* Where a reader that waits loses records. */
static uint64_t lost_for_room(struct reader *r)
{
	struct afxdp_stats each[SOURCES_MAX], sum;

	sources_stats(&r->sources, each, &sum);
	return sum.lost_full + sum.lost_socket;
}

/* lost: as of the reading that it is subtracted from. */
static uint64_t no_room(const struct reader *r, uint64_t lost)
{
	return r->no_room + (r->waits ? lost - r->lost_before : 0);
}

void reader_status(struct reader *r, struct status *st)
{
	*st = (struct status){.time = clock_wall(),
			      .captured = r->output->packets,
			      .bytes = r->output->bytes,
			      .waits = r->trigger.waits,
			      .before_trigger = r->trigger.before,
			      .file = r->files ? files_name(r->files) : NULL};
	trigger_held(&r->trigger, &r->sources, &st->held, &st->held_bytes);
	st->before_trigger += st->held;
	if (r->options->drops != DROPS_NOT)
		st->reasons = &r->reasons;
	st->slow_filter = sources_slow_filter(&r->sources);
	if (r->feeds)
		feeds_status(r->feeds, &st->feeds);
	figures_collect(st, &r->sources, r->options);
	st->no_room = no_room(r, st->stats.lost_full + st->stats.lost_socket);
	for (unsigned i = 0; i < st->sources; i++) {
		st->source[i].captured = r->taken[i];
		st->source[i].captured_sent = r->taken_sent[i];
	}
	if (r->files) {
		st->disk_left = files_disk_left(r->files);
		files_stats(r->files, &st->files);
	}
}

/* How it stands, for who has all readers to ask. */
static void tell_others(struct reader *r)
{
	struct files_stats files = {.begun = 0};

	if (r->files)
		files_stats(r->files, &files);
	atomic_store_explicit(&r->said.files, files.begun, memory_order_relaxed);
	atomic_store_explicit(&r->said.removed, files.removed, memory_order_relaxed);
	atomic_store_explicit(&r->said.removed_packets, files.removed_packets,
			      memory_order_relaxed);
	atomic_store_explicit(&r->said.packets, r->output->packets, memory_order_relaxed);
	atomic_store_explicit(&r->said.sent, r->taken_sent[0], memory_order_relaxed);
	atomic_store_explicit(&r->said.bytes, r->output->bytes, memory_order_relaxed);
}

static void report_if_due(struct reader *r, uint64_t now)
{
	struct status st;

	if (report_is_due(&r->report_time, r->options->stats_interval, now)) {
		reader_status(r, &st);
		report_status(&st, r->options->json);
	}
	if (watchers_are_due(r->watchers, now)) {
		reader_status(r, &st);
		watchers_tell(r->watchers, &st, now);
	}
	if (progress_is_due(&r->progress)) {
		reader_status(r, &st);
		progress_show(&r->progress, &st);
	}
}

void reader_tell(struct reader *r, uint64_t now)
{
	if (!r->output) /* its first words have no room yet */
		return;
	if (r->stopped)
		tell_others(r);
	else
		report_if_due(r, now);
}

void reader_note_advance(struct reader *r, uint64_t now)
{
	uint64_t arrived = r->output->packets, taken = 0;

	for (unsigned i = 0; i < r->sources.count; i++)
		taken += r->taken[i];
	if (arrived >= taken || arrived != r->arrived)
		atomic_store_explicit(&r->advanced, now, memory_order_relaxed);
	r->arrived = arrived;
}

void reader_begin_end(struct reader *r, uint64_t now)
{
	if (r->sources.stopped)
		return;
	if (!r->stopped) { /* else it has been done for all readers */
		watchers_stop(r->watchers);
		sources_stop(&r->sources);
	}
	r->sources.stopped = true;
	r->give_up = now + READER_DRAIN_NS;
}

void reader_hear_end(struct reader *r, uint64_t now)
{
	if (r->stopped ? atomic_load(r->stopped) : signals_stop || now >= r->end_time)
		reader_begin_end(r, now);
}

static void say_not_read(struct reader *r)
{
	const char *write = r->options->print ? NULL : r->options->files.write;

	if (!r->said_not_read && !r->options->extcap)
		complain("the capture has ended, but nobody reads %s: what is not read within %u s is lost; a second signal ends at once",
			 r->options->decode		    ? r->decode.name
			 : write && strcmp(write, "-") != 0 ? write
							    : "standard output",
			 (unsigned)(UNREAD_NS / NS_PER_SEC));
	r->said_not_read = true;
}

/* A pipe is full. */
static int ask(void *arg, uint64_t idle)
{
	struct reader *r = arg;
	uint64_t now = clock_monotonic();

	reader_hear_end(r, now);
	reader_tell(r, now);
	if (signals_stop > 1)
		return -EINTR;
	if (!r->sources.stopped)
		return 0;
	if (!r->stop_time)
		r->stop_time = now;
	if (now - r->stop_time < idle)
		idle = now - r->stop_time;
	if (idle >= QUIET_NS)
		say_not_read(r);
	return idle >= UNREAD_NS ? -ETIMEDOUT : 0;
}

struct patience reader_patience(struct reader *r)
{
	return (struct patience){.ask = ask, .arg = r};
}

static void begin_waiting(struct reader *r)
{
	if (!r->waits)
		r->lost_before = lost_for_room(r);
	r->waits = true;
	if (!r->said_no_room)
		complain("warning: no room for %s before a command (-z) has ended: what the rings cannot hold till then is lost, and counted",
			 r->closed ? "the next file" : "more");
	r->said_no_room = true;
}

bool reader_wait_for_room(struct reader *r)
{
	uint64_t now;

	begin_waiting(r);
	files_wait(r->files, ROOM_MS);
	now = clock_monotonic();
	reader_hear_end(r, now);
	reader_tell(r, now);
	if (signals_stop > 1)
		return false;
	if (!r->sources.stopped)
		return true;
	files_tell_commands(r->files);
	r->give_up = now + READER_DRAIN_NS;
	return !sources_are_empty(&r->sources);
}

void reader_waited(struct reader *r)
{
	if (r->waits)
		r->no_room = no_room(r, lost_for_room(r));
	r->waits = false;
}
