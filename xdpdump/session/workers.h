/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The workers of a capture: how they are made, and their threads. These functions print their own
 * error messages. */
#pragma once

#include <stdbool.h>

struct supervisor;
struct worker;

/* For sources that are open: create the workers and open what they read. Call it before privileges
 * are dropped. Returns 0 or -errno. */
int workers_open(struct supervisor *s);
/* Call it before the sources are closed. May be called again. */
void workers_close(struct supervisor *s);

/* Start a thread for each worker. Returns 0 or -errno. */
int workers_start(struct supervisor *s);
/* Wake the workers. */
void workers_wake(const struct supervisor *s);
/* Interrupt workers that write to a pipe that nobody reads. */
void workers_interrupt(struct supervisor *s);
bool worker_has_ended(struct worker *w);
void worker_join(struct worker *w);
