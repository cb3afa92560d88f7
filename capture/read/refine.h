/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The filter in user space, for recorded frames that the kernel has not run it on. */
#pragma once

#include <linux/types.h>
#include <stdbool.h>
#include <stdint.h>

#include "bpf/record.h"
#include "filter/filter.h"

struct sock_filter;
struct afxdp_matcher;

/*
 * Copy the program into *r. tags_beside: the program sees VLAN tags as a packet socket's filter
 * does; then one thread at a time may use r, and the frame is changed during each call. Returns 0;
 * -EINVAL: not a valid program; -ENOMEM.
 */
int refine_new(struct afxdp_matcher **r, const struct sock_filter *f, unsigned n, unsigned ifindex,
	       bool tags_beside);
/* The same for records of all interfaces, and a program compiled for that link type. It also
 * changes the frame. Also returns -EOPNOTSUPP if filter_cook_record() does, which writes err. */
int refine_new_cooked(struct afxdp_matcher **r, const struct sock_filter *f, unsigned n,
		      enum filter_link link, char *err, size_t size);
/* NULL is allowed. */
void refine_free(struct afxdp_matcher *r);
/* Run the filter. Returns how many bytes of the recorded frame to keep, which may be more than it
 * has; 0: it does not match. caplen: from epb_measure(). */
uint32_t refine_run(struct afxdp_matcher *r, const struct epb_header *record, uint32_t caplen);
