/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Carries out a plan: pace, CPUs, and an end by count, by time or by signal. */
#include "trafgen_run.h"

#include <errno.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "trafgen.h"

#define NSEC_PER_SEC   1000000000ULL
#define BATCH_DEFAULT  64
#define BATCH_MAX      256     /* the kernel's limit, and the size of veth's ring */
#define EVEN_NS	       50000   /* ns from group to group, at an even pace */
#define TURN_NS	       1000000 /* ns from group to group, with sleeps between */
#define PROBE_FRAMES   16
#define PROBE_ABOVE    100000  /* fewer frames need no probe */
#define ROTATE_NS      1000000 /* ns on one CPU of several */
#define ATTEND_NS      50000000
#define IDLE_CALLS_MAX 1000

struct pace {
	uint64_t call_max;
	uint64_t pause_ns; /* sleep between calls; 0: none */
};

/* A thread beside the sending thread, which stays in the kernel for seconds. */
struct attendant {
	const struct trafgen_options *options;
	pthread_t thread, sender;
	pid_t sender_id;
	sem_t end;
};

static volatile sig_atomic_t interrupted, expired, vanished;

/* The signal may arrive just before a call that only a signal ends: so another is sent. */
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

static void on_vanished(int signal)
{
	(void)signal;
	vanished = 1;
}

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * NSEC_PER_SEC + now.tv_nsec;
}

static void set_handlers(void)
{
	struct sigaction action = {.sa_handler = on_interrupt};

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	action.sa_handler = on_alarm;
	sigaction(SIGALRM, &action, NULL);
	action.sa_handler = on_vanished;
	sigaction(SIGUSR1, &action, NULL);
}

static void set_alarm(double seconds)
{
	struct itimerval timer = {
		.it_value = {.tv_sec = seconds, .tv_usec = (seconds - (long)seconds) * 1e6},
	};

	if (seconds > 0)
		setitimer(ITIMER_REAL, &timer, NULL);
}

static uint32_t group_size(double rate, uint64_t apart_ns, uint32_t most)
{
	double frames = rate * apart_ns / NSEC_PER_SEC;

	if (frames >= most)
		return most;
	return frames < 1 ? 1 : frames;
}

/* Groups are sent with a sleep between them. At an even pace the BPF program instead spins between
 * them, inside one long call. */
static void plan_pace(struct trafgen_options *options, struct pace *pace)
{
	struct traffic_plan *plan = &options->plan;
	double gap_ns;

	plan->batch = BATCH_DEFAULT;
	*pace = (struct pace){.call_max = options->ops->call_max};
	if (options->rate == 0)
		return;
	plan->batch = options->even ? group_size(options->rate, EVEN_NS, BATCH_DEFAULT)
				    : group_size(options->rate, TURN_NS, BATCH_MAX);
	gap_ns = plan->batch * (double)NSEC_PER_SEC / options->rate;
	plan->call_each = !options->even;
	if (options->even)
		plan->batch_ns = gap_ns;
	else
		*pace = (struct pace){plan->batch, gap_ns};
}

static int pin(pid_t thread, int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return sched_setaffinity(thread, sizeof(set), &set) ? -errno : 0;
}

/* Must sending end now, or does it have to within ns? */
static bool ends_within(struct attendant *attendant, long ns)
{
	struct timespec at;

	clock_gettime(CLOCK_MONOTONIC, &at);
	at.tv_nsec += ns;
	if (at.tv_nsec >= (long)NSEC_PER_SEC) {
		at.tv_nsec -= NSEC_PER_SEC;
		at.tv_sec++;
	}
	return sem_clockwait(&attendant->end, CLOCK_MONOTONIC, &at) == 0;
}

/* Frames to a device that is gone are aborted one by one, and only a signal ends that. */
static void *attend(void *arg)
{
	struct attendant *attendant = arg;
	const struct trafgen_options *options = attendant->options;
	bool rotates = options->cpu_count > 1;

	for (unsigned int turn = 0; !ends_within(attendant, rotates ? ROTATE_NS : ATTEND_NS);
	     turn++) {
		/* The sender changes CPU between two batches. */
		if (rotates)
			pin(attendant->sender_id, options->cpus[turn % options->cpu_count]);
		if ((!rotates || turn % 64 == 0) && !if_nametoindex(options->plan.iface))
			pthread_kill(attendant->sender, SIGUSR1);
	}
	return NULL;
}

static int start_attendant(struct attendant *attendant, const struct trafgen_options *options)
{
	sigset_t all, old;
	int err;

	*attendant = (struct attendant){
		.options = options,
		.sender = pthread_self(),
		.sender_id = gettid(),
	};
	sem_init(&attendant->end, 0, 0);
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	err = -pthread_create(&attendant->thread, NULL, attend, attendant);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return err;
}

static void stop_attendant(struct attendant *attendant)
{
	sem_post(&attendant->end);
	pthread_join(attendant->thread, NULL);
	sem_destroy(&attendant->end);
}

static void sleep_until(uint64_t when)
{
	struct timespec at = {when / NSEC_PER_SEC, when % NSEC_PER_SEC};

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
}

/* When the next turn is. After a long delay, go on from now. */
static uint64_t next_turn(uint64_t last, uint64_t pause_ns, uint64_t *late_ns)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC), next = last + pause_ns;

	if (now <= next + TRAFGEN_LATE_NS)
		return next;
	*late_ns += now - next;
	return now;
}

/* Sends a few frames of many, to see whether the device takes any at all. */
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
		if (vanished)
			return -ENODEV;
		if (idle > IDLE_CALLS_MAX)
			return -ENOBUFS;
		if (pace->pause_ns)
			sleep_until(next = next_turn(next, pace->pause_ns, &run->late_ns));
		err = options->ops->send(sender, left < pace->call_max ? left : pace->call_max);
	}
	return err;
}

/* Tells the user why nothing arrives, if the kernel does not. */
static int explain(const struct trafgen_options *options, const struct trafgen_run *run)
{
	if (!run->after_known)
		return -ENODEV;
	if (!run->progress.generated || !run->after.xdp_known ||
	    run->after.xdp_taken != run->before.xdp_taken || options->ops != &live_sender)
		return 0;
	fprintf(stderr,
		"trafgen: %s took none of the frames. Are both ends up, does the peer poll (`ethtool -K PEER gro on', or an XDP program on it), and are the MTUs %u or more?\n",
		options->plan.iface, plan_size(&options->plan, 11) - ETHER_HDR_LEN);
	return -ENETDOWN;
}

static int send_measured(const struct trafgen_options *options, const struct pace *pace,
			 struct sender *sender, struct trafgen_run *run)
{
	uint64_t wall_ns = clock_ns(CLOCK_MONOTONIC), cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	int err;

	set_alarm(options->seconds);
	err = send_all(options, pace, sender, run);
	options->ops->progress(sender, &run->progress);
	if (pace->pause_ns)
		run->progress.active_ns = 0;
	run->wall_ns = clock_ns(CLOCK_MONOTONIC) - wall_ns;
	run->cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu_ns;
	run->cpu_ns -=
		run->progress.waited_ns < run->cpu_ns ? run->progress.waited_ns : run->cpu_ns;
	run->interrupted = interrupted;
	run->after_known = !devstats_read(options->plan.iface, &run->after);
	return err && err != -ENETDOWN ? err : explain(options, run);
}

int trafgen_run(struct trafgen_options *options, struct trafgen_run *run)
{
	struct attendant attendant;
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
	set_handlers();
	err = devstats_read(options->plan.iface, &run->before);
	if (!err)
		err = start_attendant(&attendant, options);
	if (!err) {
		err = send_measured(options, &pace, sender, run);
		stop_attendant(&attendant);
	}
	options->ops->close(sender);
	return err;
}
