/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Why an XDP program cannot be attached, and what to do about it. */
#pragma once

#include <stddef.h>

#include "capture/options/options.h"
#include "capture/attach/facts/facts.h"

/* What to do if XDP is not available: leave out what was asked for and needs it. */
const char *refusal_remedy(const struct afxdp_options *o);
/*
 * Explain in err why BPF_LINK_CREATE for the XDP hook returned e. words: what the driver said; "":
 * nothing. These numbers mean something else than those of other calls: -ENOMEM may mean too few
 * queues. So this returns -EBUSY if another program holds the hook, -ENODEV if the interface has
 * gone, -EMFILE and -ENFILE, and -EOPNOTSUPP for any other objection of the kernel or the driver.
 */
int refusal_explain(int e, const char *words, const struct afxdp_options *o, const struct facts *f,
		    char *err, size_t size);
