/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Why an XDP program cannot be attached, and what to do. */
#pragma once

#include <stddef.h>

#include "capture/options/options.h"
#include "capture/attach/facts/facts.h"

/* What to do where XDP cannot be had: of what was asked for, leave out what needs it. */
const char *refusal_remedy(const struct afxdp_options *o);
/*
 * BPF_LINK_CREATE for the XDP hook returned e, and the driver said words; "": it did not. err is
 * written. Its numbers mean other things than those of other calls: -ENOMEM may be too few queues.
 * So returned is -EBUSY where another program holds the hook, -ENODEV where the interface has gone,
 * -EMFILE and -ENFILE, and -EOPNOTSUPP for whatever else the kernel or the driver has against it.
 */
int refusal_explain(int e, const char *words, const struct afxdp_options *o, const struct facts *f,
		    char *err, size_t size);
