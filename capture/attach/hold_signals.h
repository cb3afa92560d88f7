/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Signals of the application wait: no handler of its runs in between, in this thread. So they do
 * while the kernel loads a program, too: it gives up for each that comes (EAGAIN), and libbpf
 * tries no more than five times.
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
