/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "xdpdump/os/complain.h"
#include "xdpdump/os/signals.h"
#include "reader.h"
#include "reader_heed.h"
#include "report.h"
#include "supervisor.h"

/* After the end of the capture, the reader of a pipe may take nothing for this long; and for this
 * long before a message says so. */
#define UNREAD_NS ((uint64_t)3 * NS_PER_SEC)
#define QUIET_NS  ((uint64_t)NS_PER_SEC / 4)
#define ROOM_MS	  50 /* while files wait for commands, signals are checked this often */

uint64_t reader_present_bytes(const struct reader *r)
{
	uint64_t length = r->output->length;

	return files_with_index(&r->options->files,
				r->options->zstd_level ? r->output->bytes - r->begin_bytes : length,
				length);
}

/* What is lost while a reader waits. */
static uint64_t lost_for_room(struct reader *r)
{
	struct afxdp_stats each[SOURCES_MAX], sum;

	sources_stats(r->sources, each, &sum);
	return sum.lost_full + sum.lost_socket;
}

/* lost: the present lost_for_room(), or the same from statistics that the caller already has. */
static uint64_t no_room(const struct reader *r, uint64_t lost)
{
	return r->no_room + (r->waits ? lost - r->lost_before : 0);
}

/* The numbers of sources are those of the first one; add_alone() adds the others. */
static struct tally count(const struct reader *r)
{
	struct tally t = {.packets = r->output->packets,
			  .bytes = r->output->bytes,
			  .taken = r->taken[0],
			  .sent = r->taken_sent[0]};

	if (r->files)
		files_stats(r->files, &t.files);
	return t;
}

/* Leave the numbers for the supervisor, which adds up those of all readers. */
static void tell_others(struct reader *r)
{
	struct tally t = count(r);
	const uint64_t *value = (const uint64_t *)&t;

	for (unsigned i = 0; i < sizeof(t) / sizeof(*value); i++)
		atomic_store_explicit(&r->said[i], value[i], memory_order_relaxed);
}

/* The numbers that another thread left last. */
static struct tally said(struct reader *r)
{
	struct tally t;
	uint64_t *value = (uint64_t *)&t;

	for (unsigned i = 0; i < sizeof(t) / sizeof(*value); i++)
		value[i] = atomic_load_explicit(&r->said[i], memory_order_relaxed);
	return t;
}

/* Add what only a reader of all rings has. */
static void add_alone(struct reader *r, struct status *st)
{
	for (unsigned i = 1; i < r->sources->count; i++) {
		st->source[i].captured = r->taken[i];
		st->source[i].captured_sent = r->taken_sent[i];
		st->all.captured_sent += r->taken_sent[i];
	}
	st->all.no_room = no_room(r, st->all.stats.lost_full + st->all.stats.lost_socket);
	st->waits = r->trigger.waits;
	trigger_held(&r->trigger, r->sources, &st->held, &st->held_bytes);
	st->all.before_trigger = r->trigger.before + st->held;
	if (r->options->drops != DROPS_NOT)
		st->reasons = &r->reasons;
	if (!r->files)
		return;
	snprintf(r->last_name, sizeof(r->last_name), "%s", files_name(r->files));
	st->file = r->last_name;
	st->disk_left = files_disk_left(st->file);
}

void reader_add(struct reader *r, struct status *st, unsigned from, bool runs)
{
	struct tally t = runs && !r->alone ? said(r) : count(r);

	st->all.captured += t.packets;
	st->all.captured_sent += t.sent;
	st->bytes += t.bytes;
	st->files.begun += t.files.begun;
	st->files.removed += t.files.removed;
	st->files.removed_packets += t.files.removed_packets;
	st->source[from].captured += t.taken;
	st->source[from].captured_sent += t.sent;
	if (r->alone)
		add_alone(r, st);
	else if (!runs)
		st->all.no_room += no_room(r, lost_for_room(r));
}

void reader_note_advance(struct reader *r, uint64_t now)
{
	uint64_t arrived = r->output->packets, taken = 0;

	for (unsigned i = 0; i < r->sources->count; i++)
		taken += r->taken[i];
	if (arrived >= taken || arrived != r->arrived)
		atomic_store_explicit(&r->advanced, now, memory_order_relaxed);
	r->arrived = arrived;
}

void reader_begin_end(struct reader *r, uint64_t now)
{
	if (r->give_up != UINT64_MAX)
		return;
	if (r->alone)
		supervisor_stop(r->supervisor);
	r->sources->stopped = true;
	r->give_up = now + READER_DRAIN_NS;
	r->paused = clock_monotonic();
}

void reader_heed(struct reader *r, uint64_t now)
{
	if (r->alone)
		supervisor_attend(r->supervisor, now);
	else if (r->output) /* else the output is still being opened, and a pipe has no room */
		tell_others(r);
	if (atomic_load(r->stopped))
		reader_begin_end(r, now);
}

static void say_not_read(struct reader *r)
{
	const char *write = r->options->print ? NULL : r->options->files.write;

	if (!r->said_not_read && !r->options->extcap)
		complain("the capture has ended, but nobody reads %s: what is not read within %u s is lost; a second signal ends at once",
			 r->options->decode		    ? r->supervisor->decode.name
			 : write && strcmp(write, "-") != 0 ? write
							    : "standard output",
			 (unsigned)(UNREAD_NS / NS_PER_SEC));
	r->said_not_read = true;
}

/* Called while a pipe is full. */
static int ask(void *arg, uint64_t idle)
{
	struct reader *r = arg;
	uint64_t now = clock_monotonic();

	reader_heed(r, now);
	if (signals_stop > 1)
		return -EINTR;
	if (!r->sources->stopped)
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
	reader_heed(r, now);
	if (signals_stop > 1)
		return false;
	if (!r->sources->stopped)
		return true;
	files_tell_commands(r->files);
	r->give_up = now + READER_DRAIN_NS;
	return !sources_are_empty(r->sources);
}

void reader_waited(struct reader *r)
{
	if (r->waits)
		r->no_room = no_room(r, lost_for_room(r));
	r->waits = false;
}
