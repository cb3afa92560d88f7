/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Is an interface the way to everywhere else? Who takes its frames away may be cut off. */
#ifndef XDPDUMP_DEFAULT_ROUTE_H
#define XDPDUMP_DEFAULT_ROUTE_H

#include <stdbool.h>

/* In the network namespace of the caller, IPv4 or IPv6, any table; true where that is not known. */
bool default_route_uses(unsigned ifindex);

#endif
