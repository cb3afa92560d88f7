/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Instead of attaching: would the kernel attach it? */
#pragma once

#include "capture/attach/program/program.h"

/*
 * 0, or the -errno that attaching would return, as far as the kernel says so without attaching. A
 * driver refuses for reasons of its own, such as the MTU, only at the attachment.
 */
int trial_attach(const struct program *p, const struct image *i, const struct afxdp_options *o,
		 const struct facts *f);
