/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>

#include "limit.h"
#include "util/clock.h"

/* A second of CPU. What the clocks differ by is no reason to try again. */
#define CPU_NS	   NS_PER_SEC
#define CPU_ENOUGH (CPU_NS / 10 * 9)
/* Where others have the CPU it takes longer: alarms after 1, 2, 4 and 8 seconds. */
#define SECONDS_MAX 8
#define ALL_NS	    (15 * (uint64_t)NS_PER_SEC)

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

/* And again each second, should the first one come before the kernel is asked. */
static void set_alarm(unsigned seconds)
{
	struct itimerval i = {{seconds ? 1 : 0, 0}, {seconds, 0}};

	setitimer(ITIMER_REAL, &i, NULL);
}

static void begin_try(struct load_limit *l, unsigned seconds)
{
	l->seconds = seconds;
	l->cpu_until = cpu_now() + CPU_ENOUGH;
	set_alarm(seconds);
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

bool limit_goes_on(struct load_limit *l)
{
	if (cpu_now() >= l->cpu_until || l->seconds >= SECONDS_MAX || limit_is_over(l))
		return false;
	begin_try(l, 2 * l->seconds);
	return true;
}

void limit_end(void)
{
	set_alarm(0);
}
