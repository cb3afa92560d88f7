/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Which CPUs the threads run on: those of --cpus, else near the interface. */
#pragma once

#include <sched.h>
#include <stdbool.h>

/* "2,4-6" into a set; *first: the one that stands first. False: that is no list. */
bool affinity_parse(const char *text, cpu_set_t *all, int *first);
/* "2,4-6": CPUs that are online and that we may run on. 0, or -1 after telling what is wrong. */
int affinity_set(const char *name, const char *value);
/* There will be several that read: each on one CPU of the list in turn, others on all of it. */
void affinity_share(void);
/* The calling thread reads. -errno. */
int affinity_reader(void);
/* It is number of several that read; cpu: where its ring is filled, or -1; node: as below. */
void affinity_queue_reader(int cpu, unsigned number, int node);
/*
 * Around the start of a thread that does not read: it begins with the CPUs of the one that starts
 * it, and may choose others at once.
 */
void affinity_lend(cpu_set_t *before);
void affinity_take_back(const cpu_set_t *before);
/*
 * Without --cpus, on a machine with several NUMA nodes: the calling thread, and what it starts,
 * goes to the node of the interface, where memory is then taken as well. The node; -1: it is not
 * known, or there is but one.
 */
int affinity_near(const char *ifname);
/* Back to where we were before. */
void affinity_anywhere(void);
