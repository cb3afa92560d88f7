/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "grace.h"

/* If the kernel cannot wait for programs: far longer than any program works on a frame. */
#define GRACE_NS (10 * NS_PER_MS)

void grace_wait(void)
{
	struct timespec grace = {.tv_nsec = GRACE_NS};

	/* It waits for all RCU readers, which running programs are. */
	if (syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0))
		while (nanosleep(&grace, &grace) && errno == EINTR)
			;
}
