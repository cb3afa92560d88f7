/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Which options of a device can be used together. A refusal names the option that was given, and no
 * other. */
#pragma once

#include <stddef.h>

#include "capture/options/options.h"

/* All return 0, or -EINVAL with err written. For a capture on one interface: */
int agree_interface(const struct afxdp_options *o, char *err, size_t size);
/* On all interfaces: */
int agree_any(const struct afxdp_options *o, char *err, size_t size);
/* Of XDP programs that are already attached, and are watched: */
int agree_trace(const struct afxdp_options *o, char *err, size_t size);
/* Of what the host's stack drops: */
int agree_drops(const struct afxdp_options *o, char *err, size_t size);

/* The option that only works at the XDP hook or with a program of ours; NULL: none was given. */
const char *agree_needs_more(const struct afxdp_options *o);
