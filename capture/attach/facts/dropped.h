/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * What an interface has dropped, from /sys. Netlink's answer would wait for the kernel's lock of
 * all interfaces (RTNL), which the removal of a thousand of them holds for seconds.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct dropped {
	int missed, fifo; /* descriptors; -1: not available */
};

/* Does rx_fifo_errors of this driver include rx_missed_errors? */
bool dropped_is_all_fifo(const char *driver);
/* dropped_read() works on without the privileges and other rights that a program gives up later. */
void dropped_open(struct dropped *d, const char *ifname, int ifindex, const char *driver);
void dropped_close(struct dropped *d);
/* rx_missed_errors and rx_fifo_errors so far, counting each frame once. False: ask elsewhere. */
bool dropped_read(const struct dropped *d, uint64_t *n);

/* Open another of the interface's counters, by its name in /sys. The caller closes the descriptor.
 * -1: not available. */
int dropped_open_counter(const char *ifname, int ifindex, const char *name);
bool dropped_read_counter(int fd, uint64_t *n);
