/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <stdint.h>
#include <sys/types.h>

#include "again.h"
#include "clock.h"

#define SAME_NS ((uint64_t)NS_PER_SEC)

/* The last signal that counted. sender 0: the kernel. */
static struct {
	int number;
	pid_t sender;
	uint64_t time;
} last;

bool signal_comes_again(int number, const siginfo_t *info)
{
	pid_t sender = info->si_code == SI_KERNEL ? 0 : info->si_pid;
	uint64_t now = clock_monotonic();

	if (sender && number == last.number && (!last.sender || last.sender == sender) &&
	    now - last.time < SAME_NS)
		return true;
	last.number = number;
	last.sender = sender;
	last.time = now;
	return false;
}
