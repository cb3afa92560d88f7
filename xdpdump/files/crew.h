/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Threads that take finished files from one queue, in order. It complains itself. */
#pragma once

#include <pthread.h>
#include <stdbool.h>

struct finish;

#define CREW_MOST 4

/* which: the index of the thread, from 0 */
typedef void crew_work(void *of, unsigned which, struct finish *job);

struct crew {
	pthread_mutex_t lock;
	pthread_cond_t changed; /* to the threads: there is something to do */
	pthread_cond_t ended;	/* to whoever waits: a job is done */
	struct finish *first, **last;
	crew_work *work;
	void *of;
	unsigned most, started;
	unsigned open; /* jobs that wait or are being worked on */
	bool closing;
	struct crew_member {
		struct crew *crew;
		pthread_t thread;
	} member[CREW_MOST];
};

/*
 * Starts one thread; more begin when they are needed, up to most, which is at most CREW_MOST.
 * Returns 0, or -errno after a complaint; the caller calls crew_close() in both cases.
 */
int crew_open(struct crew *c, unsigned most, crew_work *work, void *of);
void crew_add(struct crew *c, struct finish *job);
/* The caller holds the lock: wait until a job is done, but no longer than ms. Returns true if one
 * may be. */
bool crew_wait(struct crew *c, unsigned ms);
/* Let the threads do what is queued, and wait for them to end. */
void crew_close(struct crew *c);
