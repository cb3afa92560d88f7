/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Threads that work on finished files, which come in their order. Complains itself. */
#pragma once

#include <pthread.h>
#include <stdbool.h>

struct finish;

#define CREW_MOST 4

/* which: of the threads, from 0 on. */
typedef void crew_work(void *of, unsigned which, struct finish *job);

struct crew {
	pthread_mutex_t lock;
	pthread_cond_t changed; /* for threads: there is something to do */
	pthread_cond_t ended;	/* for who waits: it is done with one */
	struct finish *first, **last;
	crew_work *work;
	void *of;
	unsigned most, started;
	unsigned open; /* jobs that wait, or are worked on */
	bool closing;
	struct crew_member {
		struct crew *crew;
		pthread_t thread;
	} member[CREW_MOST];
};

/* most: threads, which begin when they are needed. To be closed in any case. -errno, and said. */
int crew_open(struct crew *c, unsigned most, crew_work *work, void *of);
void crew_add(struct crew *c, struct finish *job);
/* Under the lock: until it is done with one, or for so long. */
void crew_wait(struct crew *c, unsigned ms);
/* Once all is done. */
void crew_close(struct crew *c);
