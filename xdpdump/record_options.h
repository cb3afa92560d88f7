/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of a record that not every record has. */
#ifndef XDPDUMP_RECORD_OPTIONS_H
#define XDPDUMP_RECORD_OPTIONS_H

#include "capture.h"

struct record_options {
	bool has_verdict, has_hash, has_nic_time;
	uint64_t verdict; /* XDP_... */
	uint8_t hash_algorithm;
	uint32_t hash;
	uint64_t dropped; /* before it, since the record before on the same ring */
	uint64_t nic_time;
};

void record_options_read(struct record_options *o, const struct epb_header *r);
/* "PASS"; of a value that the kernel does not know "UNKNOWN". */
const char *verdict_name(uint64_t verdict);

#endif
