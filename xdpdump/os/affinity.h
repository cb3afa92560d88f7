/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Which CPUs the threads run on: those of --cpus, or else those near the interface. */
#pragma once

#include <sched.h>
#include <stdbool.h>

/* Parse a list such as "2,4-6"; *first: its first CPU. Returns false if it is no list. */
bool affinity_parse(const char *text, cpu_set_t *all, int *first);
/* value: CPUs such as "2,4-6", online and open to us. Returns 0, or -1 after a complaint. */
int affinity_set(const char *name, const char *value);
/* There will be several readers: each gets one CPU of the list in turn, other threads all. */
void affinity_share(void);
/* The calling thread is the only reader. Returns 0 or -errno. */
int affinity_reader(void);
/*
 * The calling thread is this number of several readers. cpu: where its ring is filled, or -1; node:
 * as affinity_near() returned it.
 */
void affinity_queue_reader(int cpu, unsigned number, int node);
/*
 * Called around the start of a thread that is no reader: a new thread gets the CPUs of the one that
 * starts it, and may choose others at once.
 */
void affinity_lend(cpu_set_t *before);
void affinity_take_back(const cpu_set_t *before);
/*
 * Without --cpus, on a machine with several NUMA nodes: move the calling thread, and what it
 * starts, to the node of the interface, so that its memory is allocated there. Returns the node;
 * -1: it is not known, or there is only one.
 */
int affinity_near(const char *ifname);
/* Move back to the CPUs of before. */
void affinity_anywhere(void);
