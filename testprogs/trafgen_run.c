/* SPDX-License-Identifier: BSD-3-Clause */
/* Carries a plan out: pace, CPUs, and an end by count, by time or by signal. */
#include "trafgen_run.h"

#include <errno.h>
#include <net/ethernet.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define NSEC_PER_SEC   1000000000ULL
#define BATCH_DEFAULT  64
#define GROUP_NS       50000  /* aimed at: time from group to group when pacing */
#define PAUSE_NS_MIN   500000 /* groups further apart than this: sleep instead of spinning */
#define PROBE_FRAMES   16
#define PROBE_ABOVE    100000  /* fewer frames are their own probe */
#define ROTATE_NS      1000000 /* on one CPU of several */
#define IDLE_CALLS_MAX 1000

struct pace {
	uint64_t call_max;
	uint64_t pause_ns; /* between calls, slept; 0: none */
};

struct rotation {
	const struct trafgen_options *options;
	pid_t sender;
	pthread_t thread;
};

static volatile sig_atomic_t interrupted, expired;

/* The signal may arrive just before a call that only a signal ends: so there is another. */
static void on_interrupt(int signal)
{
	(void)signal;
	interrupted = 1;
	alarm(1);
}

static void on_alarm(int signal)
{
	(void)signal;
	expired = 1;
	alarm(1);
}

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * NSEC_PER_SEC + now.tv_nsec;
}

static void set_ends(double seconds)
{
	struct sigaction action = {.sa_handler = on_interrupt};
	struct itimerval timer = {
		.it_value = {.tv_sec = seconds, .tv_usec = (seconds - (long)seconds) * 1e6}};

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	action.sa_handler = on_alarm;
	sigaction(SIGALRM, &action, NULL);
	if (seconds > 0)
		setitimer(ITIMER_REAL, &timer, NULL);
}

/* Frames close together are paced in groups, by the BPF program inside one long call; where the
 * groups are far apart, or the sender cannot wait, by sleeping between calls. */
static void plan_pace(struct trafgen_options *options, struct pace *pace)
{
	struct traffic_plan *plan = &options->plan;
	uint64_t group = options->rate * GROUP_NS / NSEC_PER_SEC, gap;

	group = group < 1 ? 1 : group > BATCH_DEFAULT ? BATCH_DEFAULT : group;
	if (!plan->batch)
		plan->batch = options->rate > 0 ? group : BATCH_DEFAULT;
	*pace = (struct pace){.call_max = options->ops->call_max};
	if (options->rate == 0)
		return;
	gap = plan->batch * (double)NSEC_PER_SEC / options->rate;
	if (options->ops == &live_sender && gap < PAUSE_NS_MIN)
		plan->batch_ns = gap;
	else
		*pace = (struct pace){plan->batch, gap};
}

static int pin(pid_t thread, int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return sched_setaffinity(thread, sizeof(set), &set) ? -errno : 0;
}

/* Moves the sending thread while it is inside the kernel: it changes CPU between two batches. */
static void *rotate(void *arg)
{
	const struct rotation *rotation = arg;
	const struct timespec pause = {.tv_nsec = ROTATE_NS};

	for (unsigned int turn = 0;; turn++) {
		nanosleep(&pause, NULL);
		pin(rotation->sender, rotation->options->cpus[turn % rotation->options->cpu_count]);
	}
	return NULL;
}

static int start_rotation(struct rotation *rotation, const struct trafgen_options *options)
{
	sigset_t all, old;
	int err;

	*rotation = (struct rotation){.options = options, .sender = gettid()};
	if (options->cpu_count < 2)
		return 0;
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	err = -pthread_create(&rotation->thread, NULL, rotate, rotation);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return err;
}

static void stop_rotation(struct rotation *rotation)
{
	if (!rotation->thread)
		return;
	pthread_cancel(rotation->thread);
	pthread_join(rotation->thread, NULL);
}

static void sleep_until(uint64_t when)
{
	struct timespec at = {when / NSEC_PER_SEC, when % NSEC_PER_SEC};

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
}

/* The first few frames of many show whether the device takes any at all. */
static int probe(const struct trafgen_options *options, struct sender *sender,
		 struct trafgen_run *run)
{
	int err;

	if (options->count <= PROBE_ABOVE || options->ops != &live_sender)
		return 0;
	err = options->ops->send(sender, PROBE_FRAMES);
	if (!err)
		err = devstats_read(options->plan.iface, &run->after);
	if (err || interrupted || !run->after.xdp_known ||
	    run->after.xdp_taken != run->before.xdp_taken)
		return err;
	return -ENETDOWN;
}

static int send_all(const struct trafgen_options *options, const struct pace *pace,
		    struct sender *sender, struct trafgen_run *run)
{
	uint64_t next = clock_ns(CLOCK_MONOTONIC), done = 0;
	int err = pace->pause_ns ? 0 : probe(options, sender, run), idle = 0;

	while (!err) {
		uint64_t left;

		options->ops->progress(sender, &run->progress);
		idle = run->progress.generated > done ? 0 : idle + 1;
		done = run->progress.generated;
		left = options->count - done;
		if (!left || interrupted || expired)
			break;
		if (idle > IDLE_CALLS_MAX)
			return -ENOBUFS;
		if (pace->pause_ns)
			sleep_until(next += pace->pause_ns);
		err = options->ops->send(sender, left < pace->call_max ? left : pace->call_max);
	}
	return err;
}

/* Tells the user why nothing arrives, where the kernel says nothing. */
static int explain(const struct trafgen_options *options, const struct trafgen_run *run)
{
	if (!run->progress.generated || !run->after.xdp_known ||
	    run->after.xdp_taken != run->before.xdp_taken || options->ops != &live_sender)
		return 0;
	fprintf(stderr,
		"trafgen: %s took none of the frames. Are both ends up, does the peer poll "
		"(`ethtool -K PEER gro on', or an XDP program on it), and are the MTUs %u or "
		"more?\n",
		options->plan.iface, plan_size(&options->plan, 11) - ETHER_HDR_LEN);
	return -ENETDOWN;
}

static int send_measured(const struct trafgen_options *options, const struct pace *pace,
			 struct sender *sender, struct trafgen_run *run)
{
	uint64_t wall_ns = clock_ns(CLOCK_MONOTONIC), cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	int err, stats_err;

	set_ends(options->seconds);
	err = send_all(options, pace, sender, run);
	options->ops->progress(sender, &run->progress);
	if (pace->pause_ns)
		run->progress.active_ns = 0;
	run->wall_ns = clock_ns(CLOCK_MONOTONIC) - wall_ns;
	run->cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu_ns;
	run->cpu_ns -=
		run->progress.waited_ns < run->cpu_ns ? run->progress.waited_ns : run->cpu_ns;
	run->interrupted = interrupted;
	stats_err = devstats_read(options->plan.iface, &run->after);
	if (!err || err == -ENETDOWN)
		err = explain(options, run) ?: err;
	return err ? err : stats_err;
}

int trafgen_run(struct trafgen_options *options, struct trafgen_run *run)
{
	struct rotation rotation = {0};
	struct sender *sender = NULL;
	struct pace pace;
	int err;

	*run = (struct trafgen_run){0};
	plan_pace(options, &pace);
	err = pin(0, options->cpus[0]);
	if (err)
		fprintf(stderr, "trafgen: not on CPU %d: %s\n", options->cpus[0], strerror(-err));
	err = options->ops->open(&options->plan, &sender);
	if (err)
		return err;
	err = devstats_read(options->plan.iface, &run->before);
	if (!err)
		err = start_rotation(&rotation, options);
	if (!err)
		err = send_measured(options, &pace, sender, run);
	stop_rotation(&rotation);
	options->ops->close(sender);
	return err;
}
