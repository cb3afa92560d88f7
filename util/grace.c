/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "grace.h"

/* Far longer than any program works on a frame; where the kernel cannot wait for them. */
#define GRACE_NS (10 * NS_PER_MS)

void grace_wait(void)
{
	struct timespec grace = {.tv_nsec = GRACE_NS};

	/* It waits for all readers of RCU, which running programs are. */
	if (syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0))
		while (nanosleep(&grace, &grace) && errno == EINTR)
			;
}
