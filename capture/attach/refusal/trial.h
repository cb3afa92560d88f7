/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Instead of attaching a program, find out whether the kernel would attach it. */
#pragma once

#include "capture/attach/program/program.h"

/*
 * Returns 0, or the -errno that attaching would return, as far as the kernel says so without
 * attaching. What a driver itself objects to, such as the MTU, shows only when it is attached.
 */
int trial_attach(const struct program *p, const struct image *i, const struct afxdp_options *o,
		 const struct facts *f);
