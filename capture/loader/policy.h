/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * What the loader process opens for users who have less privilege than it has: captures that keep
 * no frames from the host, on the interfaces that loader.conf names, in the network namespace in
 * which it was started.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct afxdp_options;

/* Did somebody other than root start this process? Then the privilege comes from the file, not from
 * the user. */
bool policy_applies(void);
/*
 * May the user open a capture with these options? If loader.conf allows only tc, hook=auto becomes
 * hook=tc in o. Returns 0, or -EPERM with err written.
 */
int policy_check(struct afxdp_options *o, char *err, size_t size);
/* May the user capture on the interface that was opened? Another interface may have got its name
 * meanwhile. Returns 0, or -EPERM with err written. */
int policy_check_opened(int ifindex, char *err, size_t size);
