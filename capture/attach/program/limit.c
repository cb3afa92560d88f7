/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>

#include "limit.h"
#include "util/clock.h"

/* A second of CPU. The small difference between the clocks is no reason to try again. */
#define CPU_NS	   NS_PER_SEC
#define CPU_ENOUGH (CPU_NS / 10 * 9)
/* If others use the CPU, it takes longer: alarms come after 1, 2, 4 and 8 seconds. */
#define SECONDS_MAX 8
#define ALL_NS	    (15 * (uint64_t)NS_PER_SEC)
#define LEAST_NS    1000000u /* 0 would be no alarm */

static void on_alarm(int signal)
{
	(void)signal;
}

int limit_use_alarm(void)
{
	struct sigaction a = {.sa_handler = on_alarm}; /* no SA_RESTART */

	return sigaction(SIGALRM, &a, NULL) ? -errno : 0;
}

static uint64_t cpu_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * NS_PER_SEC + (uint64_t)t.tv_nsec;
}

/* Repeats each second, in case the first alarm comes before the kernel has been asked. 0: no
 * alarm. */
static void set_alarm(uint64_t ns)
{
	struct itimerval i = {
		{ns ? 1 : 0, 0},
		{(time_t)(ns / NS_PER_SEC), (suseconds_t)(ns % NS_PER_SEC / 1000)},
	};

	setitimer(ITIMER_REAL, &i, NULL);
}

static void begin_try(struct load_limit *l, unsigned seconds)
{
	uint64_t now = clock_monotonic(), left = now < l->until ? l->until - now : 0;

	l->seconds = seconds;
	l->cpu_until = cpu_now() + CPU_ENOUGH;
	if (left > seconds * (uint64_t)NS_PER_SEC)
		left = seconds * (uint64_t)NS_PER_SEC;
	set_alarm(left < LEAST_NS ? LEAST_NS : left);
}

void limit_begin(struct load_limit *l, uint64_t until)
{
	l->until = until ? until : clock_monotonic() + ALL_NS;
	begin_try(l, 1);
}

bool limit_is_over(const struct load_limit *l)
{
	return clock_monotonic() >= l->until;
}

bool limit_is_used(const struct load_limit *l)
{
	return cpu_now() >= l->cpu_until;
}

bool limit_goes_on(struct load_limit *l)
{
	if (limit_is_used(l) || l->seconds >= SECONDS_MAX || limit_is_over(l))
		return false;
	begin_try(l, 2 * l->seconds);
	return true;
}

void limit_end(void)
{
	set_alarm(0);
}
