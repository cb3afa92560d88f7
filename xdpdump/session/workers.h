/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The workers of a capture: how they are made, and their threads. Complains itself. */
#pragma once

#include <stdbool.h>

struct supervisor;
struct worker;

/* Opens what needs descriptors, before privileges are dropped. Of open sources. -errno. */
int workers_open(struct supervisor *s);
/* Before the sources are closed; again is allowed. */
void workers_close(struct supervisor *s);

/* A thread each. -errno. */
int workers_start(struct supervisor *s);
/* Out of their sleep. */
void workers_wake(const struct supervisor *s);
/* Out of a write to a pipe that nobody empties. */
void workers_interrupt(struct supervisor *s);
bool worker_has_ended(struct worker *w);
void worker_join(struct worker *w);
