/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Block signals, so that no signal handler of the application runs in this thread meanwhile. Also
 * used while the kernel loads a program: it gives up whenever a signal comes (EAGAIN), and libbpf
 * tries at most five times.
 */
#pragma once

#include <pthread.h>
#include <signal.h>

static inline void hold_signals(sigset_t *before)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, before);
}

static inline void release_signals(const sigset_t *before)
{
	pthread_sigmask(SIG_SETMASK, before, NULL);
}
