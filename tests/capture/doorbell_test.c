/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * No wake-up is lost, by programs and by the kernel's timer: a producer runs the attached program
 * on one frame a round (BPF_PROG_TEST_RUN), at a random time around the reader's going to sleep;
 * the reader sleeps until it is woken. A lost wake-up shows as a sleep that only its limit, or the
 * library's look once a second, has ended.
 */
#include <bpf/bpf.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <unistd.h>

#include "capture/options/options.h"
#include "util/clock.h"
#include "capture/attach/facts/facts.h"
#include "capture/capture_private.h"
#include "own_net.h"

#define ROUNDS_DEFAULT 1000000
#define LIMIT_MS       3000
/* On a busy machine a round takes many times as long: then there are fewer. */
#define SECONDS_MAX 100
#define LOST_AFTER  (900 * NS_PER_MS)
/* More than either side needs from the end of a round to the point that matters. */
#define PAUSE_MOST 8192
/*
 * The timer stops when none has come for 20 ms, and runs once more: the next record comes while it
 * runs, in that last period, or when it has stopped.
 */
#define TIMER_ROUNDS 100
#define TIMER_STOPS  19000 /* us, and up to so many more: */
#define TIMER_SPREAD 3000

struct rounds {
	struct afxdp_capture *capture;
	uint64_t count;
	uint64_t done; /* written by the reader */
	bool timed;    /* the kernel's timer wakes */
	int program;
	int stop;
};

static unsigned passed, failed;

static void report(bool good, const char *what)
{
	printf("%s: %s\n", good ? "ok" : "FAILED", what);
	*(good ? &passed : &failed) += 1;
}

static void run_program(int fd)
{
	static const uint8_t frame[60] = {2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 8, 0};
	LIBBPF_OPTS(bpf_test_run_opts, o, .data_in = frame, .data_size_in = sizeof(frame),
		    .repeat = 1);

	if (bpf_prog_test_run_opts(fd, &o)) {
		perror("BPF_PROG_TEST_RUN");
		exit(1);
	}
}

/* So that every order of the two comes up. */
static void pause_at_random(unsigned *seed)
{
	for (volatile int spin = rand_r(seed) % PAUSE_MOST; spin > 0; spin--)
		;
}

/* One CPU each: on one they take turns, and with records in two rings young ones wait. */
static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

static void *produce(void *data)
{
	struct rounds *r = data;
	unsigned seed = 1;

	pin(1);
	for (uint64_t n = 0; n < r->count; n++) {
		while (__atomic_load_n(&r->done, __ATOMIC_ACQUIRE) < n)
			if (__atomic_load_n(&r->stop, __ATOMIC_RELAXED))
				return NULL;
		if (r->timed)
			usleep(TIMER_STOPS + (unsigned)rand_r(&seed) % TIMER_SPREAD);
		pause_at_random(&seed);
		run_program(r->program);
	}
	return NULL;
}

/* How many there were, and in *age the oldest one's in ns. */
static uint64_t consume(struct afxdp_capture *c, int64_t *age)
{
	const struct epb_header *r;
	struct afxdp_run run;
	uint64_t n = 0;

	*age = 0;
	while (afxdp_run(afxdp_reader(c), &run)) {
		if (!n)
			*age = (int64_t)(clock_wall() - epb_time(run.first));
		for (r = run.first; afxdp_run_has(&run, r); r = epb_next(r))
			n++;
		afxdp_run_done(afxdp_reader(c), &run, r);
	}
	return n;
}

/* What this thread has waited for a CPU so far, in ns; 0 where the kernel does not count it. */
static int64_t cpu_delay(void)
{
	static int fd = -1;
	unsigned long long ran, waited = 0;
	char text[128];
	ssize_t n;

	if (fd < 0)
		fd = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
	n = pread(fd, text, sizeof(text) - 1, 0);
	text[n > 0 ? n : 0] = 0;
	return sscanf(text, "%llu %llu", &ran, &waited) == 2 ? (int64_t)waited : 0;
}

static void by_wait(struct afxdp_capture *c)
{
	afxdp_wait(afxdp_reader(c), LIMIT_MS);
}

/* As an application of libpcap: the descriptor is made ready at the end of each read. */
static void by_select(struct afxdp_capture *c)
{
	struct timeval limit = {.tv_sec = LIMIT_MS / 1000};
	fd_set set;

	FD_ZERO(&set);
	FD_SET(afxdp_fd(afxdp_reader(c)), &set);
	afxdp_rest(afxdp_reader(c));
	select(afxdp_fd(afxdp_reader(c)) + 1, &set, NULL, NULL, &limit);
}

static uint64_t run_rounds(struct rounds *r, void (*sleep)(struct afxdp_capture *))
{
	uint64_t got = 0, lost = 0;
	uint64_t end = clock_monotonic() + SECONDS_MAX * NS_PER_SEC;
	int64_t age, delay;
	unsigned seed = 2;
	pthread_t thread;

	r->done = 0;
	r->stop = 0;
	if (pthread_create(&thread, NULL, produce, r))
		exit(1);
	while (got < r->count && lost < 3 && clock_monotonic() < end) {
		pause_at_random(&seed);
		delay = cpu_delay();
		sleep(r->capture);
		got += consume(r->capture, &age);
		if (age > LOST_AFTER && age - (cpu_delay() - delay) > LOST_AFTER) {
			printf("round %llu: not woken, the record is %lld ms old\n",
			       (unsigned long long)got, (long long)(age / NS_PER_MS));
			lost++;
		}
		__atomic_store_n(&r->done, got, __ATOMIC_RELEASE);
	}
	__atomic_store_n(&r->stop, 1, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	usleep(1000); /* let the last one grow older than the window of the merge */
	r->count = got + consume(r->capture, &age);
	return lost;
}

static void test(struct rounds *r, const char *name, void (*sleep)(struct afxdp_capture *))
{
	struct afxdp_stats before, after;
	uint64_t start = clock_monotonic(), lost, bells, asked = r->count;
	char what[160];

	afxdp_stats(r->capture, &before, sizeof(before));
	lost = run_rounds(r, sleep);
	afxdp_stats(r->capture, &after, sizeof(after));
	bells = after.bells - before.bells;
	snprintf(what, sizeof(what),
		 "%s: %llu rounds of %llu, %llu bells, %llu wake-ups lost, %.1f us a round", name,
		 (unsigned long long)r->count, (unsigned long long)asked, (unsigned long long)bells,
		 (unsigned long long)lost,
		 (double)(clock_monotonic() - start) / 1000 / (double)r->count);
	report(!lost, what);
	/* Some thousand rounds must have slept, or nothing was tried; slow readers do so seldom. */
	snprintf(what, sizeof(what), "%s: the reader slept in at least one of 500 rounds", name);
	report(bells > r->count / 500, what);
	report(after.matched - before.matched == r->count && afxdp_stats_lost(&after) == 0,
	       "one record a round");
}

/* A program may know fewer counters than the library has, or more. */
static void ask_by_size(struct rounds *r)
{
	struct {
		struct afxdp_stats known;
		uint64_t newer;
	} s;
	bool fits;

	memset(&s, 0xff, sizeof(s));
	afxdp_stats(r->capture, &s.known, sizeof(uint64_t));
	fits = s.known.offered > 0 && s.known.offered < UINT64_MAX && s.known.matched == UINT64_MAX;
	report(fits, "no more is written than was asked for");
	afxdp_stats(r->capture, &s.known, sizeof(s));
	report(s.known.matched > 0 && s.newer == 0, "counters that are not known here are 0");
}

/* The library looks once a second when it sleeps, and leaves rings that have been silent for one. */
static bool is_left(struct afxdp_capture *c)
{
	const uint64_t end = clock_monotonic() + 20 * NS_PER_SEC;
	const struct ring_set *s = &c->reading.rings;

	while (ring_set_next(s, 0) < s->count && clock_monotonic() < end)
		by_wait(c);
	return s->stirred && ring_set_next(s, 0) == s->count;
}

/* Rings that are not looked at any more, and the first record then. */
static void test_left(struct rounds *r)
{
	struct rounds one = *r;
	bool left = is_left(r->capture);
	uint64_t lost;

	report(left, "rings that are silent are left");
	one.count = 1;
	lost = run_rounds(&one, by_select);
	report(!lost && one.count == 1, "a record in a ring that was left wakes who selects");
}

static int attached_program(const char *ifname)
{
	struct facts f;
	int fd;

	if (facts_get(ifname, &f) || !f.xdp_prog_id)
		return -1;
	fd = bpf_prog_get_fd_by_id(f.xdp_prog_id);
	return fd;
}

static void open_capture(struct rounds *r, bool immediate)
{
	/* vlan_off: a program that is bound to the device cannot be test-run. */
	const struct afxdp_options o = {.ifname = "vb",
					.ring_size = 1 << 20,
					.hook = CAPTURE_HOOK_XDP,
					.vlan_off = true,
					.no_sent = true,
					.immediate = immediate,
					.delay_ms = 1};
	char err[AFXDP_ERROR_SIZE] = "";

	if (afxdp_open(&r->capture, &o, err, sizeof(err))) {
		printf("FAILED: %s\n0 passed, 1 failed, 0 skipped\n", err);
		exit(1);
	}
	r->program = attached_program("vb");
	if (r->program < 0) {
		printf("FAILED: no program on vb\n0 passed, 1 failed, 0 skipped\n");
		exit(1);
	}
}

int main(void)
{
	const char *rounds = getenv("DOORBELL_ROUNDS");
	struct rounds r = {.count = rounds ? strtoull(rounds, NULL, 10) : ROUNDS_DEFAULT};
	uint64_t asked;

	setvbuf(stdout, NULL, _IOLBF, 0);
	own_net();
	pin(0);
	veth_pair("");
	open_capture(&r, true);
	asked = r.count;
	test(&r, "afxdp_wait", by_wait);
	r.count = asked / 4 + 1;
	test(&r, "select", by_select);
	ask_by_size(&r);
	close(r.program);
	afxdp_close(r.capture);
	open_capture(&r, false);
	r.timed = true;
	r.count = TIMER_ROUNDS;
	test(&r, "afxdp_wait, by the timer", by_wait);
	r.count = TIMER_ROUNDS;
	test(&r, "select, by the timer", by_select);
	test_left(&r);
	close(r.program);
	afxdp_close(r.capture);
	printf("%u passed, %u failed, 0 skipped\n", passed, failed);
	return failed != 0;
}
