/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Stamps are those of CLOCK_REALTIME, to a microsecond, and when that clock steps they
 * step with it. The attached program is run on one frame at a time (BPF_PROG_TEST_RUN), between two
 * looks at the clock.
 *
 * The clock of the machine is left alone. By CLOCK_MONOTONIC, as before 6.1, the step is simulated
 * where this process reads the clock; by CLOCK_TAI the kernel's own arithmetic makes it, and what
 * is simulated is that somebody tells the kernel how many seconds TAI is ahead.
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "capture/options/options.h"
#include "util/clock.h"
#include "capture/attach/facts/facts.h"
#include "own_net.h"

#define NS_PER_US  1000
#define WINDOWS	   50
#define LOOK_NS	   (100 * NS_PER_MS)
#define STEP_S	   3600
#define TAI_S	   37
#define FOLLOWS_NS (1200 * NS_PER_MS) /* looked at once a second */

static int64_t wall_step;
static int tai_step;
static bool has_tai = true;
static unsigned passed, failed;

int __real_clock_gettime(clockid_t id, struct timespec *t);
int __wrap_clock_gettime(clockid_t id, struct timespec *t);
int __wrap_clock_gettime(clockid_t id, struct timespec *t)
{
	int result = __real_clock_gettime(id, t);

	if (id == CLOCK_REALTIME)
		t->tv_sec += wall_step;
	if (id == CLOCK_TAI)
		t->tv_sec += tai_step;
	return result;
}

int __real_libbpf_probe_bpf_helper(enum bpf_prog_type type, enum bpf_func_id id, const void *o);
int __wrap_libbpf_probe_bpf_helper(enum bpf_prog_type type, enum bpf_func_id id, const void *o);
int __wrap_libbpf_probe_bpf_helper(enum bpf_prog_type type, enum bpf_func_id id, const void *o)
{
	return has_tai ? __real_libbpf_probe_bpf_helper(type, id, o) : 0;
}

static void report(bool good, const char *what)
{
	printf("%s: %s\n", good ? "ok" : "FAILED", what);
	*(good ? &passed : &failed) += 1;
}

static int end(void)
{
	printf("%u passed, %u failed, 0 skipped\n", passed, failed);
	return failed != 0;
}

static void give_up(const char *why)
{
	report(false, why);
	exit(end());
}

/* Where the error of the stamps must lie: truth is between two looks. */
struct bracket {
	int64_t low, high;
};

static uint64_t stamp_of_one(struct afxdp_capture *c)
{
	const struct epb_header *r;
	struct afxdp_run run;
	uint64_t time = 0;

	while (afxdp_run(afxdp_reader(c), &run)) {
		for (r = run.first; afxdp_run_has(&run, r); r = epb_next(r))
			time = epb_time(r);
		afxdp_run_done(afxdp_reader(c), &run, r);
	}
	if (!time)
		give_up("a frame makes a record");
	return time;
}

static struct bracket sample(struct afxdp_capture *c, int program)
{
	static const uint8_t frame[60] = {2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 8, 0};
	LIBBPF_OPTS(bpf_test_run_opts, o, .data_in = frame, .data_size_in = sizeof(frame),
		    .repeat = 1);
	uint64_t before, after, stamp;

	before = clock_wall();
	if (bpf_prog_test_run_opts(program, &o))
		give_up("BPF_PROG_TEST_RUN");
	after = clock_wall();
	stamp = stamp_of_one(c);
	return (struct bracket){(int64_t)(stamp - after), (int64_t)(stamp - before)};
}

/* The narrowest of many. */
static struct bracket measure(struct afxdp_capture *c, int program, uint64_t for_ns)
{
	struct bracket narrow = {INT64_MIN, INT64_MAX};
	uint64_t until = clock_monotonic() + for_ns;

	do {
		struct bracket b = sample(c, program);

		if (b.low > narrow.low)
			narrow.low = b.low;
		if (b.high < narrow.high)
			narrow.high = b.high;
	} while (clock_monotonic() < until);
	if (afxdp_poll(afxdp_reader(c)))
		give_up("afxdp_poll()");
	return narrow;
}

/*
 * An error of a microsecond is seen in each bracket that leaves it out. A slow machine has wide
 * ones; where they are so wide that they would hide two more, the test says nothing and fails.
 */
static bool is_small(struct bracket b, int64_t wanted)
{
	return b.low - wanted < NS_PER_US && b.high - wanted > -NS_PER_US &&
	       b.high - b.low < 3 * NS_PER_US;
}

static void error_is_small(struct afxdp_capture *c, int program, const char *clock)
{
	struct bracket worst = {INT64_MAX, INT64_MIN};
	bool small = true;
	char what[160];

	for (int i = 0; i < WINDOWS; i++) {
		struct bracket b = measure(c, program, LOOK_NS);

		small = small && is_small(b, 0);
		if (b.low < worst.low)
			worst.low = b.low;
		if (b.high > worst.high)
			worst.high = b.high;
	}
	snprintf(what, sizeof(what),
		 "%s: in every tenth of %d s the error is within %lld to %lld ns", clock,
		 WINDOWS / 10, (long long)worst.low, (long long)worst.high);
	report(small, what);
}

/*
 * The error, as this process sees the clock, is 0 again after a while; wanted: that of before it.
 */
static void step_is_followed(struct afxdp_capture *c, int program, int64_t wanted, const char *what)
{
	uint64_t until = clock_monotonic() + FOLLOWS_NS;

	while (clock_monotonic() < until) {
		usleep(50000);
		afxdp_poll(afxdp_reader(c));
	}
	report(is_small(measure(c, program, LOOK_NS), wanted), what);
}

static int attached_program(void)
{
	struct facts f;

	if (facts_get("vb", &f) || !f.xdp_prog_id)
		give_up("a program is on vb");
	return bpf_prog_get_fd_by_id(f.xdp_prog_id);
}

static struct afxdp_capture *open_capture(void)
{
	/* vlan_off: a program that is bound to the device cannot be test-run. */
	const struct afxdp_options o = {.ifname = "vb",
					.ring_size = 1 << 20,
					.hook = CAPTURE_HOOK_XDP,
					.vlan_off = true,
					.no_sent = true};
	char err[AFXDP_ERROR_SIZE] = "";
	struct afxdp_capture *c;

	if (afxdp_open(&c, &o, err, sizeof(err)))
		give_up(err);
	return c;
}

static void by_tai(void)
{
	struct afxdp_capture *c = open_capture();
	int program = attached_program();

	error_is_small(c, program, "by CLOCK_TAI");
	tai_step = TAI_S;
	step_is_followed(c, program, -TAI_S * NS_PER_SEC,
			 "by CLOCK_TAI: news of its offset are heeded within a second");
	tai_step = 0;
	close(program);
	afxdp_close(c);
}

static void by_monotonic(void)
{
	struct afxdp_capture *c = open_capture();
	int program = attached_program();

	error_is_small(c, program, "by CLOCK_MONOTONIC");
	wall_step = STEP_S;
	step_is_followed(c, program, 0, "by CLOCK_MONOTONIC: a step ahead, within a second");
	wall_step = -STEP_S;
	step_is_followed(c, program, 0, "by CLOCK_MONOTONIC: a step back, within a second");
	wall_step = 0;
	close(program);
	afxdp_close(c);
}

int main(void)
{
	cpu_set_t one;

	setvbuf(stdout, NULL, _IOLBF, 0);
	own_net();
	/* One CPU, one ring: with two, young records would wait. */
	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	sched_setaffinity(0, sizeof(one), &one);
	veth_pair("");
	by_tai();
	has_tai = false;
	by_monotonic();
	return end();
}
