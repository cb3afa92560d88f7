/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * What the loader process opens for users who have less privilege than it has: captures that keep
 * nothing from the host, on the interfaces that loader.conf names, in the network namespace where
 * it was started.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct afxdp_options;

/* Did somebody other than root start this process? Then the file has the privilege, not they. */
bool policy_applies(void);
/*
 * May the user open these options? If loader.conf allows tc alone, hook=auto becomes hook=tc in o.
 * -EPERM with err written.
 */
int policy_check(struct afxdp_options *o, char *err, size_t size);
/* May the user capture on the interface that was opened? Another one may have got the name
 * meanwhile. -EPERM with err written. */
int policy_check_opened(int ifindex, char *err, size_t size);
