/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Which options of a device go together. A refusal names the one that was given, and no other. */
#pragma once

#include <stddef.h>

#include "capture/options/options.h"

/* All return 0, or -EINVAL with err written. Of one interface: */
int agree_interface(const struct afxdp_options *o, char *err, size_t size);
/* Of all: */
int agree_any(const struct afxdp_options *o, char *err, size_t size);
/* Of XDP programs that are there already, and are watched: */
int agree_trace(const struct afxdp_options *o, char *err, size_t size);
/* Of what the host's stack drops: */
int agree_drops(const struct afxdp_options *o, char *err, size_t size);

/* The option that only the XDP hook or a program of ours can obey; NULL: none was given. */
const char *agree_needs_more(const struct afxdp_options *o);
