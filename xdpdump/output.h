/* SPDX-License-Identifier: BSD-3-Clause */
/* What becomes of the packets: an output takes records and knows how many of them arrived. */
#ifndef XDPDUMP_OUTPUT_H
#define XDPDUMP_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "capture.h"
#include "interfaces.h"

/* Of the capture, for those who write it down. */
struct output_context {
	const struct interface *interface;
	const char *place;  /* where it captures, in words */
	bool raw_ip;	    /* frames begin with an IP header, not with an Ethernet header */
	const char *filter; /* the expression, or NULL */
	uint32_t snaplen;
	bool hex;
};

/* How the capture went, for an output that ends with it. ns since 1970. */
struct output_end {
	struct capture_stats stats;
	uint64_t start_time, end_time;
};

struct output {
	const struct output_ops *ops;
	const char *name;
	uint64_t packets; /* that arrived whole */
	uint64_t bytes;
};

/*
 * All return 0 or -errno. After a failure the target ends with the last packet that fits, packets
 * says how many there are, and only finish, which then writes nothing more, may be called.
 */
struct output_ops {
	/* n records that lie behind each other, from first to before end, as they are */
	int (*records)(struct output *o, const struct epb_header *first,
		       const struct epb_header *end, uint64_t n);
	/* one record with less of its frame */
	int (*cut)(struct output *o, const struct epb_header *r, uint32_t caplen);
	/* all that was taken leaves the process */
	int (*flush)(struct output *o);
	/* the last words; packets is final after it */
	int (*finish)(struct output *o, const struct output_end *end);
	void (*free)(struct output *o);
};

/* -errno if the target cannot be opened or the beginning cannot be written. */
int output_file_open(struct output **o, const char *path, const struct output_context *c);
int output_text_open(struct output **o, const struct output_context *c);

#endif
