/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Does a capture open, and run a filter in the kernel? And with another compiler's programs? */
#pragma once

#include <stdbool.h>

#include "capture/options/options.h"

/* What is opened from here on has the programs of this object file. -errno. */
int opens_use(const char *object);

/* o, completed by the options of a device name. False, and said why. */
bool opens(const char *device, struct afxdp_options o);
