/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Signals set flags; others do what they ask for. */
#pragma once

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>

struct afxdp_reader;

/* Atomic, because several threads read them; lock-free on Linux, so safe in a handler. */
/* How often the user asked to end. 1: finish everything; more: at once, and lose the rest. */
extern volatile _Atomic sig_atomic_t signals_stop;
/* The user asked for statistics; cleared when they are printed. */
extern volatile _Atomic sig_atomic_t signals_report;
/* How often a new file, or a flush of collected packets, was asked for; each reader compares. */
extern volatile _Atomic sig_atomic_t signals_rotate, signals_flush;

/*
 * Catch SIGINT, SIGTERM, SIGUSR1, SIGUSR2, SIGALRM and, unless it is ignored, SIGHUP. SIGPIPE and
 * SIGXFSZ (ulimit -f) are ignored, because write() returns these errors. With asks, a SIGHUP that a
 * process sent is counted in signals_rotate: it asks for a new file, and to read files of addresses
 * again. The SIGHUP of a lost terminal always ends.
 */
void signals_catch(bool asks);
/*
 * From now on a signal ends the sleep of this reader. Pass NULL before it is closed: afterwards no
 * handler uses it.
 */
void signals_wake(struct afxdp_reader *r);
/* End the sleep of that reader, if there is one. From any thread, and in a handler. */
void signals_end_sleep(void);
/* Start a thread that blocks all signals. Returns 0 or -errno. */
int signals_start_thread(pthread_t *thread, void *(*run)(void *), void *arg);
