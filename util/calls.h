/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Lists of system calls for seccomp. */
#pragma once

#include <seccomp.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Memory, time and exit: for every process that may only make listed calls. libseccomp leaves out
 * rules for calls that a machine does not have.
 */
#define CALLS_OF_ALL                                                                               \
	SCMP_SYS(close), SCMP_SYS(brk), SCMP_SYS(mmap), SCMP_SYS(mmap2), SCMP_SYS(munmap),         \
		SCMP_SYS(mremap), SCMP_SYS(madvise), SCMP_SYS(futex), SCMP_SYS(futex_time64),      \
		SCMP_SYS(getrandom), SCMP_SYS(clock_gettime), SCMP_SYS(clock_gettime64),           \
		SCMP_SYS(rt_sigreturn), SCMP_SYS(sigreturn), SCMP_SYS(restart_syscall),            \
		SCMP_SYS(exit), SCMP_SYS(exit_group)

/* Add a rule with action (SCMP_ACT_...) for all n calls, whatever their arguments. Returns 0 or
 * -errno. */
static inline int calls_add(scmp_filter_ctx s, uint32_t action, const int *calls, size_t n)
{
	int e = 0;

	for (size_t i = 0; i < n && !e; i++)
		e = seccomp_rule_add(s, action, calls[i], 0);
	return e;
}
