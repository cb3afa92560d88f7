/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * What the loader process opens for users who have less privilege than it has: captures that look
 * on, of the interfaces that loader.conf names, in the network namespace that it was started in.
 */
#ifndef PCAP_AFXDP_LOADER_POLICY_H
#define PCAP_AFXDP_LOADER_POLICY_H

#include <stdbool.h>
#include <stddef.h>

struct afxdp_options;

/* Was it started by somebody else than root? Then the privilege is its file's, not theirs. */
bool policy_applies(void);
/*
 * May these be opened? Where loader.conf leaves the choice of a hook no freedom, o gets it.
 * -errno with err written.
 */
int policy_check(struct afxdp_options *o, char *err, size_t size);
/* Is what was opened an interface that may be? A name may have become another's meanwhile. */
int policy_check_opened(int ifindex, char *err, size_t size);

#endif
