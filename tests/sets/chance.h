/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Sets of addresses and prefixes by chance, and frames with addresses of the set, and of others. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define FRAME_MAX  200u
#define FILE_NAME  "addresses"
#define PORTS_NAME "ports"

struct address {
	uint8_t byte[16];
	bool ipv6;
};

struct entry {
	struct address from, to;
};

/* A frame, and its addresses where they are looked at. */
struct frame {
	uint8_t byte[FRAME_MAX];
	unsigned length;
	struct address source, destination;
	unsigned protocol, source_port, destination_port;
	unsigned ports_end; /* so long is it at least where it has ports */
	bool has_addresses, has_ports;
};

/* tcp/1000-1099, udp/2000-2099, 3000-3099 and, of a line of its own, sctp/7 */
#define PORTS "tcp/1000-1099 # a comment\nudp/2000-2099,3000-3099\r\n\nsctp/7\n"

/* Entries as they are in the file, and sorted and joined. */
struct set {
	struct entry *entries, *joined;
	unsigned count, joined_count;
};

extern struct set sets[2], *set;
extern unsigned singles, prefixes, tags_looked_behind;

/* The set in use, of singles and prefixes, and its file. */
void make_set(void);
void make_ports(void);
bool is_in_set(const struct address *a);
/* As qsort() has it. */
int compare(const struct address *a, const struct address *b);
/* Its number in four bytes of its source's link-layer address, and in the last four, unless... */
#define NUMBER_AT 8u
extern bool cuts_frames; /* ... it is cut: some are */
void make_frame(struct frame *f, unsigned number);
