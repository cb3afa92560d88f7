/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Is an interface a default route? Keeping its frames from the host may cut the user off. */
#ifndef PCAP_AFXDP_DEFAULT_ROUTE_H
#define PCAP_AFXDP_DEFAULT_ROUTE_H

#include <stddef.h>

struct afxdp_options;
struct facts;

/*
 * Refuse to keep frames from the host where they come by its default route, of any table, also that
 * of a VLAN, bridge or bond on top of the interface, unless yes=on. In the network namespace of the
 * caller. -EINVAL with the reason, also where the routes are not known.
 */
int default_route_spare(const struct afxdp_options *o, const struct facts *f, char *err,
			size_t size);

#endif
