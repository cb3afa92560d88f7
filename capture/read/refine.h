/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The filter in user space, on frames as recorded: where the kernel could not run it, or not yet.
 */
#ifndef PCAP_AFXDP_REFINE_H
#define PCAP_AFXDP_REFINE_H

#include <linux/types.h>
#include <stdbool.h>
#include <stdint.h>

#include "bpf/record.h"
#include "filter/filter.h"

struct sock_filter;
struct afxdp_matcher;

/*
 * *r takes a copy of the program. tags_beside: it sees VLAN tags as a packet socket's does; then r
 * is for one thread at a time. -EINVAL for a program that is not valid, -ENOMEM.
 */
int refine_new(struct afxdp_matcher **r, const struct sock_filter *f, unsigned n, unsigned ifindex,
	       bool tags_beside);
/* The same for records of all interfaces, and a program for such a link. */
int refine_new_cooked(struct afxdp_matcher **r, const struct sock_filter *f, unsigned n,
		      enum filter_link link);
void refine_free(struct afxdp_matcher *r);
/* The filter's answer: bytes to keep of the frame as recorded; 0: not wanted. */
uint32_t refine_run(struct afxdp_matcher *r, const struct epb_header *record, uint32_t caplen);

#endif
