/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "util/clock.h"
#include "pcapng/read.h"
#include "xdpdump/os/signals.h"
#include "indexer.h"
#include "sink.h"
#include "writer.h"
#include "zstd_file.h"

#define PIECES	 8
#define AGE_NS	 NS_PER_SEC /* the longest that blocks wait for a piece to fill */
#define SLICE	 ((size_t)8 << 10)
#define NUDGE_MS 100

struct piece {
	uint8_t *room; /* WRITER_PIECE and a page more, aligned */
	uint8_t *at;   /* in room; has the same offset in a page as in the file */
	size_t used;
	uint64_t packets;
};

/*
 * The pieces are a ring: done counts those that were written, full those that were filled, and the
 * one at full is being filled. The lock protects everything but the contents of the piece at done
 * and the sink, which belong to the thread.
 */
struct writer {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t work, progress;
	bool running, closing, flush;
	int error; /* of this file */
	unsigned done, full;
	uint64_t begun;		 /* CLOCK_MONOTONIC, when the piece at full got its first block */
	uint64_t taken;		 /* bytes, for this file */
	uint64_t packets, bytes; /* written to it */
	struct sink sink;
	struct patience patience; /* of the reader of packets, which asks it for the thread */
	uint64_t idle;		  /* ns since a pipe last took something */
	int give_up; /* the error with which the thread is to end its write; 0: go on */
	struct zstd *zstd;
	struct piece piece[PIECES];
};

static struct piece *filling(struct writer *w)
{
	return &w->piece[w->full % PIECES];
}

/* Give the piece at full, which is not empty, to the thread. Then there may be none to fill. */
static void hand_over(struct writer *w)
{
	w->full++;
	w->flush = false;
	pthread_cond_signal(&w->work);
}

static bool has_room(const struct writer *w)
{
	return w->full - w->done < PIECES;
}

/* --- The thread. --- */

/* Called while the pipe is full: the reader of packets decides. */
static int ask(void *arg, uint64_t idle)
{
	struct writer *w = arg;
	int e;

	pthread_mutex_lock(&w->lock);
	w->idle = idle;
	e = w->give_up;
	pthread_mutex_unlock(&w->lock);
	return e;
}

/* If a write fails, truncate the file behind the last whole block. */
static int write_plain(struct writer *w, struct piece *p)
{
	struct iovec iov = {p->at, p->used};
	uint64_t before = w->sink.written;
	int e = sink_write(&w->sink, &iov, 1);

	if (e) {
		p->packets = 0;
		sink_cut(&w->sink, before + pcapng_whole_blocks(p->at, w->sink.written - before,
								&p->packets));
	}
	return e;
}

static int write_packed(struct writer *w, struct piece *p)
{
	int e = zstd_write(w->zstd, &w->sink, p->at, p->used);

	if (e)
		p->packets = 0;
	return e;
}

/* start: where the piece, perhaps compressed, begins in the file. A damaged file gets no index. */
static void index_piece(struct writer *w, const struct piece *p, uint64_t start, int e)
{
	struct indexer *x = w->sink.index;

	if (!x)
		return;
	if (e) {
		indexer_give_up(x);
		return;
	}
	if (w->zstd && (zstd_is_seekable(w->zstd) || !start))
		indexer_frame(x, start);
	indexer_take(x, p->at, p->used);
}

static int write_piece(struct writer *w, struct piece *p)
{
	uint64_t start = w->sink.written;
	int e = w->zstd ? write_packed(w, p) : write_plain(w, p);

	index_piece(w, p, start, e);
	return e;
}

static void write_one(struct writer *w)
{
	struct piece *p = &w->piece[w->done % PIECES];
	int e = w->error;

	if (!e) { /* after an error everything is discarded until the next file */
		pthread_mutex_unlock(&w->lock);
		e = write_piece(w, p);
		pthread_mutex_lock(&w->lock);
		w->idle = 0;
		w->packets += p->packets;
		w->bytes = w->sink.written;
		w->error = e;
		if (e) /* wake the reader now, not when the next packet comes */
			signals_end_sleep();
	}
	p->used = 0;
	p->packets = 0;
	w->done++;
	pthread_cond_broadcast(&w->progress);
}

/* Wait for something to do, or until a piece that does not fill up is old enough to write. */
static void wait_for_work(struct writer *w)
{
	uint64_t age = clock_monotonic() - w->begun;
	struct timespec until;

	if (!filling(w)->used) {
		pthread_cond_wait(&w->work, &w->lock);
	} else if (w->flush || age >= AGE_NS) {
		hand_over(w);
	} else {
		until = clock_in(AGE_NS - age);
		pthread_cond_clockwait(&w->work, &w->lock, CLOCK_MONOTONIC, &until);
	}
}

static void *write_in_thread(void *arg)
{
	struct writer *w = arg;
	sigset_t nudge;

	sigemptyset(&nudge);
	sigaddset(&nudge, SIGTERM);
	pthread_sigmask(SIG_UNBLOCK, &nudge, NULL);
	pthread_mutex_lock(&w->lock);
	while (!w->closing) {
		if (w->done != w->full)
			write_one(w);
		else
			wait_for_work(w);
	}
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

/* --- The reader of packets. --- */

/*
 * The reader gets the signals, but does not write. If the user has asked twice to end, it
 * interrupts the thread in a write to a pipe that nobody empties: again and again, because the
 * thread may not be asleep yet.
 */
static void wait_for_progress(struct writer *w)
{
	const struct timespec until = clock_in(NUDGE_MS * NS_PER_MS);

	pthread_cond_clockwait(&w->progress, &w->lock, CLOCK_MONOTONIC, &until);
	if (w->patience.ask) {
		uint64_t idle = w->idle;
		int e;

		pthread_mutex_unlock(&w->lock);
		e = w->patience.ask(w->patience.arg, idle);
		pthread_mutex_lock(&w->lock);
		w->give_up = e;
	}
	if (signals_stop > 1)
		pthread_kill(w->thread, SIGTERM);
}

static void begin_piece(struct writer *w, struct piece *p)
{
	p->at = p->room + w->taken % SINK_ALIGNMENT;
	w->begun = clock_monotonic();
	pthread_cond_signal(&w->work); /* so that the thread computes when the piece will be old */
}

/*
 * Others may write to the memory of the blocks: so they are checked in the copy, while that is in
 * the cache. Returns the length of the whole blocks.
 */
static size_t copy_blocks(struct piece *p, const uint8_t *blocks, size_t length)
{
	size_t copied = 0, whole = 0;

	while (copied < length) {
		size_t n = length - copied < SLICE ? length - copied : SLICE;

		memcpy(p->at + p->used + copied, blocks + copied, n);
		copied += n;
		whole += pcapng_whole_blocks(p->at + p->used + whole, copied - whole, &p->packets);
	}
	p->used += whole;
	return whole;
}

/* Returns how many bytes were taken; or 0, and -EBADMSG in *e if there is no valid block. */
static size_t fill(struct writer *w, const uint8_t *blocks, size_t length, int *e)
{
	struct piece *p = filling(w);
	size_t room = WRITER_PIECE - p->used, n;

	if (!p->used)
		begin_piece(w, p);
	n = copy_blocks(p, blocks, length < room ? length : room);
	w->taken += n;
	if (!n && (length <= room || room == WRITER_PIECE))
		*e = -EBADMSG;
	if (n < length && p->used)
		hand_over(w);
	return n;
}

int writer_write(struct writer *w, const void *blocks, size_t length)
{
	const uint8_t *at = blocks;
	int e = 0;

	pthread_mutex_lock(&w->lock);
	while (length && !w->error && !e) {
		size_t n = 0;

		if (has_room(w))
			n = fill(w, at, length, &e);
		else
			wait_for_progress(w);
		at += n;
		length -= n;
	}
	e = w->error ? w->error : e;
	pthread_mutex_unlock(&w->lock);
	return e;
}

void writer_flush(struct writer *w)
{
	pthread_mutex_lock(&w->lock);
	w->flush = has_room(w) && filling(w)->used;
	if (w->flush)
		pthread_cond_signal(&w->work);
	pthread_mutex_unlock(&w->lock);
}

void writer_count(struct writer *w, uint64_t *packets, uint64_t *bytes)
{
	pthread_mutex_lock(&w->lock);
	*packets = w->packets;
	*bytes = w->bytes;
	pthread_mutex_unlock(&w->lock);
}

void writer_begin(struct writer *w, struct sink *s)
{
	pthread_mutex_lock(&w->lock);
	w->sink = *s;
	w->patience = s->patience;
	w->sink.patience = (struct patience){.ask = ask, .arg = w};
	w->idle = 0;
	w->give_up = 0;
	s->fd = -1;
	s->direct = 0;
	s->index = NULL;
	w->error = 0;
	w->taken = 0;
	w->packets = 0;
	w->bytes = 0;
	pthread_mutex_unlock(&w->lock);
}

/* Called when the thread has written all of this file. */
static int write_end(struct writer *w)
{
	int e = w->zstd ? zstd_end(w->zstd, &w->sink, w->error != 0) : 0;

	w->bytes = w->sink.written;
	return w->error ? w->error : e;
}

int writer_end(struct writer *w, struct sink *s)
{
	int e;

	pthread_mutex_lock(&w->lock);
	if (has_room(w) && filling(w)->used)
		hand_over(w);
	while (w->done != w->full)
		wait_for_progress(w);
	e = w->error = write_end(w);
	*s = w->sink;
	w->sink = (struct sink){.fd = -1};
	pthread_mutex_unlock(&w->lock);
	return e;
}

int writer_open(struct writer **out, struct zstd *z)
{
	struct writer *w = calloc(1, sizeof(*w));
	int e = 0;

	if (!w) {
		zstd_close(z);
		return -ENOMEM;
	}
	w->zstd = z;
	w->sink.fd = -1;
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->work, NULL);
	pthread_cond_init(&w->progress, NULL);
	for (unsigned i = 0; i < PIECES && !e; i++) {
		w->piece[i].room = aligned_alloc(SINK_ALIGNMENT, WRITER_PIECE + SINK_ALIGNMENT);
		e = w->piece[i].room ? 0 : -ENOMEM;
	}
	if (!e)
		e = signals_start_thread(&w->thread, write_in_thread, w);
	w->running = !e;
	if (e)
		writer_close(w);
	else
		*out = w;
	return e;
}

void writer_close(struct writer *w)
{
	if (!w)
		return;
	if (w->running) {
		pthread_mutex_lock(&w->lock);
		w->closing = true;
		pthread_cond_signal(&w->work);
		pthread_mutex_unlock(&w->lock);
		pthread_join(w->thread, NULL);
	}
	sink_close(&w->sink);
	zstd_close(w->zstd);
	for (unsigned i = 0; i < PIECES; i++)
		free(w->piece[i].room);
	pthread_cond_destroy(&w->work);
	pthread_cond_destroy(&w->progress);
	pthread_mutex_destroy(&w->lock);
	free(w);
}
