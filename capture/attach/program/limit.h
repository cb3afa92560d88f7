/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * A limit on the time that the kernel takes to load the programs of one filter: a second of CPU
 * time. When a signal comes, the verifier ends with EAGAIN. Only a process that owns its SIGALRM
 * can use that, which is the loader.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct load_limit {
	uint64_t cpu_until; /* CLOCK_THREAD_CPUTIME_ID ns */
	uint64_t until;	    /* CLOCK_MONOTONIC ns: even if others use the CPU */
	unsigned seconds;   /* until the next alarm */
};

/* From now on SIGALRM interrupts this process and does nothing else. Returns 0 or -errno. */
int limit_use_alarm(void);
/* until: see above; 0: some 15 s from now, because loading takes longer on a busy machine. */
void limit_begin(struct load_limit *l, uint64_t until);
bool limit_is_over(const struct load_limit *l);
/* Has this attempt used up its CPU time? */
bool limit_is_used(const struct load_limit *l);
/* A load was interrupted: has this thread time for another attempt? If so, begins it. */
bool limit_goes_on(struct load_limit *l);
void limit_end(void);
