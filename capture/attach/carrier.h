/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Some drivers take the link down when a program is attached to their XDP hook. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define CARRIER_SAID_AFTER_MS 1000

/* Is the link up, according to its driver? True if the driver does not say. */
bool carrier_is_up(const char *ifname);
/*
 * Wait until the link is up again: for ten seconds at most, or until a signal comes. If it takes
 * longer than a second, the user is told: afxdp_on_wait(). since: CLOCK_MONOTONIC ns when it may
 * have gone down. Returns for how many ns it was down; 0: it was not seen down. *up: is it up now?
 */
uint64_t carrier_await(const char *ifname, uint64_t since, bool *up);

/* Tell the user that this process, or another one, waits for the link. */
void carrier_tell(const char *ifname);
