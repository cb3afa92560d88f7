/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "beginning.h"
#include "feed.h"
#include "gaps.h"
#include "pcapng/format.h"
#include "pcapng/write.h"
#include "util/clock.h"
#include "xdpdump/os/complain.h"

#define PIPE_SIZE  (1 << 20)
#define ROOM	   (8u << 20)
#define RESERVE	   (256u << 10) /* not for packets, but for blocks that they need */
#define WORTHWHILE (ROOM / 8)	/* the rest is moved only if it frees this much */

struct feed {
	int fd; /* -1: there is no pipe */
	const char *why;
	struct gaps gaps;
	uint64_t packets, given, went;
	_Atomic uint64_t said_packets, said_lost; /* for feed_packets() and feed_lost() */
	bool drops; /* packets are dropped until half of the room is free */
	/* What waits is from sent to used. edge: where the next block begins, at sent or behind. */
	size_t sent, edge, used;
	struct beginning beginning;
	size_t beginning_due, beginning_sent; /* how much of it this reader gets, and has got */
	bool is_told; /* the user knows that it is too long for a new reader */
	uint8_t room[ROOM];
};

int feed_open(struct feed **out, const char *why)
{
	struct feed *f = calloc(1, sizeof(*f));

	if (!f)
		return -ENOMEM;
	f->fd = -1;
	f->why = why;
	*out = f;
	return 0;
}

/* The counts are independent: no store pairs with another. */
static void say(struct feed *f)
{
	atomic_store_explicit(&f->said_packets, f->packets, memory_order_relaxed);
	atomic_store_explicit(&f->said_lost, f->gaps.lost, memory_order_relaxed);
}

/* Packets in memory are lost, and belong to a section in which no loss can be reported any more. */
static void lose_packets(struct feed *f, size_t from, size_t to)
{
	uint32_t type;
	size_t n;

	for (; from < to && (n = gaps_block(f->room + from, to - from, &type)); from += n)
		if (gaps_is_packet(type))
			f->gaps.lost++, f->gaps.told++;
}

/*
 * Prepare what waits for a new reader. The block that the previous reader got a part of is lost.
 * Blocks of the beginning are left out, because the last section's are sent first. Blocks about
 * gaps are left out, because the new reader learns of these packets by feed_given().
 */
static void begin_anew(struct feed *f)
{
	size_t to = 0, n;
	uint64_t kept = 0;
	uint32_t type;

	for (size_t at = f->edge;
	     at < f->used && (n = gaps_block(f->room + at, f->used - at, &type)); at += n) {
		if (type == BLOCK_SECTION) {
			lose_packets(f, 0, to);
			to = kept = 0;
		}
		if (beginning_has(type) || gaps_is_told_by(f->room + at, f->used - at))
			continue;
		kept += gaps_is_packet(type);
		memmove(f->room + to, f->room + at, n);
		to += n;
	}
	f->sent = f->edge = 0;
	f->used = to;
	f->beginning_sent = 0;
	f->beginning_due = f->beginning.blocks.used;
	f->given = f->packets - kept - (f->gaps.lost - f->gaps.told);
	f->went = f->packets - kept - f->gaps.lost;
	gaps_begin_reader(&f->gaps);
}

void feed_set_pipe(struct feed *f, int fd)
{
	feed_end(f);
	if (f->beginning.is_incomplete) {
		if (!f->is_told)
			complain("%s, and its headers are too long to begin a new stream: nothing more goes there",
				 f->why);
		f->is_told = true;
		close(fd);
		return;
	}
	f->fd = fd;
	begin_anew(f);
	say(f);
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
	fcntl(fd, F_SETPIPE_SZ, PIPE_SIZE); /* ignored if it may not */
}

/* Returns how many bytes the pipe has taken. */
static size_t write_some(struct feed *f, const uint8_t *p, size_t n)
{
	size_t done = 0;

	while (f->fd >= 0 && done < n) {
		ssize_t some = write(f->fd, p + done, n - done);

		if (some > 0)
			done += (size_t)some;
		else if (some < 0 && errno == EINTR)
			continue;
		else if (some < 0 && errno == EAGAIN)
			break;
		else
			feed_end(f);
	}
	return done;
}

static void find_edge(struct feed *f)
{
	uint32_t type;

	while (f->edge < f->sent) {
		size_t n = gaps_block(f->room + f->edge, f->used - f->edge, &type);

		f->edge = n ? f->edge + n : f->used;
	}
}

void feed_push(struct feed *f)
{
	f->beginning_sent += write_some(f, f->beginning.blocks.at + f->beginning_sent,
					f->beginning_due - f->beginning_sent);
	if (f->beginning_sent < f->beginning_due)
		return;
	f->sent += write_some(f, f->room + f->sent, f->used - f->sent);
	find_edge(f);
	if (f->sent == f->used)
		f->sent = f->edge = f->used = 0;
}

static void remember(struct feed *f, const uint8_t *block, size_t n, uint32_t type)
{
	/* Readers that come later do not need what belongs to an earlier section. */
	if (type == BLOCK_SECTION && (f->fd < 0 || f->beginning_sent == f->beginning_due)) {
		f->beginning_sent = f->beginning_due = 0;
		beginning_reset(&f->beginning);
	}
	beginning_add(&f->beginning, block, n, type);
}

static void close_up(struct feed *f)
{
	memmove(f->room, f->room + f->sent, f->used - f->sent);
	f->edge -= f->sent;
	f->used -= f->sent;
	f->sent = 0;
}

static void tell_gap(struct feed *f)
{
	struct bytes to = {.at = f->room, .room = ROOM};

	close_up(f);
	to.used = f->used;
	gaps_tell(&f->gaps, &to, clock_wall(), f->why);
	f->used = to.used;
}

static void keep(struct feed *f, const uint8_t *block, size_t n)
{
	memcpy(f->room + f->used, block, n);
	f->used += n;
}

static void keep_packet(struct feed *f, const uint8_t *block, size_t n)
{
	if (f->drops && f->used - f->sent < ROOM / 2) {
		f->drops = false;
		tell_gap(f);
	}
	if (f->used + n > ROOM - RESERVE && f->sent >= WORTHWHILE)
		close_up(f);
	f->drops |= f->used + n > ROOM - RESERVE;
	if (f->drops)
		gaps_add(&f->gaps, block);
	else
		keep(f, block, n);
}

/* Packets refer to these by number: if one were missing, packets would get the wrong ones. */
static bool is_counted(uint32_t type)
{
	return type == BLOCK_SECTION || type == BLOCK_INTERFACE || type == BLOCK_PROCESS;
}

/*
 * Keep a block that is no packet. If there is no room, the reader's pipe is closed, and the next
 * reader gets the beginning.
 */
static void keep_other(struct feed *f, const uint8_t *block, size_t n, uint32_t type)
{
	if (f->used + n > ROOM)
		close_up(f);
	if (f->used + n <= ROOM) {
		keep(f, block, n);
		if (type == BLOCK_STATISTICS && f->fd >= 0) /* else gaps are told behind it */
			gaps_correct(&f->gaps, f->room + f->used - n, n);
		return;
	}
	if (!is_counted(type) || f->fd < 0)
		return;
	complain("%s, and there is no room left to announce new interfaces and processes to it: it gets no more",
		 f->why);
	feed_end(f);
}

/* Report losses before a block that must come after them. */
static void tell_untold(struct feed *f)
{
	if (f->fd >= 0 && gaps_are_untold(&f->gaps))
		tell_gap(f);
}

/* Losses belong to interfaces of the section before, and so do packets that no reader has got. */
static void begin_section(struct feed *f)
{
	if (f->fd < 0) {
		lose_packets(f, f->edge, f->used);
		f->sent = f->edge = f->used = 0;
	}
	tell_untold(f);
	gaps_begin_section(&f->gaps);
}

/*
 * If the reader has everything before, write directly, and keep what the pipe does not take. It may
 * have taken a part of the first block kept: edge is then behind that rest.
 */
static void take_part(struct feed *f, const uint8_t *p, size_t length)
{
	bool direct = f->fd >= 0 && f->sent == f->used && !f->drops && !f->gaps.any &&
		      f->beginning_sent == f->beginning_due;
	size_t done = direct ? write_some(f, p, length) : 0, at = 0, n;
	uint32_t type;

	if (f->sent >= ROOM / 2)
		close_up(f);
	for (; at < length && (n = gaps_block(p + at, length - at, &type)); at += n) {
		size_t had = at < done ? done - at : 0;

		if (type == BLOCK_SECTION && had) /* so the reader has everything before it */
			gaps_begin_section(&f->gaps);
		else if (type == BLOCK_SECTION)
			begin_section(f);
		if (type == BLOCK_STATISTICS)
			tell_untold(f);
		if (beginning_has(type))
			remember(f, p + at, n, type);
		f->packets += gaps_is_packet(type);
		if (had >= n)
			continue;
		if (had) {
			keep(f, p + at + had, n - had);
			f->edge = f->used;
		} else if (gaps_is_packet(type)) {
			keep_packet(f, p + at, n);
		} else {
			keep_other(f, p + at, n, type);
		}
	}
}

static int take_blocks(void *arg, const struct iovec *iov, int n)
{
	struct feed *f = arg;

	feed_push(f);
	for (int i = 0; i < n; i++)
		if (iov[i].iov_len)
			take_part(f, iov[i].iov_base, iov[i].iov_len);
	say(f);
	feed_push(f);
	return 0;
}

struct sink_taker feed_taker(struct feed *f)
{
	return (struct sink_taker){.take = take_blocks, .arg = f};
}

bool feed_waits(const struct feed *f)
{
	return f && f->fd >= 0 && (f->sent < f->used || f->beginning_sent < f->beginning_due);
}

bool feed_is_broken(const struct feed *f)
{
	return f->fd < 0;
}

void feed_finish(struct feed *f)
{
	if (gaps_are_untold(&f->gaps))
		tell_gap(f);
	feed_push(f);
}

uint64_t feed_packets(const struct feed *f)
{
	return atomic_load_explicit(&f->said_packets, memory_order_relaxed);
}

uint64_t feed_lost(const struct feed *f)
{
	return atomic_load_explicit(&f->said_lost, memory_order_relaxed);
}

uint64_t feed_given(const struct feed *f)
{
	return f->given;
}

uint64_t feed_went(const struct feed *f)
{
	return f->went;
}

void feed_end(struct feed *f)
{
	if (f->fd >= 0)
		close(f->fd);
	f->fd = -1;
}

void feed_close(struct feed *f)
{
	if (!f)
		return;
	feed_end(f);
	beginning_free(&f->beginning);
	free(f);
}
