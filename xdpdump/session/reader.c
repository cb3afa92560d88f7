/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "util/clock.h"
#include "util/less.h"
#include "xdpdump/os/complain.h"
#include "xdpdump/output/packet_text.h"
#include "labels.h"
#include "pcapng/write.h"
#include "reader.h"
#include "reader_blocks.h"
#include "reader_heed.h"
#include "reader_members.h"
#include "reader_file.h"
#include "supervisor.h"
#include "xdpdump/os/signals.h"

/* After this long every published record can be read: the library no longer holds it back for its
 * order. */
#define STALL_NS    (NS_PER_SEC)
#define DISK_NS	    (NS_PER_SEC / 4)
#define FETCH_AHEAD 8 /* records */
/* Under load, clocks are checked once in this many runs. */
#define ATTEND_RUNS 64

/* Bytes to reserve for the statistics at the end of the file, of each interface block. */
static uint64_t reserve(const struct reader *r)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < r->sources->count; i++)
		for (enum afxdp_side side = 0; side < AFXDP_SIDES; side++)
			n += source_has(&r->sources->source[i], side);
	n += reader_member_blocks(r);
	return n * PCAPNG_STATISTICS_SIZE;
}

/* Bytes of the disk limit that the index leaves for the file. */
static uint64_t room_on_disk(const struct file_plan *p)
{
	uint64_t index = files_with_index(p, 0, p->disk_bytes);

	return index < p->disk_bytes ? p->disk_bytes - index : 1;
}

static bool disk_limits_file(const struct reader *r)
{
	const struct options *o = r->options;

	/* The size of compressed blocks is not known in advance: reader_watch_disk() ends such a
	 * file. */
	return !o->zstd_level && !o->files.rotates && o->files.disk_bytes &&
	       (!o->stop.bytes || room_on_disk(&o->files) < o->stop.bytes);
}

static uint64_t size_limit(const struct reader *r)
{
	const struct options *o = r->options;

	if (disk_limits_file(r))
		return room_on_disk(&o->files);
	return o->files.each.bytes ? o->files.each.bytes : o->stop.bytes;
}

static struct batch begin_batch(const struct source *s, const struct epb_header *first)
{
	return (struct batch){.source = s, .first = first, .end = first};
}

/* Headers are in the cache of the CPU that wrote them: 80 ns each if they are fetched one after the
 * other. So prefetch one further on in the run, assuming that records are as long as this one. A
 * prefetch of the wrong place is not lost, because writing the records needs that memory, too. */
static void fetch_ahead(const struct afxdp_run *run, const struct epb_header *at, uint32_t length)
{
	size_t ahead = (size_t)FETCH_AHEAD * length;

	if (ahead < (size_t)(run->end - (const uint8_t *)at))
		__builtin_prefetch((const uint8_t *)at + ahead);
}

/* Add the record at the batch's end. Returns 0, or -EBADMSG if the record is of no interface of
 * this source. */
static int add_to_batch(struct batch *b, const struct epb_lengths *l)
{
	const uint32_t *ids = b->source->interface_ids;
	uint32_t id = b->end->interface_id;

	if (!b->source->members && id != ids[AFXDP_RECEIVED]) {
		if (id != ids[AFXDP_SENT])
			return -EBADMSG;
		b->sent++;
	}
	b->n++;
	b->end = (const void *)((const uint8_t *)b->end + l->total);
	return 0;
}

static uint64_t batch_length(const struct batch *b)
{
	return (uint64_t)((const uint8_t *)b->end - (const uint8_t *)b->first);
}

/* What still fits into the present file. Any file takes at least one record. */
struct room {
	uint64_t records, bytes;
	uint32_t more; /* how much longer than in the ring a record may be in the file */
	bool takes_one;
};

static struct room find_room(const struct reader *r)
{
	uint64_t most = r->options->files.each.packets, limit = size_limit(r);
	const struct output *o = r->output;
	struct room room = {.records = most ? less(most, o->taken) : UINT64_MAX,
			    .bytes = limit ? less(limit, o->length + reserve(r)) : UINT64_MAX,
			    .takes_one = !o->taken};

	if (r->cooked && limit)
		room.more += OUTPUT_COOKED_MORE;
	if (r->labels && limit)
		room.more += OUTPUT_LABELED_MORE;
	if (r->options->source.entries && limit)
		room.more += OUTPUT_ENTRIES_MORE;
	return room;
}

/* Does a record of this many bytes fit, after the records of the batch? */
static bool fits(const struct room *room, const struct batch *b, uint32_t length)
{
	if (b->n >= room->records)
		return false;
	if (room->bytes == UINT64_MAX) /* without a limit a record costs only this */
		return true;
	return batch_length(b) + length + (b->n + 1) * room->more <= room->bytes ||
	       (room->takes_one && !b->n);
}

/* Before this record is written: begin the file that it belongs in, or end the capture if no file
 * has room for it. */
static int make_fit(struct reader *r, const struct epb_header *record)
{
	const struct batch none = begin_batch(NULL, record);
	struct room room = find_room(r);
	uint64_t time = epb_time(record);

	if (time >= r->rotation.end)
		return reader_rotate_by_time(r, time);
	if (fits(&room, &none, record->total_length))
		return 0;
	if (r->options->files.rotates)
		return reader_rotate(r, clock_wall());
	if (disk_limits_file(r))
		reader_tell_disk_limit();
	r->done = true;
	return 0;
}

static uint64_t is_sent(const struct epb_header *at, const struct epb_lengths *l)
{
	return (epb_options_behind(at, l->caplen)->flags & EPB_FLAG_OUTBOUND) != 0;
}

/* If sent frames have no interface block of their own, each record says whether it was sent. */
static uint64_t count_sent(const struct batch *b)
{
	const struct epb_header *at = b->first;
	const struct source *s = b->source;
	struct epb_lengths l;
	uint64_t n = 0;

	if (!source_has_one_block(s))
		return b->sent;
	if (!s->members && !(source_has(s, AFXDP_RECEIVED) && source_has(s, AFXDP_SENT)))
		return source_has(s, AFXDP_SENT) ? b->n : 0;
	for (; batch_has(b, at, &l); at = batch_next(at, &l))
		n += is_sent(at, &l);
	return n;
}

static int put_batch(struct reader *r, const struct batch *b)
{
	const struct epb_header *at = b->first;
	unsigned source = (unsigned)(b->source - r->sources->source);
	struct epb_lengths l;

	int e = b->n ? labels_put(r->labels, b) : 0;

	if (!b->n || e)
		return e;
	for (; stamps_are_nics(r->options->source.stamps) && batch_has(b, at, &l);
	     at = batch_next(at, &l))
		source_set_time(b->source, at);
	for (at = b->first; b->source->drops && batch_has(b, at, &l); at = batch_next(at, &l))
		drop_table_count(&r->reasons, at, true);
	r->taken[source] += b->n;
	r->taken_sent[source] += count_sent(b);
	return r->output->ops->records(r->output, b);
}

/* Take records as they are, until the run ends or no more fit. *next: where it stopped, after *n
 * records. */
static int take_whole(struct reader *r, const struct source *s, const struct epb_header **next,
		      uint64_t *n)
{
	struct batch b = begin_batch(s, s->run.first);
	struct room room = find_room(r);
	struct epb_lengths l;
	int e = 0, put;

	if (room.records > r->left)
		room.records = r->left;
	while (!e && afxdp_run_at(&s->run, b.end, &l) && fits(&room, &b, l.total)) {
		fetch_ahead(&s->run, b.end, l.total);
		e = add_to_batch(&b, &l);
	}
	r->left -= b.n;
	*n = b.n;
	*next = b.end;
	put = put_batch(r, &b);
	return put ? put : e;
}

static bool wants_more(const struct reader *r)
{
	return r->pool ? atomic_load(r->pool) != 0 : r->left != 0;
}

/* Claim one of the packets still wanted. false: other readers have had the last one. */
static bool claim(struct reader *r)
{
	uint64_t left;

	if (!r->pool)
		return r->left-- != 0;
	left = atomic_load(r->pool);
	while (left && !atomic_compare_exchange_weak(r->pool, &left, left - 1))
		;
	return left != 0;
}

/* Put one record with only keep bytes of its frame. The output gets a copy, so that nobody can
 * change it meanwhile. */
static int put_cut(struct reader *r, const struct source *s, const struct epb_header *at,
		   const struct epb_lengths *l, uint32_t keep)
{
	struct epb_header *copy = (void *)r->record;
	struct batch b = begin_batch(s, copy);
	int e;

	if (l->total > sizeof(r->record))
		return -EBADMSG;
	memcpy(copy, at, l->total);
	copy->total_length = l->total;
	copy->caplen = l->caplen;
	b.keep = keep;
	e = add_to_batch(&b, l);
	return e ? e : put_batch(r, &b);
}

/* Does every record that the filter accepts belong to the source's interface? */
static bool takes_whole(const struct source *s)
{
	return !s->members && !(s->drops && s->patterns[0]);
}

/* How many bytes of the frame to keep; 0: the record is not wanted. Writes into *m which interface
 * it is from, unless takes_whole(). */
static uint32_t choose(struct reader *r, struct source *s, const struct epb_header *at,
		       const struct epb_lengths *l, struct afxdp_member *m)
{
	uint32_t keep = s->run.refine ? afxdp_refine(s->reader, at) : l->caplen;

	if (keep && labels_choose(r->labels) && !labels_want(r->labels, at, l)) {
		afxdp_refuse(s->reader, at);
		return 0;
	}
	return keep && !takes_whole(s) && !reader_wants(r, s, at, m) ? 0 : keep;
}

/* The same if not every record is wanted whole, if the source has many interfaces, or if several
 * readers count together. Records that are wanted whole go out in batches. */
static int take_chosen(struct reader *r, struct source *s, const struct epb_header **next,
		       uint64_t *read)
{
	struct batch b = begin_batch(s, s->run.first);
	struct room room = find_room(r);
	struct afxdp_member m;
	struct epb_lengths l;
	bool more = false;
	int e = 0, put;

	while (!e && wants_more(r) && afxdp_run_at(&s->run, b.end, &l) &&
	       fits(&room, &b, l.total)) {
		const struct epb_header *at = b.end;
		uint32_t keep = choose(r, s, at, &l, &m);

		if (keep && !claim(r))
			break;
		++*read;
		if (keep && s->members)
			e = reader_put_member(r, s, &m, at, l.caplen, &more);
		if (e)
			break;
		if (more)
			room = find_room(r);
		fetch_ahead(&s->run, at, l.total);
		if (keep >= l.caplen) {
			e = add_to_batch(&b, &l);
			continue;
		}
		e = put_batch(r, &b);
		if (!e && keep)
			e = put_cut(r, s, at, &l, keep);
		b = begin_batch(s, batch_next(at, &l));
		room = find_room(r);
	}
	*next = b.end;
	put = put_batch(r, &b);
	return put ? put : e;
}

/* The time of the first file begins now, because the file has waited for the trigger. */
static void begin_time(struct reader *r, uint64_t time)
{
	rotation_begin(&r->rotation, &r->options->files.each, time);
}

/* Look for the trigger in the records that would be captured. The record that pulls it is the first
 * of the next run. */
static int watch_for_trigger(struct reader *r, struct source *s)
{
	const struct epb_header *at = s->run.first;
	struct afxdp_member m;
	struct epb_lengths l;
	uint64_t n = 0;

	for (; afxdp_run_at(&s->run, at, &l); at = batch_next(at, &l), n++)
		if (choose(r, s, at, &l, &m) && trigger_meets(&r->trigger, s, at))
			break;
	sources_done(s, at, n);
	if (!r->trigger.waits)
		begin_time(r, clock_wall());
	return 0;
}

static void pull_trigger(struct reader *r, uint64_t time)
{
	trigger_pull(&r->trigger, r->sources, time);
	begin_time(r, clock_wall());
}

/* The first record that was kept until the trigger came: it may be older than the trigger. The
 * file's time begins with it. */
static void take_first(struct reader *r, uint64_t time)
{
	if (time < r->trigger.time)
		begin_time(r, time);
	r->trigger.begins = false;
}

/* Packets from before the trigger do not count for --count. So a run has only packets from before
 * it, or only from after it. */
static int take_run(struct reader *r, struct source *s, const struct epb_header **next, uint64_t *n)
{
	struct afxdp_run *run = &s->run;
	bool counts = epb_time(run->first) >= r->trigger.time;
	uint64_t left = r->left;
	int e;

	if (counts)
		r->trigger.time = 0; /* older ones now were late, or the clock was set back */
	else
		r->left = UINT64_MAX;
	if (!counts && run->until >= r->trigger.time)
		run->until = r->trigger.time - 1;
	e = run->refine || r->pool || !takes_whole(s) || labels_choose(r->labels)
		    ? take_chosen(r, s, next, n)
		    : take_whole(r, s, next, n);
	if (!counts)
		r->left = left;
	return e;
}

static int take_source(struct reader *r, struct source *s)
{
	struct afxdp_run *run = &s->run;
	const struct epb_header *next;
	uint64_t n = 0;
	int e;

	if (r->trigger.waits)
		return watch_for_trigger(r, s);
	if (r->trigger.begins)
		take_first(r, epb_time(run->first));
	e = make_fit(r, run->first);
	if (e || r->done)
		return e;
	if (run->until >= r->rotation.end)
		run->until = r->rotation.end - 1;
	e = reader_explain_write(r, take_run(r, s, &next, &n));
	r->done |= !wants_more(r);
	sources_done(s, next, n);
	return e;
}

static int flush(struct reader *r, bool asked)
{
	return r->closed ? 0 : reader_explain_write(r, r->output->ops->flush(r->output, asked));
}

/* If nothing else gets the packets, the capture ends with the last feed. */
static void attend_feeds(struct reader *r, uint64_t now)
{
	int e = feeds_attend(r->feeds);

	if (!e || r->options->files.write || r->options->decode)
		return;
	r->error = e;
	reader_begin_end(r, now);
}

/* Handle what clocks and signals ask for. */
static int attend(struct reader *r)
{
	uint64_t now = clock_monotonic(), wall = clock_wall();
	int e = reader_explain_write(r, reader_heed_members(r, false));

	if (e)
		return e;
	if (watchers_want_beats(&r->supervisor->watchers))
		reader_note_advance(r, now);
	reader_heed(r, now);
	if (signals_stop > 1 || now > r->give_up)
		r->done = true;
	if (signals_flush != r->flushes) {
		r->flushes = signals_flush;
		if (r->trigger.waits)
			pull_trigger(r, wall);
		else
			e = flush(r, true);
	}
	if (!e && signals_rotate != r->rotations) {
		r->rotations = signals_rotate;
		if (r->options->files.rotates)
			e = reader_rotate(r, wall);
	}
	if (now >= r->disk_time) {
		r->disk_time = now + DISK_NS;
		reader_watch_disk(r, reader_present_bytes(r));
	}
	if (!e)
		e = labels_beat(r->labels);
	if (r->feeds)
		attend_feeds(r, now);
	return e;
}

static bool signal_came(const struct reader *r)
{
	return signals_stop || signals_report || signals_rotate != r->rotations ||
	       signals_flush != r->flushes;
}

/* Read all records that are ready. */
static int read_records(struct reader *r)
{
	struct source *s;
	uint64_t time;
	int e = 0;

	if (r->trigger.unread && trigger_came(r->sources, &time))
		pull_trigger(r, time);
	while (!e && !r->done && (s = sources_next(r->sources))) {
		e = take_source(r, s);
		if (!e && (++r->runs % ATTEND_RUNS == 0 || signal_came(r)))
			e = attend(r);
	}
	if (!e && !r->done)
		reader_waited(r);
	return e;
}

/* Milliseconds until something is due for this reader; the supervisor has its own times. */
static int timeout(const struct reader *r)
{
	uint64_t due =
		clock_earlier(r->output->due ? r->output->due : UINT64_MAX, labels_due(r->labels));
	int ms;

	if (r->options->files.disk_bytes || r->options->files.disk_percent)
		due = clock_earlier(due, r->disk_time);
	ms = clock_ms_until(due, clock_monotonic());
	if (r->feeds)
		ms = clock_earlier_ms(ms, feeds_due_in(r->feeds));
	return r->trigger.waits ? ms
				: clock_earlier_ms(ms, rotation_due_in(&r->rotation, clock_wall()));
}

/* Sleep until records come, a signal comes, or something is due. -EPIPE: nobody reads the pipe any
 * more; without this the next write would tell, which may be hours away. */
static int sleep_until_something(struct reader *r)
{
	int ms = timeout(r);

	if (r->alone)
		return supervisor_sleep(r->supervisor, ms);
	afxdp_wait(r->sources->source->reader, ms); /* the supervisor gets its errors */
	sources_tell_change(r->sources, r->sources->source);
	return 0;
}

/* There is nothing to read: sleep; or end, if the capture was stopped and no more can come. */
static int pause_reading(struct reader *r)
{
	if (!r->sources->stopped)
		return sleep_until_something(r);
	if (r->runs != r->runs_paused) {
		r->runs_paused = r->runs;
		r->paused = clock_monotonic();
	}
	r->done |= r->trigger.unread || sources_are_empty(r->sources) ||
		   clock_monotonic() > r->paused + STALL_NS;
	if (!r->done)
		clock_sleep(1);
	return 0;
}

int reader_run(struct reader *r)
{
	int e = 0;

	while (!e && !r->done) {
		e = read_records(r);
		if (!e && !r->done && !r->trigger.waits &&
		    rotation_is_due(&r->rotation, clock_wall()))
			e = reader_rotate_by_time(r, clock_wall());
		if (!e)
			e = flush(r, false);
		if (!e)
			e = attend(r);
		if (!e && !r->done)
			e = pause_reading(r);
	}
	return e && !reader_is_left(e) ? e : r->error;
}

int reader_open(struct reader *r)
{
	const struct options *o = r->options;
	struct output_context c = {.sources = r->sources->source,
				   .count = r->sources->count,
				   .filter = o->source.expression,
				   .snaplen = o->source.snaplen,
				   .cooked = r->cooked,
				   .labels = labels_book(r->labels),
				   .entries = o->source.entries,
				   .zstd_level = o->zstd_level,
				   .zstd_seekable = o->zstd_seekable,
				   .index = o->files.index,
				   .is_fed = options_feed(o),
				   .drops_summary = o->drops_summary,
				   .style = {.hex = o->hex,
					     .json = o->json,
					     .color = !o->json && packet_text_in_color(o->color),
					     .xdp_tools = o->format == FORMAT_XDP_TOOLS,
					     .details = o->verbose != 0,
					     .hardware = o->hardware,
					     .time = {.style = o->time_style}}};
	uint64_t wall = clock_wall();
	int e;

	r->left = o->stop.packets ? o->stop.packets : UINT64_MAX;
	r->advanced = clock_monotonic();
	c.patience = r->patience = reader_patience(r);
	e = reader_open_output(r, &c, wall);
	if (e)
		return e;
	reader_note_beginning(r, wall);
	return 0;
}

void reader_finish(struct reader *r)
{
	int e = r->closed ? 0 : reader_explain_write(r, reader_end_file(r, clock_wall()));

	r->closed = true;
	r->failed = e && !reader_is_left(e);
}

int reader_end(struct reader *r)
{
	int e = files_close(r->files);
	uint64_t held, bytes;

	r->files = NULL;
	trigger_held(&r->trigger, r->sources, &held, &bytes);
	if (r->trigger.waits)
		complain("the trigger has not come: %" PRIu64 " packets in memory are not written",
			 held);
	return r->failed || e ? -1 : 0;
}

void reader_free(struct reader *r)
{
	files_close(r->files);
	if (r->output)
		r->output->ops->free(r->output);
}
