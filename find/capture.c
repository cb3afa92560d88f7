/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <string.h>

#include "find/capture.h"
#include "pcapng/write.h"

#define CHUNK	      (1u << 17)
#define RECORD_LEAST  sizeof(struct savefile_record)
#define RECORD_LONGER (RECORD_LEAST + 8)

/* Reads until there are `want` bytes. Returns how many there are: fewer if the file ends, or
 * -errno. */
static ssize_t fill(struct capture *c, size_t want)
{
	while (c->data.used - c->at < want && !c->has_ended) {
		ssize_t got;
		int e;

		buffer_drop(&c->data, c->at);
		c->at = 0;
		e = buffer_reserve(&c->data, want > CHUNK ? want : CHUNK);
		if (e)
			return e;
		got = source_read(&c->source, c->data.at + c->data.used,
				  c->data.room - c->data.used);
		if (got == -EBADMSG)
			c->fault = c->source.fault;
		else if (got < 0)
			return got;
		c->has_ended = got <= 0;
		c->data.used += got > 0 ? (size_t)got : 0;
	}
	return (ssize_t)(c->data.used - c->at);
}

static const uint8_t *here(const struct capture *c)
{
	return c->data.at + c->at;
}

static void step(struct capture *c, size_t n)
{
	c->at += n;
	c->position += n;
}

static bool is_savefile(struct capture *c)
{
	struct savefile_header *h = &c->savefile;

	memcpy(h, here(c), sizeof(*h));
	for (unsigned swapped = 0; swapped < 2; swapped++) {
		uint32_t magic = pcapng_u32(here(c), swapped);

		c->swapped = swapped;
		if (magic != SAVEFILE_US && magic != SAVEFILE_NS && magic != SAVEFILE_MODIFIED)
			continue;
		h->magic = magic;
		h->snaplen = pcapng_u32((uint8_t *)&h->snaplen, swapped);
		h->link_type = pcapng_u32((uint8_t *)&h->link_type, swapped) & UINT16_MAX;
		if (h->snaplen == 0 || h->snaplen > SNAPLEN_MOST)
			h->snaplen = SNAPLEN_MOST;
		c->record = magic == SAVEFILE_MODIFIED ? RECORD_LONGER : RECORD_LEAST;
		h->major = pcapng_u16((uint8_t *)&h->major, swapped);
		h->minor = pcapng_u16((uint8_t *)&h->minor, swapped);
		if (!savefile_is_known(h->major, h->minor))
			c->fault = "its version is unknown";
		return true;
	}
	return false;
}

int capture_open(struct capture *c, int fd)
{
	ssize_t got;
	int e;

	*c = (struct capture){.swapped = false};
	e = source_open(&c->source, fd);
	if (e)
		return e;
	got = fill(c, sizeof(struct savefile_header));
	if (got < 0)
		return (int)got;
	if (c->fault) /* damaged compressed data: capture_next() reports it */
		return 0;
	if ((size_t)got >= sizeof(struct savefile_header) && is_savefile(c)) {
		c->is_savefile = true;
		return 0;
	}
	c->swapped = false;
	return got >= 4 && pcapng_u32(here(c), false) == BLOCK_SECTION ? 0 : -ENOMSG;
}

/* The file has ended. If that is inside a block, it is cut, or still being written. */
static int end(struct capture *c, size_t left)
{
	c->is_cut = left > 0 || c->source.is_cut;
	return 0;
}

static int fault(struct capture *c, const char *why)
{
	c->fault = why;
	return 0;
}

static int next_block(struct capture *c, struct pcapng_block *b)
{
	size_t want = BLOCK_LENGTH_MIN;

	for (;;) {
		struct pcapng_reader r = {.swapped = c->swapped};
		ssize_t got = fill(c, want);

		if (got < 0)
			return (int)got;
		r.at = here(c);
		r.end = r.at + got;
		if (pcapng_next(&r, b)) {
			c->swapped = r.swapped;
			step(c, b->length + BLOCK_LENGTH_MIN);
			return 1;
		}
		if (r.fault)
			return fault(c, r.fault);
		if ((size_t)got < want || want > BLOCK_LENGTH_MIN)
			return end(c, (size_t)got);
		want = pcapng_u32(r.at + 4, r.swapped);
		if (want > CAPTURE_BLOCK_MOST)
			return fault(c, "its length is impossible");
	}
}

/* Makes the section or the interface block of a pcap file. Returns 1. */
static int make_header(struct capture *c, struct pcapng_block *b)
{
	struct bytes bytes = {.at = c->memory, .room = sizeof(c->memory)};
	struct pcapng_reader r = {.at = c->memory};

	if (c->told++ == 0)
		pcapng_put_section(&bytes, &(struct pcapng_section){.comment = NULL});
	else
		pcapng_put_interface(&bytes,
				     &(struct pcapng_interface){.link_type = (uint16_t)c->savefile
										     .link_type,
								.snaplen = c->savefile.snaplen});
	if (c->told == 2) /* the pcap header stands for both */
		step(c, sizeof(struct savefile_header));
	r.end = r.at + bytes.used;
	return pcapng_next(&r, b);
}

static uint64_t time_of(const struct capture *c)
{
	uint64_t fraction = pcapng_u32(here(c) + 4, c->swapped);

	if (c->savefile.magic != SAVEFILE_NS)
		fraction *= 1000;
	return pcapng_u32(here(c), c->swapped) * 1000000000ull + fraction;
}

/* libpcap does not read longer packets either, and cuts packets to the file's snaplen. */
static int next_record(struct capture *c, struct capture_item *to)
{
	ssize_t got = fill(c, c->record);
	uint32_t caplen, len;

	if (got < (ssize_t)c->record)
		return got < 0 ? (int)got : end(c, (size_t)got);
	caplen = pcapng_u32(here(c) + 8, c->swapped);
	len = pcapng_u32(here(c) + 12, c->swapped);
	if (savefile_turns_lengths(c->savefile.major, c->savefile.minor, caplen, len)) {
		len = caplen;
		caplen = pcapng_u32(here(c) + 12, c->swapped);
	}
	if (caplen > SNAPLEN_MOST)
		return fault(c, "its length is impossible");
	got = fill(c, (size_t)c->record + caplen);
	if (got < (ssize_t)(c->record + caplen))
		return got < 0 ? (int)got : end(c, (size_t)got);
	to->block = (struct pcapng_block){.type = BLOCK_ENHANCED_PACKET};
	to->packet =
		(struct pcapng_packet){.has_time = true,
				       .stamp = time_of(c),
				       .caplen = caplen < c->savefile.snaplen ? caplen
									      : c->savefile.snaplen,
				       .len = len,
				       .frame = here(c) + c->record};
	to->is_packet = true;
	step(c, (size_t)c->record + caplen);
	return 1;
}

int capture_next(struct capture *c, struct capture_item *to)
{
	int e;

	*to = (struct capture_item){.is_packet = false};
	if (c->fault)
		return 0;
	if (c->is_savefile)
		return c->told < 2 ? make_header(c, &to->block) : next_record(c, to);
	e = next_block(c, &to->block);
	if (e != 1 || !pcapng_is_packet(to->block.type))
		return e;
	to->is_packet = pcapng_packet_read(&to->packet, &to->block);
	return to->is_packet ? 1 : fault(c, "a packet is longer than its block");
}

int capture_seek(struct capture *c, uint64_t position, uint64_t start, uint64_t skip)
{
	uint64_t ahead = position - c->position; /* if that is backward, a huge number */
	int e;

	if (ahead <= c->data.used - c->at) {
		step(c, (size_t)ahead);
		return 0;
	}
	c->data.used = c->at = 0;
	c->has_ended = false;
	c->position = position;
	e = source_seek(&c->source, start, skip);
	if (e != -EBADMSG)
		return e;
	c->fault = c->source.fault;
	return 0;
}

void capture_close(struct capture *c)
{
	source_close(&c->source);
	buffer_free(&c->data);
	*c = (struct capture){.source = {.fd = -1}};
}
