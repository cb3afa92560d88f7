/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * How long the kernel may take to load the programs of one filter. The verifier ends with EAGAIN at
 * a signal. Only a process whose SIGALRM is its own, as the loader's, can use that.
 */
#ifndef PCAP_AFXDP_LIMIT_H
#define PCAP_AFXDP_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

struct load_limit {
	uint64_t cpu_until; /* of this thread, ns */
	unsigned seconds;   /* from one alarm to the next */
};

/* From here on SIGALRM interrupts this process and does nothing else. -errno. */
int limit_use_alarm(void);
void limit_begin(struct load_limit *l);
/* A load was interrupted: is it worth another try? */
bool limit_goes_on(struct load_limit *l);
void limit_end(void);

#endif
