/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "audience.h"
#include "gaps.h"
#include "pcapng/packet.h"
#include "pcapng/savefile.h"
#include "pcapng/write.h"
#include "util/clock.h"

#define RING_SIZE (16u << 20)
#define OWN_MAX	  (8u << 20)
#define GAPS_ROOM (16u << 10)
#define PLAIN_MAX (256u << 10)
#define STALL_NS  (60 * NS_PER_SEC) /* a reader that takes nothing for this long is dropped; ... */
#define CROWD_NS  (5 * NS_PER_SEC)  /* ... or for this long, if others want its place */

/* Offsets of the fields in an interface block. */
enum { LINK = 0, SNAPLEN = 4 };

struct client {
	int fd;
	bool is_full;	     /* its connection takes nothing at present */
	bool has_ended;	     /* it sends no more: it may be gone, which only a packet would show */
	uint64_t next, edge; /* in the ring; edge: where the next block begins, next or later */
	/* What it gets before the bytes at next. */
	struct buffer own;
	size_t own_sent;
	size_t own_rest; /* up to here own is the rest of a packet that it has begun */
	uint64_t moved;	 /* when it last took something, CLOCK_MONOTONIC */
	struct gaps gaps;
	bool is_gone;
};

int audience_open(struct audience *a, bool is_pcap)
{
	*a = (struct audience){.is_pcap = is_pcap};
	return feed_ring_open(&a->ring, RING_SIZE);
}

static void forget(struct client *c)
{
	close(c->fd);
	buffer_free(&c->own);
	free(c);
}

static bool own(struct client *c, const void *bytes, size_t n)
{
	return c->own.used + n <= OWN_MAX && buffer_append(&c->own, bytes, n) == 0;
}

/* The length of the block or record at this place in the ring. *type: as in pcapng. */
static size_t unit(const struct audience *a, uint64_t at, uint32_t *type)
{
	const uint8_t *p = feed_ring_at(&a->ring, at);
	struct savefile_record record;

	if (!a->is_pcap)
		return gaps_block(p, (size_t)(a->ring.head - at), type);
	*type = BLOCK_ENHANCED_PACKET;
	memcpy(&record, p, sizeof(record));
	return sizeof(record) + record.caplen;
}

static void miss(struct audience *a, struct client *c, const uint8_t *packet)
{
	if (a->is_pcap)
		c->gaps.lost++;
	else
		gaps_add(&c->gaps, packet);
	a->lost++;
}

static void tell_gaps(struct client *c)
{
	uint8_t memory[GAPS_ROOM];
	struct bytes b = {.at = memory, .room = sizeof(memory)};

	gaps_tell(&c->gaps, &b, clock_wall(), "this reader was too slow for them");
	c->is_gone |= !own(c, memory, b.used);
}

/* Packets that are missing belong to interfaces of the section before. */
static void begin_section(struct client *c)
{
	while (!c->is_gone && gaps_are_untold(&c->gaps))
		tell_gaps(c);
	gaps_begin_section(&c->gaps);
}

/* Copy statistics from this place in the ring, corrected for what this reader missed. */
static void own_statistics(const struct audience *a, struct client *c, uint64_t at, size_t n)
{
	const uint8_t *block = feed_ring_at(&a->ring, at);
	size_t had = c->own.used;

	gaps_take_over(&c->gaps, block, n);
	c->is_gone |= !n || !own(c, block, n);
	if (!c->is_gone)
		gaps_correct(&c->gaps, c->own.at + had, n);
}

/*
 * The reader falls behind: it gets the rest of the block that it has begun, and of everything else
 * in the ring only what is neither a packet nor statistics of the capture. Blocks about gaps are
 * corrected.
 */
static void pass_over(struct audience *a, struct client *c)
{
	size_t n;
	uint32_t type;

	c->is_gone |= !own(c, feed_ring_at(&a->ring, c->next), (size_t)(c->edge - c->next));
	if (c->next < c->edge)
		c->own_rest = c->own.used;
	for (uint64_t at = c->edge; at < a->ring.head && (n = unit(a, at, &type)); at += n) {
		const uint8_t *p = feed_ring_at(&a->ring, at);

		if (type == BLOCK_SECTION)
			begin_section(c);
		if (gaps_is_packet(type))
			miss(a, c, p);
		else if (gaps_is_told_by(p, n))
			own_statistics(a, c, at, n);
		else if (type != BLOCK_STATISTICS)
			c->is_gone |= !own(c, p, n);
	}
	c->next = c->edge = a->ring.head;
}

/* n bytes are going to overwrite the oldest ones. */
static void make_way(struct audience *a, size_t n)
{
	uint64_t end = a->ring.head + n;

	for (unsigned i = 0; i < a->count; i++)
		if (end - a->client[i]->next > a->ring.size)
			pass_over(a, a->client[i]);
}

static int take_interface(struct audience *a, const struct pcapng_block *b)
{
	uint16_t link = pcapng_u16(b->body + LINK, false);
	struct savefile_header header = savefile_header(pcapng_u32(b->body + SNAPLEN, false), link);
	uint8_t is_of_first;

	if (!a->beginning.blocks.used)
		a->link_type = link;
	is_of_first = link == a->link_type;
	if (buffer_append(&a->is_of_first, &is_of_first, sizeof(is_of_first)))
		return -ENOMEM;
	if (!a->beginning.blocks.used)
		beginning_add(&a->beginning, &header, sizeof(header), BLOCK_INTERFACE);
	return 0;
}

static int take_pcap(struct audience *a, const struct pcapng_block *b)
{
	struct savefile_record header;
	struct pcapng_packet p;

	if (b->type == BLOCK_SECTION)
		a->is_of_first.used = 0;
	if (b->type == BLOCK_INTERFACE)
		return take_interface(a, b);
	if (!a->count || !gaps_is_packet(b->type) || !pcapng_packet_read(&p, b) ||
	    p.interface_id >= a->is_of_first.used || !a->is_of_first.at[p.interface_id])
		return 0;
	header = savefile_record(p.stamp, p.caplen, p.len);
	make_way(a, sizeof(header) + p.caplen);
	feed_ring_put(&a->ring, &header, sizeof(header));
	feed_ring_put(&a->ring, p.frame, p.caplen);
	return 0;
}

int audience_take(struct audience *a, const struct pcapng_block *b)
{
	const uint8_t *block = b->body - 2 * sizeof(uint32_t);
	size_t n = b->length + BLOCK_LENGTH_MIN;

	if (a->is_pcap)
		return take_pcap(a, b);
	if (b->type == BLOCK_SECTION)
		beginning_reset(&a->beginning);
	if (beginning_has(b->type))
		beginning_add(&a->beginning, block, n, b->type);
	if (!a->count)
		return 0;
	make_way(a, n);
	feed_ring_put(&a->ring, block, n);
	return 0;
}

bool audience_may_join(const struct audience *a)
{
	return a->beginning.blocks.used != 0;
}

/*
 * Drop the reader that has taken nothing for longest, if that is at least ns. is_wanted: others
 * want its place, so it may also be one that had nothing to take, and may be gone. Returns whether
 * one was dropped.
 */
static bool give_up(struct audience *a, uint64_t ns, bool is_wanted)
{
	struct client **oldest = NULL;

	for (struct client **at = a->client; at < a->client + a->count; at++)
		if (((*at)->is_full || (is_wanted && (*at)->has_ended)) &&
		    (!oldest || (*at)->moved < (*oldest)->moved))
			oldest = at;
	if (!oldest || clock_monotonic() - (*oldest)->moved < ns)
		return false;
	forget(*oldest);
	*oldest = a->client[--a->count];
	a->given_up++;
	return true;
}

bool audience_join(struct audience *a, int fd)
{
	bool may = !a->beginning.is_incomplete &&
		   (a->count < CLIENTS_MAX || give_up(a, CROWD_NS, true));
	struct client *c = may ? calloc(1, sizeof(*c)) : NULL;

	if (!c) {
		close(fd);
		return false;
	}
	c->fd = fd;
	c->moved = clock_monotonic();
	c->next = c->edge = a->ring.head;
	c->is_gone = !own(c, a->beginning.blocks.at, a->beginning.blocks.used);
	a->client[a->count++] = c;
	return true;
}

static bool has_more(const struct audience *a, const struct client *c)
{
	return c->own_sent < c->own.used || c->next < a->ring.head ||
	       (!a->is_pcap && gaps_are_untold(&c->gaps));
}

/* Returns how many bytes were sent. */
static size_t send_some(struct audience *a, struct client *c, const uint8_t *p, size_t n)
{
	ssize_t done;

	do
		done = send(c->fd, p, n, MSG_DONTWAIT | MSG_NOSIGNAL);
	while (done < 0 && errno == EINTR);
	c->is_full = done < 0 ? errno == EAGAIN : (size_t)done < n;
	c->is_gone |= done < 0 && errno != EAGAIN;
	if (done <= 0)
		return 0;
	a->moved = c->moved = clock_monotonic();
	return (size_t)done;
}

static void send_own(struct audience *a, struct client *c)
{
	c->own_sent += send_some(a, c, c->own.at + c->own_sent, c->own.used - c->own_sent);
	if (c->own_sent < c->own.used)
		return;
	buffer_free(&c->own);
	c->own_sent = c->own_rest = 0;
}

/* How many bytes can be sent as they are: statistics cannot, if the reader missed packets. */
static size_t plain(const struct audience *a, const struct client *c)
{
	uint64_t at = c->edge, end = a->ring.head;
	uint32_t type;
	size_t n;

	if (a->is_pcap || !c->gaps.any)
		return (size_t)(end - c->next);
	for (; at < end && at - c->next < PLAIN_MAX && (n = unit(a, at, &type)); at += n)
		if (type == BLOCK_STATISTICS)
			break;
	return (size_t)(at - c->next);
}

static void send_ring(struct audience *a, struct client *c)
{
	size_t n = plain(a, c);
	uint32_t type;

	if (!n) {
		n = unit(a, c->edge, &type);
		own_statistics(a, c, c->edge, n);
		c->next = c->edge += n;
		return;
	}
	c->next += send_some(a, c, feed_ring_at(&a->ring, c->next), n);
	while (c->edge < c->next && (n = unit(a, c->edge, &type))) {
		if (type == BLOCK_STATISTICS)
			gaps_take_over(&c->gaps, feed_ring_at(&a->ring, c->edge), n);
		c->edge += n;
		if (type == BLOCK_SECTION)
			gaps_begin_section(&c->gaps);
	}
}

/* What is missing is told between two blocks, after everything before was sent. */
static void serve_one(struct audience *a, struct client *c)
{
	while (!c->is_gone && !c->is_full && has_more(a, c)) {
		bool untold = !a->is_pcap && gaps_are_untold(&c->gaps);

		if (c->own_sent < c->own.used)
			send_own(a, c);
		else if (untold && c->next == c->edge)
			tell_gaps(c);
		else
			send_ring(a, c);
	}
}

/* Discard what a reader sends. One that has closed its sending side may still read. */
static void hear(struct client *c)
{
	char unused[4096];
	ssize_t n = recv(c->fd, unused, sizeof(unused), MSG_DONTWAIT);

	c->has_ended |= n == 0;
	c->is_gone |= n < 0 && errno != EAGAIN && errno != EINTR;
}

void audience_list(const struct audience *a, struct pollfd *fds)
{
	for (unsigned i = 0; i < a->count; i++)
		fds[i] = (struct pollfd){.fd = a->client[i]->fd,
					 .events = a->client[i]->is_full ? POLLOUT : 0};
}

void audience_serve(struct audience *a, const struct pollfd *fds, unsigned n)
{
	unsigned left = 0;

	for (unsigned i = 0; i < a->count; i++) {
		struct client *c = a->client[i];

		if (i < n && fds[i].revents & POLLOUT)
			c->is_full = false;
		c->is_gone |= i < n && fds[i].revents & (POLLERR | POLLHUP | POLLNVAL);
		if (!c->is_gone)
			hear(c);
		serve_one(a, c);
		if (c->is_gone)
			forget(c);
		else
			a->client[left++] = c;
	}
	a->count = left;
	while (give_up(a, STALL_NS, false))
		;
}

bool audience_stalls(const struct audience *a)
{
	for (unsigned i = 0; i < a->count; i++)
		if (a->client[i]->is_full)
			return true;
	return false;
}

bool audience_waits(const struct audience *a)
{
	for (unsigned i = 0; i < a->count; i++)
		if (has_more(a, a->client[i]))
			return true;
	return false;
}

/* Count the packets that a reader does not get, including one that it has only a part of. */
static void lose_rest(struct audience *a, const struct client *c)
{
	uint32_t type;
	size_t n;

	a->lost += c->next != c->edge || c->own_sent < c->own_rest;
	for (uint64_t at = c->edge; at < a->ring.head && (n = unit(a, at, &type)); at += n)
		a->lost += gaps_is_packet(type);
}

void audience_close(struct audience *a)
{
	for (unsigned i = 0; i < a->count; i++)
		lose_rest(a, a->client[i]);
	while (a->count)
		forget(a->client[--a->count]);
	beginning_free(&a->beginning);
	buffer_free(&a->is_of_first);
}
