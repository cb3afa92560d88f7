/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * A limit on the time that the kernel needs to load the programs of one filter: a second of CPU. At
 * a signal the verifier ends with EAGAIN. Only a process that owns its SIGALRM can use that: the
 * loader.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct load_limit {
	uint64_t cpu_until; /* CLOCK_THREAD_CPUTIME_ID ns */
	uint64_t until;	    /* CLOCK_MONOTONIC ns: whoever has the CPU */
	unsigned seconds;   /* until the alarm */
};

/* From here on SIGALRM interrupts this process and does nothing else. -errno. */
int limit_use_alarm(void);
/* until: as above, or 0: some 15 s from here on, of which a busy machine needs some. */
void limit_begin(struct load_limit *l, uint64_t until);
bool limit_is_over(const struct load_limit *l);
/* This try had all of its CPU time. */
bool limit_is_used(const struct load_limit *l);
/* A load was interrupted: has this thread time left for another try? */
bool limit_goes_on(struct load_limit *l);
void limit_end(void);
