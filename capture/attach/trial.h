/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* In place of attaching: would the kernel do it? */
#ifndef PCAP_AFXDP_TRIAL_H
#define PCAP_AFXDP_TRIAL_H

#include "program.h"

/*
 * 0, or the -errno that attaching would give, as far as the kernel tells without attaching. What a
 * driver refuses for a reason of its own, such as its MTU, shows only when it is asked to attach.
 */
int trial_attach(const struct program *p, const struct image *i, const struct afxdp_options *o,
		 const struct facts *f);

#endif
