/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <inttypes.h>
#include <stdio.h>
#include <sys/random.h>
#include <unistd.h>

#include "util/clock.h"
#include "util/unique.h"

void unique_name(char to[UNIQUE_ROOM])
{
	uint64_t n = 0;

	if (getrandom(&n, sizeof(n), 0) != sizeof(n))
		n = clock_wall() ^ (uint64_t)getpid() << 48;
	snprintf(to, UNIQUE_ROOM, "%016" PRIx64, n);
}
