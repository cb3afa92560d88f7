/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The process that serves --listen: blocks come by a pipe, and go to all who are connected. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* How it stands, for the process that captures: memory that both have. */
struct serve_state {
	_Atomic uint64_t clients, joined; /* now; so far */
	_Atomic uint64_t refused;	  /* readers that found no room */
	_Atomic uint64_t lost;		  /* packets that readers were too slow for, of each */
	_Atomic uint64_t given_up;	  /* readers, as they took nothing for long */
	_Atomic uint64_t moved;		  /* when one last took something, monotonic */
};

/*
 * Confines this process, where the kernel can, and goes on until the pipe ends, and who reads has
 * all, or takes nothing, or too little. -errno.
 */
int serve(int pipe, int listener, bool is_pcap, struct serve_state *state);
