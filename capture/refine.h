/* SPDX-License-Identifier: BSD-3-Clause */
/* The filter in user space, on frames as recorded: where the kernel could not run it, or not yet.
 */
#ifndef PCAP_AFXDP_REFINE_H
#define PCAP_AFXDP_REFINE_H

#include <linux/types.h>
#include <stdint.h>

#include "record.h"

struct sock_filter;
struct refine;

/* *r takes a copy of the program. -EINVAL for one that is not valid, -ENOMEM. */
int refine_new(struct refine **r, const struct sock_filter *f, unsigned n, unsigned ifindex);
void refine_free(struct refine *r);
/* The filter's answer: bytes to keep of the frame; 0: not wanted. */
uint32_t refine_run(const struct refine *r, const struct epb_header *record);

#endif
