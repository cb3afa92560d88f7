/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <string.h>
#include <time.h>

#include "crew.h"
#include "finisher.h"
#include "util/clock.h"
#include "xdpdump/os/complain.h"
#include "xdpdump/os/signals.h"

static void *work_in_thread(void *arg)
{
	struct crew_member *m = arg;
	struct crew *c = m->crew;
	struct finish *job;

	pthread_mutex_lock(&c->lock);
	while (c->first || !c->closing) {
		job = c->first;
		if (!job) {
			pthread_cond_wait(&c->changed, &c->lock);
			continue;
		}
		c->first = job->next;
		if (!c->first)
			c->last = &c->first;
		pthread_mutex_unlock(&c->lock);
		c->work(c->of, (unsigned)(m - c->member), job);
		pthread_mutex_lock(&c->lock);
		c->open--;
		pthread_cond_broadcast(&c->ended);
	}
	pthread_mutex_unlock(&c->lock);
	return NULL;
}

static int add_member(struct crew *c)
{
	struct crew_member *m = &c->member[c->started];
	int e;

	m->crew = c;
	e = signals_start_thread(&m->thread, work_in_thread, m);
	if (!e)
		c->started++;
	return e;
}

int crew_open(struct crew *c, unsigned most, crew_work *work, void *of)
{
	int e;

	*c = (struct crew){.most = most, .work = work, .of = of};
	c->last = &c->first;
	pthread_mutex_init(&c->lock, NULL);
	pthread_cond_init(&c->changed, NULL);
	pthread_cond_init(&c->ended, NULL);
	e = add_member(c);
	return e ? refuse(e, "cannot start a thread: %s", strerror(-e)) : 0;
}

void crew_add(struct crew *c, struct finish *job)
{
	job->next = NULL;
	pthread_mutex_lock(&c->lock);
	*c->last = job;
	c->last = &job->next;
	c->open++;
	/* If no thread can be started, the job waits for those that there are. */
	if (c->open > c->started && c->started < c->most)
		add_member(c);
	pthread_cond_signal(&c->changed);
	pthread_mutex_unlock(&c->lock);
}

bool crew_wait(struct crew *c, unsigned ms)
{
	const struct timespec until = clock_in(ms * (uint64_t)NS_PER_MS);

	return pthread_cond_clockwait(&c->ended, &c->lock, CLOCK_MONOTONIC, &until) == 0;
}

void crew_close(struct crew *c)
{
	pthread_mutex_lock(&c->lock);
	c->closing = true;
	pthread_cond_broadcast(&c->changed);
	pthread_mutex_unlock(&c->lock);
	for (unsigned i = 0; i < c->started; i++)
		pthread_join(c->member[i].thread, NULL);
	pthread_cond_destroy(&c->changed);
	pthread_cond_destroy(&c->ended);
	pthread_mutex_destroy(&c->lock);
}
