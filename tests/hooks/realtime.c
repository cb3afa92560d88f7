/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* To be preloaded: the kernel says of itself that it is PREEMPT_RT. */
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

int uname(struct utsname *u)
{
	if (syscall(SYS_uname, u))
		return -1;
	snprintf(u->version, sizeof(u->version), "#1 SMP PREEMPT_RT");
	return 0;
}
