/* SPDX-License-Identifier: BSD-3-Clause */
/* Signals become flags; what they ask for is done elsewhere. */
#ifndef XDPDUMP_SIGNALS_H
#define XDPDUMP_SIGNALS_H

#include <signal.h>

struct capture;

/* How often the user asked to end. 1: in good order; more: at once, what is unwritten is lost. */
extern volatile sig_atomic_t signals_stop;

/* Catch SIGINT, SIGTERM and SIGHUP, unless that one is ignored; ignore SIGPIPE. */
void signals_catch(void);
/* A signal ends the sleep of this capture; NULL before it is closed. */
void signals_wake(struct capture *c);

#endif
