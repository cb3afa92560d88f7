/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Some drivers take the link down for a program that comes to their XDP hook. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define CARRIER_SAID_AFTER_MS 1000

/* Is the link up, as its driver sees it? True where it does not say. */
bool carrier_is_up(const char *ifname);
/*
 * Wait until the link is up again, for ten seconds at most, and less if a signal comes. What lasts
 * longer than a second is said: afxdp_on_wait(). Returns the ns that it was down since then,
 * CLOCK_MONOTONIC ns; 0: it was not seen down. *up: it is up now.
 */
uint64_t carrier_await(const char *ifname, uint64_t since, bool *up);

/* Say that it is waited for; or that another process does. */
void carrier_tell(const char *ifname);
