/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The process that serves --listen: blocks come through a pipe, and go to all readers. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Its state, in memory shared with the capturing process. */
struct serve_state {
	_Atomic uint64_t clients, joined; /* readers now; readers so far */
	_Atomic uint64_t refused;	  /* readers turned away without room */
	_Atomic uint64_t lost;	   /* packets that readers were too slow for, summed over readers */
	_Atomic uint64_t given_up; /* readers dropped because they took nothing for long */
	_Atomic uint64_t moved;	   /* when a reader last took something, CLOCK_MONOTONIC */
};

/*
 * Confines this process, if the kernel can, and serves until the pipe ends and all readers have
 * everything, or take nothing or too little. Returns 0 or -errno.
 */
int serve(int pipe, int listener, bool is_pcap, struct serve_state *state);
