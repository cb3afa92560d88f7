/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <stddef.h>

#include "confine.h"
#include "util/calls.h"

/* From now on no file is opened, no process started, and no signal sent. */
static const int allowed[] = {
	CALLS_OF_ALL,	     SCMP_SYS(poll),	SCMP_SYS(ppoll),
	SCMP_SYS(getpid),    SCMP_SYS(sysinfo), /* glibc's qsort(), before 2.37 */
	SCMP_SYS(setitimer),			/* limit.c */
};

/* Only through fd: a packet socket that is kept here must not send. i386 uses recv and send. */
static int allow_socket(scmp_filter_ctx s, int fd)
{
	static const int transfers[] = {SCMP_SYS(recvfrom), SCMP_SYS(sendmsg), SCMP_SYS(sendto),
					SCMP_SYS(recv), SCMP_SYS(send)};
	int e = 0;

	for (size_t i = 0; i < sizeof(transfers) / sizeof(transfers[0]) && !e; i++)
		e = seccomp_rule_add(s, SCMP_ACT_ALLOW, transfers[i], 1,
				     SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)fd));
	return e;
}

/* libbpf raises RLIMIT_MEMLOCK of this process on kernels before 5.11. Other processes' limits must
 * not be changed. */
static int allow_own_limits(scmp_filter_ctx s)
{
	return seccomp_rule_add(s, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 1, SCMP_A0(SCMP_CMP_EQ, 0));
}

scmp_filter_ctx confine_to(int fd)
{
	scmp_filter_ctx s = seccomp_init(SCMP_ACT_KILL_PROCESS);
	int e = s ? allow_socket(s, fd) : 0;

	if (s && !e)
		e = allow_own_limits(s);
	if (s && !e)
		e = calls_add(s, SCMP_ACT_ALLOW, allowed, sizeof(allowed) / sizeof(allowed[0]));
	if (!e)
		return s;
	seccomp_release(s);
	return NULL;
}
