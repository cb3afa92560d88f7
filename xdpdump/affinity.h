/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * --cpus: the thread that reads runs on the first CPU of the list, those that write, compress and
 * finish files on the others, or with it where there are no others. What receives packets is best
 * left a CPU of its own: --doctor tells which that is.
 */
#ifndef XDPDUMP_AFFINITY_H
#define XDPDUMP_AFFINITY_H

#include <pthread.h>

struct options;

/* "2,4-6": CPUs that are online and that we may run on. 0, or -1 after telling what is wrong. */
int option_cpus(struct options *o, const char *name, const char *value);
/* The calling thread reads. -errno. */
int affinity_reader(void);
/* For a thread about to be started: it does not read. */
void affinity_others(pthread_attr_t *attributes);

#endif
