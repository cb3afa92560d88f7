/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Signals become flags; what they ask for is done elsewhere. */
#pragma once

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>

struct afxdp_reader;

/* Atomic, as several threads read them; lock-free wherever Linux runs, so good in a handler. */
/* How often the user asked to end. 1: in good order; more: at once, what is unwritten is lost. */
extern volatile _Atomic sig_atomic_t signals_stop;
/* The user asked for statistics; cleared when they are printed. */
extern volatile _Atomic sig_atomic_t signals_report;
/* How often it was asked for, which each reader compares: a new file, what is gathered. */
extern volatile _Atomic sig_atomic_t signals_rotate, signals_flush;

/*
 * Catch SIGINT, SIGTERM, SIGUSR1, SIGUSR2 and, unless it is ignored, SIGHUP. SIGPIPE and SIGXFSZ
 * (ulimit -f) are ignored, because they are errors of write(). With asks, a SIGHUP that somebody
 * sent is counted in signals_rotate: it asks for a new file, and for files of addresses to be read
 * again. That of a lost terminal always ends.
 */
void signals_catch(bool asks);
/* A signal ends the sleep of this reader; NULL before it is closed: nobody uses it from then on. */
void signals_wake(struct afxdp_reader *r);
/* End it, if there is one: from any thread, and in a handler. */
void signals_end_sleep(void);
/* A thread that no signal comes to. -errno. */
int signals_start_thread(pthread_t *thread, void *(*run)(void *), void *arg);
