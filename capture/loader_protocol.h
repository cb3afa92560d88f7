/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Between a capture (loader.c) and its loader process (loader_main.c), over a stream socket. One
 * setup, answered; then requests, each answered. Both come from one build, which version makes
 * sure.
 */
#ifndef PCAP_AFXDP_LOADER_PROTOCOL_H
#define PCAP_AFXDP_LOADER_PROTOCOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tap.h"

enum loader_task {
	LOADER_SWAP, /* count images follow: the tap is open, and the descriptors are inherited */
	LOADER_OPEN, /* struct capture_options follows: open the tap, and send it */
};

struct loader_setup {
	char version[32];
	uint32_t task;
	uint32_t count;
	struct stamp_change stamps; /* to be put back at the end, through socket */
	int32_t socket;		    /* inherited under the same number */
};

struct loader_image { /* n instructions follow */
	char name[16];
	uint32_t n, type, flags, ifindex, no_link_header, place;
	int32_t fd; /* inherited under the same number */
};

struct loader_request { /* n classic instructions follow */
	uint32_t n, generation;
};

struct loader_reply {  /* log_length bytes of text follow */
	int32_t error; /* 0 or -errno */
	int32_t pid;   /* the loader's */
	uint32_t rung;
	uint32_t log_length;
};

#define LOADER_LOG_MAX (1u << 20)

/*
 * All of it, or false: the other side is gone, or deadline (CLOCK_MONOTONIC ns; 0: none) has
 * passed.
 */
bool loader_send(int fd, const void *data, size_t size, uint64_t deadline);
bool loader_receive(int fd, void *data, size_t size, uint64_t deadline);
/* The tap with its descriptors (SCM_RIGHTS): on arrival they have the receiver's numbers. */
bool loader_send_tap(int fd, const struct tap *t);
bool loader_receive_tap(int fd, struct tap *t, uint64_t deadline);

#endif
