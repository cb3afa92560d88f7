/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* bench/reader's parts: the least a program can do to read packets, by three interfaces. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct reader_options {
	const char *device, *filter;
	uint32_t snaplen, buffer; /* 0: the interface's own default */
	uint32_t timeout_ms;
	bool immediate;
	bool lowprec; /* time stamps of low precision */
	bool each;    /* select() before each packet, and read that one (pcap) */
	bool latency; /* ask for the time of each frame */
};

/* Frames whose delay is kept. */
#define LATE_MOST 16384

struct reader_tally {
	uint64_t frames, bytes, touched; /* touched keeps the compiler from leaving reads out */
	uint64_t first_ns;		 /* CLOCK_MONOTONIC, of the first frame */
	uint64_t late_ns[LATE_MOST];	 /* of the first frames, in the order in which they came */
	unsigned int timed;
};

struct reader_stats {
	uint64_t received, lost;
	uint64_t interface; /* dropped before a capture could see it */
};

struct reader_ops {
	/* 0, or -1 after telling why on standard error. */
	int (*open)(const struct reader_options *options);
	/* Read what is there; wait up to the timeout if nothing is. Frames, or -1. */
	long (*read)(struct reader_tally *tally);
	/* Make a read return, from a signal handler; NULL: any signal does. */
	void (*wake)(void);
	void (*stats)(struct reader_stats *stats);
	void (*close)(void);
};

extern const struct reader_ops reader_pcap; /* pcap_dispatch */
extern const struct reader_ops reader_xsk;  /* an AF_XDP socket */
extern const struct reader_ops reader_ring; /* the library, without libpcap */

uint64_t reader_now(int clock);

/* What each frame gets: one word of it is read. */
static inline void reader_take(struct reader_tally *tally, const uint8_t *frame, uint32_t caplen)
{
	uint64_t word;

	__builtin_memcpy(&word, frame + 8, sizeof(word));
	tally->touched += word;
	tally->bytes += caplen;
	tally->frames++;
}

/* wall_ns: the frame's time stamp. */
void reader_take_time(struct reader_tally *tally, uint64_t wall_ns);
