/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <sched.h>
#include <stddef.h>
#include <sys/time.h>

#include "affinity.h"
#include "capture/afxdpcapture.h"
#include "util/again.h"
#include "signals.h"

volatile _Atomic sig_atomic_t signals_stop, signals_rotate, signals_report, signals_flush;
/* How often a thread that still writes is interrupted, once the user has asked twice. */
#define NUDGE_US 100000

static bool hup_asks;
/* Handlers run in any thread: the sleeper must not be freed while one of them wakes it. */
static struct afxdp_reader *_Atomic sleeper;
static _Atomic int waking;

/* A lost terminal sends several SIGHUPs, and leaves nobody to ask twice: they count as one. */
static void stop_once_more(int number)
{
	if (signals_stop < (number == SIGHUP ? 1 : 2))
		signals_stop++;
}

static void note(int number, const siginfo_t *info)
{
	if (number == SIGUSR1)
		signals_report = 1;
	else if (number == SIGUSR2)
		signals_flush++;
	else if (number == SIGHUP && hup_asks && info->si_code != SI_KERNEL)
		signals_rotate++;
	else if (number != SIGALRM && !signal_comes_again(number, info))
		stop_once_more(number);
}

/*
 * The second signal may come just before a write to a pipe that nobody empties, and no other would
 * interrupt it. setitimer() is only a system call, which is safe in a handler.
 */
static void nudge_from_now_on(void)
{
	const struct itimerval often = {{0, NUDGE_US}, {0, NUDGE_US}};

	setitimer(ITIMER_REAL, &often, NULL);
}

/* Once signals_wake() has cleared sleeper and sees no waker, all later wakers find no sleeper. */
void signals_end_sleep(void)
{
	struct afxdp_reader *r;

	waking++;
	r = sleeper;
	if (r)
		afxdp_wake(r);
	waking--;
}

static void on_signal(int number, siginfo_t *info, void *context)
{
	int saved = errno;

	(void)context;
	note(number, info);
	if (signals_stop > 1 && number != SIGALRM)
		nudge_from_now_on();
	signals_end_sleep();
	errno = saved;
}

static void catch (int number)
{
	/* Without SA_RESTART: a write to a pipe that nobody empties must end. */
	struct sigaction a = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO};

	sigfillset(&a.sa_mask);
	sigaction(number, &a, NULL);
}

void signals_catch(bool asks)
{
	struct sigaction before;

	hup_asks = asks;
	catch (SIGINT);
	catch (SIGTERM);
	catch (SIGUSR1);
	catch (SIGUSR2);
	catch (SIGALRM);
	if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
		catch (SIGHUP);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
}

void signals_wake(struct afxdp_reader *r)
{
	sleeper = r;
	while (!r && waking) /* the waker is in another thread: a handler in this one ends first */
		sched_yield();
}

int signals_start_thread(pthread_t *thread, void *(*run)(void *), void *arg)
{
	sigset_t all, before;
	cpu_set_t cpus;
	int e;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	affinity_lend(&cpus);
	e = pthread_create(thread, NULL, run, arg);
	affinity_take_back(&cpus);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return -e;
}
