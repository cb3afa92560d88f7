/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What failing.so exports to a program that looks for it, by dlsym(). */
#pragma once

#include <stdbool.h>

/* The nth call from here on fails; each_site: of those that come from a place of their own. 0:
 * none. */
typedef void failing_arm_fn(unsigned long n, bool each_site);
failing_arm_fn failing_arm;
/* No call fails from here on. Which one did, and who made it; "": none. */
typedef const char *failing_disarm_fn(void);
failing_disarm_fn failing_disarm;
