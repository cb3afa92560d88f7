/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#pragma once

/* For calls that fail only if the test program is wrong, but whose status must be checked because
 * libpcap 1.11 asks for that. */

#include <pcap/pcap.h>
#include <stdio.h>
#include <stdlib.h>

static inline void no_error(int status)
{
	if (status >= 0 || status == PCAP_ERROR_BREAK)
		return;
	fprintf(stderr, "%s, which no test is made for\n", pcap_statustostr(status));
	exit(2);
}
