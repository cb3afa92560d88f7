/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zstd.h>

#include "clock.h"
#include "compress.h"
#include "pcapng.h"
#include "seek_table.h"
#include "signals.h"
#include "sink.h"

#define CHUNK_SIZE (1u << 20) /* holds any block several times; may become a frame */
#define CHUNKS	   8
#define AGE_NS	   NS_PER_SEC /* blocks wait no longer for company */
#define NUDGE_MS   100

struct chunk {
	size_t used;
	uint64_t packets;
	uint8_t bytes[CHUNK_SIZE];
};

/*
 * The chunks are a ring: done counts those that were written, full those that were filled, and the
 * one at full is being filled. All is under the lock, but not what is in the chunk at done, which
 * is the thread's.
 */
struct compressor {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t work, progress;
	bool running, closing, seekable;
	int error; /* of this file */
	unsigned done, full;
	uint64_t begun; /* CLOCK_MONOTONIC, when the first block came into the chunk at full */
	uint64_t packets, bytes; /* written to this file */
	struct sink sink;
	struct seek_table table;
	bool table_is_whole;
	ZSTD_CCtx *context;
	size_t room; /* for what becomes of a chunk */
	uint8_t *frame;
	struct chunk chunk[CHUNKS];
};

bool compressor_is_built(void)
{
	return true;
}

static struct chunk *filling(struct compressor *c)
{
	return &c->chunk[c->full % CHUNKS];
}

/* The chunk at full, which is not empty, goes to the thread. There may be no other to fill then. */
static void hand_over(struct compressor *c)
{
	c->full++;
	pthread_cond_signal(&c->work);
}

static bool has_room(const struct compressor *c)
{
	return c->full - c->done < CHUNKS;
}

/* --- The thread. --- */

/* Compress k, or with NULL what ends a frame, into c->frame. Its length; 0: no memory. */
static size_t compress(struct compressor *c, const struct chunk *k, ZSTD_EndDirective how)
{
	ZSTD_inBuffer in = {k ? k->bytes : NULL, k ? k->used : 0, 0};
	ZSTD_outBuffer out = {c->frame, c->room, 0};
	size_t left = ZSTD_compressStream2(c->context, &out, &in, how);

	/* There is room for all of it, so that one call is enough. */
	return ZSTD_isError(left) || left ? 0 : out.pos;
}

static int write_or_cut(struct compressor *c, void *bytes, size_t n)
{
	uint64_t before = c->sink.written;
	struct iovec iov = {bytes, n};
	int e = sink_write(&c->sink, &iov, 1);

	if (e)
		sink_cut(&c->sink, before);
	return e;
}

static int write_chunk(struct compressor *c, const struct chunk *k)
{
	size_t n = compress(c, k, c->seekable ? ZSTD_e_end : ZSTD_e_flush);
	int e = n ? write_or_cut(c, c->frame, n) : -ENOMEM;

	if (!e && c->seekable && seek_table_add(&c->table, (uint32_t)n, (uint32_t)k->used))
		c->table_is_whole = false;
	return e;
}

static struct timespec in_ns(uint64_t ns)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	ns += (uint64_t)t.tv_nsec;
	t.tv_sec += (time_t)(ns / NS_PER_SEC);
	t.tv_nsec = (long)(ns % NS_PER_SEC);
	return t;
}

/* Until there is something to do, or a chunk that nobody fills up has become old. */
static void wait_for_work(struct compressor *c)
{
	uint64_t age = clock_monotonic() - c->begun;
	struct timespec until;

	if (!filling(c)->used) {
		pthread_cond_wait(&c->work, &c->lock);
	} else if (age >= AGE_NS) {
		hand_over(c);
	} else {
		until = in_ns(AGE_NS - age);
		pthread_cond_timedwait(&c->work, &c->lock, &until);
	}
}

static void compress_one(struct compressor *c)
{
	struct chunk *k = &c->chunk[c->done % CHUNKS];
	int e = c->error;

	if (!e) { /* after an error all is thrown away until the next file */
		pthread_mutex_unlock(&c->lock);
		e = write_chunk(c, k);
		pthread_mutex_lock(&c->lock);
	}
	if (!e)
		c->packets += k->packets;
	c->bytes = c->sink.written;
	c->error = e;
	k->used = 0;
	k->packets = 0;
	c->done++;
	pthread_cond_broadcast(&c->progress);
}

static void *run(void *arg)
{
	struct compressor *c = arg;
	sigset_t nudge;

	sigemptyset(&nudge);
	sigaddset(&nudge, SIGTERM);
	pthread_sigmask(SIG_UNBLOCK, &nudge, NULL);
	pthread_mutex_lock(&c->lock);
	while (!c->closing) {
		if (c->done != c->full)
			compress_one(c);
		else
			wait_for_work(c);
	}
	pthread_mutex_unlock(&c->lock);
	return NULL;
}

/* --- The reader of packets. --- */

/*
 * Signals come to the reader, which does not write: if the user has asked twice to end, it gets the
 * thread out of a write to a pipe that nobody empties. Again and again, as the thread may not have
 * begun to sleep.
 */
static void wait_for_progress(struct compressor *c)
{
	struct timespec until = in_ns(NUDGE_MS * NS_PER_MS);

	pthread_cond_timedwait(&c->progress, &c->lock, &until);
	if (signals_stop > 1)
		pthread_kill(c->thread, SIGTERM);
}

static size_t fill(struct compressor *c, const uint8_t *blocks, size_t length)
{
	struct chunk *k = filling(c);
	size_t room = CHUNK_SIZE - k->used;
	size_t n = pcapng_whole_blocks(blocks, length < room ? length : room, &k->packets);

	memcpy(k->bytes + k->used, blocks, n);
	if (n && !k->used) {
		c->begun = clock_monotonic();
		pthread_cond_signal(&c->work); /* which looks when it will be old */
	}
	k->used += n;
	if (n < length)
		hand_over(c);
	return n;
}

int compressor_write(struct compressor *c, const void *blocks, size_t length)
{
	const uint8_t *at = blocks;
	int e;

	pthread_mutex_lock(&c->lock);
	while (length && !c->error) {
		size_t n = 0;

		if (has_room(c))
			n = fill(c, at, length);
		else
			wait_for_progress(c);
		at += n;
		length -= n;
	}
	e = c->error;
	pthread_mutex_unlock(&c->lock);
	return e;
}

static void flush(struct compressor *c)
{
	if (has_room(c) && filling(c)->used)
		hand_over(c);
}

void compressor_flush(struct compressor *c)
{
	pthread_mutex_lock(&c->lock);
	flush(c);
	pthread_mutex_unlock(&c->lock);
}

void compressor_count(struct compressor *c, uint64_t *packets, uint64_t *bytes)
{
	pthread_mutex_lock(&c->lock);
	*packets = c->packets;
	*bytes = c->bytes;
	pthread_mutex_unlock(&c->lock);
}

void compressor_begin(struct compressor *c, struct sink *s)
{
	pthread_mutex_lock(&c->lock);
	c->sink = *s;
	s->fd = -1;
	c->error = 0;
	c->packets = 0;
	c->bytes = 0;
	c->table_is_whole = true;
	pthread_mutex_unlock(&c->lock);
}

/* A file is good without it. */
static int write_table(struct compressor *c)
{
	size_t size = 0;
	uint8_t *frame = c->table_is_whole ? seek_table_frame(&c->table, &size) : NULL;
	int e = frame ? write_or_cut(c, frame, size) : 0;

	free(frame);
	return e;
}

/* The last block of a frame, an empty one: what was cut off by an error ends well with it. */
static int write_last_block(struct compressor *c)
{
	uint8_t last_raw_empty[] = {1, 0, 0};

	ZSTD_CCtx_reset(c->context, ZSTD_reset_session_only);
	return c->sink.written ? write_or_cut(c, last_raw_empty, sizeof(last_raw_empty)) : 0;
}

/* The thread has nothing left of this file. */
static int write_end(struct compressor *c)
{
	int e = c->error, ended = 0;

	if (!c->seekable)
		ended = write_last_block(c);
	else if (!e)
		ended = write_table(c);
	seek_table_clear(&c->table);
	c->bytes = c->sink.written;
	return e ? e : ended;
}

int compressor_end(struct compressor *c, struct sink *s)
{
	int e;

	pthread_mutex_lock(&c->lock);
	flush(c);
	while (c->done != c->full)
		wait_for_progress(c);
	e = c->error = write_end(c);
	*s = c->sink;
	c->sink.fd = -1;
	pthread_mutex_unlock(&c->lock);
	return e;
}

static int set_up(struct compressor *c, int level, bool seekable)
{
	pthread_condattr_t a;

	pthread_mutex_init(&c->lock, NULL);
	pthread_condattr_init(&a);
	pthread_condattr_setclock(&a, CLOCK_MONOTONIC);
	pthread_cond_init(&c->work, &a);
	pthread_cond_init(&c->progress, &a);
	pthread_condattr_destroy(&a);
	c->sink.fd = -1;
	c->seekable = seekable;
	c->room = ZSTD_compressBound(CHUNK_SIZE) + ZSTD_CStreamOutSize();
	c->frame = malloc(c->room);
	c->context = ZSTD_createCCtx();
	if (!c->frame || !c->context)
		return -ENOMEM;
	ZSTD_CCtx_setParameter(c->context, ZSTD_c_compressionLevel, level);
	/* Of a frame that is cut off, the checksum would be missing. */
	ZSTD_CCtx_setParameter(c->context, ZSTD_c_checksumFlag, seekable);
	return 0;
}

int compressor_open(struct compressor **out, int level, bool seekable)
{
	struct compressor *c = calloc(1, sizeof(*c));
	int e;

	if (!c)
		return -ENOMEM;
	e = set_up(c, level, seekable);
	if (!e)
		e = signals_start_thread(&c->thread, run, c);
	c->running = !e;
	if (e)
		compressor_close(c);
	else
		*out = c;
	return e;
}

void compressor_close(struct compressor *c)
{
	if (!c)
		return;
	if (c->running) {
		pthread_mutex_lock(&c->lock);
		c->closing = true;
		pthread_cond_signal(&c->work);
		pthread_mutex_unlock(&c->lock);
		pthread_join(c->thread, NULL);
	}
	sink_close(&c->sink);
	seek_table_clear(&c->table);
	ZSTD_freeCCtx(c->context);
	free(c->frame);
	pthread_cond_destroy(&c->work);
	pthread_cond_destroy(&c->progress);
	pthread_mutex_destroy(&c->lock);
	free(c);
}
