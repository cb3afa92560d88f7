/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Does a capture open, and run a filter in the kernel? And with another compiler's programs? */
#ifndef PCAP_AFXDP_TESTS_OPENS_H
#define PCAP_AFXDP_TESTS_OPENS_H

#include <stdbool.h>

#include "capture/options/options.h"

/* What is opened from here on has the programs of this object file. -errno. */
int opens_use(const char *object);

/* o, completed by the options of a device name. False, and said why. */
bool opens(const char *device, struct afxdp_options o);

#endif
