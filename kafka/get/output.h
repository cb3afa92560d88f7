/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The file that get writes: one section, with the interfaces of all hosts. */
#ifndef KAFKA_OUTPUT_H
#define KAFKA_OUTPUT_H

#include "kafka/buffer.h"
#include "kafka/options.h"
#include "pcapng/packet.h"
#include "pcapng/read.h"

struct output_interface;

struct output {
	const struct options *o;
	int fd;
	const char *name; /* of the file */
	char *expression; /* NULL: none */
	struct buffer data;
	struct output_interface *table;
	size_t count;
	uint64_t *names; /* of those blocks of names and secrets that are written */
	size_t name_count;
	uint64_t packets, last;
	uint64_t disordered; /* packets that are older than one before */
	int error;	     /* -errno of writing */
};

/* 0, or -1 after a complaint. */
int output_open(struct output *w, const struct options *o);
/* Once there is something to read: what was in the file goes. 0, or -1 after a complaint. */
int output_begin(struct output *w);
/* The number of an interface, which is written if it is new; -1 after a complaint. */
int output_interface(struct output *w, const struct pcapng_block *b, const char *host,
		     const char *comment);
uint64_t output_time(const struct output *w, int interface, uint64_t stamp);
/* ... and back, for a packet that has none. */
uint64_t output_stamp(const struct output *w, int interface, uint64_t time);
/* Names or secrets, each once. */
int output_names(struct output *w, const struct pcapng_block *b);
/* What was asked for is written; the rest is not. time: its stamp in ns. */
int output_packet(struct output *w, const struct pcapng_block *b, const struct pcapng_packet *p,
		  int interface, uint64_t time);
int output_flush(struct output *w);
/* 0, or -1 after a complaint. */
int output_close(struct output *w);

#endif
