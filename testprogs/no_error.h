/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#pragma once

/* Calls that fail by a mistake of the program alone, where libpcap asks that their status is looked
 * at, as 1.11 does. */

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
