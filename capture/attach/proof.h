/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Does the driver give received frames to the XDP program that it has taken? Some take it and never
 * run it. What the interface has counted is held against what the program was offered, from the
 * attach on and until the first frame has come. Frames pay nothing for that.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct ring_set; /* of capture/ring/ring.h */

enum proof_verdict {
	PROOF_WAITS, /* too few frames so far */
	PROOF_CAME,  /* the program sees frames: there is nothing more to look at */
	PROOF_NONE,  /* frames were received, and none came to the program */
	PROOF_ENDED, /* nothing can be known: the interface is gone */
};

struct proof {
	int received, multicast;      /* what the interface has counted, in /sys; -1: none */
	const struct ring_set *rings; /* the caller's, mapped */
	const uint64_t *no_ring;      /* frames on CPUs without a ring, by side, mapped */
	bool when_armed;	      /* the program is offered nothing before somebody reads */
	uint64_t before;	      /* what the interface had counted, multicast set aside */
	uint64_t last;		      /* the interface's count at the last look */
	unsigned refreshes;	      /* looks that found another one */
};

/*
 * Call it before the attach, or soon after. False: /sys is not that of this network namespace, and
 * nothing is open. The descriptors go on without privilege, and in a process with seccomp that has
 * pread64().
 */
bool proof_open(struct proof *p, const char *ifname, int ifindex);
/* From here on: what came before does not count. The program has been offered nothing yet. */
void proof_begin(struct proof *p, const struct ring_set *rings, const uint64_t *no_ring,
		 bool when_armed);
/* Again is allowed. */
void proof_close(struct proof *p);
/* Once a second: drivers refresh their counters about as often. */
enum proof_verdict proof_look(struct proof *p);
/* What the interface has counted since the beginning, and how much of that did not come. */
void proof_count(const struct proof *p, uint64_t *received, uint64_t *missed);
