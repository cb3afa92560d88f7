/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Signals wait while the kernel loads a program: it gives up for each that comes (EAGAIN), and
 * libbpf tries no more than five times. A timer of the application would end all of them, or a
 * trial by which libbpf sees what the kernel can do.
 */
#ifndef PCAP_AFXDP_SIGNALS_H
#define PCAP_AFXDP_SIGNALS_H

#include <pthread.h>
#include <signal.h>

static inline void signals_hold(sigset_t *before)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, before);
}

static inline void signals_release(const sigset_t *before)
{
	pthread_sigmask(SIG_SETMASK, before, NULL);
}

#endif
