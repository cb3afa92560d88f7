/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Does a default route use the interface? Then its users may be cut off from the host if the host
 * does not get its frames. */
#pragma once

#include <stddef.h>

struct afxdp_options;
struct facts;

/*
 * Returns -EINVAL with err written if o keeps frames from the host, and a default route of any
 * table uses the interface, or a VLAN, bridge or bond on top of it; also if the routes cannot be
 * read. Returns 0 with yes=on. Looks in the network namespace of the caller.
 */
int default_route_spare(const struct afxdp_options *o, const struct facts *f, char *err,
			size_t size);
