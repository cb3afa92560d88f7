/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Does the driver give received frames to the XDP program that it has accepted? Some accept one and
 * never run it. From the attach until the first frame has come, what the interface has counted is
 * compared with what the program was offered. This costs nothing per frame.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct ring_set; /* from capture/ring/ring.h */

enum proof_verdict {
	PROOF_WAITS, /* too few frames so far */
	PROOF_CAME,  /* the program sees frames: no need to look again */
	PROOF_NONE,  /* frames were received, and none of them came to the program */
	PROOF_ENDED, /* this cannot be found out: the interface is gone */
};

struct proof {
	int received, multicast;      /* the interface's counters in /sys; -1: not open */
	const struct ring_set *rings; /* belong to the caller, and are mapped */
	const uint64_t *no_ring;      /* frames on CPUs without a ring, by side; mapped */
	bool when_armed;	      /* the program is offered nothing before somebody reads */
	uint64_t before;    /* what the interface had counted at the beginning, without multicast */
	uint64_t last;	    /* the interface's count at the last look */
	unsigned refreshes; /* number of looks that found it changed */
};

/*
 * Call it before the attach, or soon after. False: /sys is not that of this network namespace, and
 * nothing is open. The descriptors can be read without privilege, and under a seccomp filter that
 * allows pread64().
 */
bool proof_open(struct proof *p, const char *ifname, int ifindex);
/* Begin: what came before does not count. The program must not have been offered anything yet. */
void proof_begin(struct proof *p, const struct ring_set *rings, const uint64_t *no_ring,
		 bool when_armed);
/* May be called again. */
void proof_close(struct proof *p);
/* Call it once a second, because drivers refresh their counters about that often. */
enum proof_verdict proof_look(struct proof *p);
/* How many frames the interface has counted since the beginning, and how many of them did not
 * come. */
void proof_count(const struct proof *p, uint64_t *received, uint64_t *missed);
