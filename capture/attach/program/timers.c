/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_ether.h>
#include <unistd.h>

#include "bpf/capture.skel.h"
#include "capture/ring/ring.h"
#include "timers.h"
#include "util/clock.h"

/*
 * The delay if the reader asks for none, which is that of packet sockets (DEFAULT_PRB_RETIRE_TOV);
 * the number of periods of a delay; their bounds; after how long without a record no more are
 * expected.
 */
#define DELAY_DEFAULT_MS 8
#define PERIODS		 8
#define PERIOD_MIN_NS	 (NS_PER_MS / 2)
#define PERIOD_MAX_NS	 (10 * NS_PER_MS)
#define PAUSE_NS	 (20 * NS_PER_MS)
/*
 * How often timers are tried, and how many pipes fill the slab cache that timers come from: for a
 * moment this takes no more descriptors than opening a capture does anyway.
 */
#define TIMER_TRIES 64
#define CACHE_PIPES 8

/*
 * No timers if each frame rings, before a trigger, or for sockets, which wake by themselves.
 * Programs that trace cannot have timers (the kernel's check_map_prog_compatibility()); for those
 * that libxdp loads, nobody has seen timers work.
 */
static bool wants_timers(const struct plan *plan, const struct afxdp_options *o)
{
	return !o->immediate && !o->pre_trigger && !plan->divert && !plan->join &&
	       plan->in != CAPTURE_HOOK_FENTRY && plan->in != CAPTURE_HOOK_FEXIT &&
	       plan->in != CAPTURE_HOOK_DROPS;
}

/*
 * A record waits at most for the reader's delay, which is divided into periods: one period may pass
 * before the timer sees that the reader has read, and records of other CPUs wake the reader as
 * well.
 */
void timers_configure(struct program *p, const struct afxdp_options *o)
{
	struct capture_bpf__rodata *ro = p->bpf->rodata;
	bool wanted = wants_timers(&p->plan, o);
	uint64_t delay = (o->delay_ms ? o->delay_ms : DELAY_DEFAULT_MS) * (uint64_t)NS_PER_MS;
	uint64_t period = delay / PERIODS, half = p->place.size / 2;

	period = period < PERIOD_MIN_NS ? PERIOD_MIN_NS : period;
	period = period > PERIOD_MAX_NS ? PERIOD_MAX_NS : period;
	bpf_map__set_autocreate(p->bpf->maps.timers, wanted);
	bpf_program__set_autoload(p->bpf->progs.timers_init, wanted);
	bpf_map__set_max_entries(p->bpf->maps.timers, p->place.count);
	ro->ring_count = p->place.count;
	ro->plain_stores = ring_stores_are_plain(wanted);
	if (!wanted)
		return;
	ro->period_ns = period;
	ro->periods_unread = delay > 2 * period ? (uint32_t)(delay / period - 1) : 1;
	ro->periods_idle = (uint32_t)((PAUSE_NS + period - 1) / period);
	ro->wake_above = half < RING_HOT ? half : RING_HOT;
}

/*
 * bpf_timer_init() of Linux 6.18 only takes objects that the kernel's slab cache has at hand
 * (kmalloc_nolock()), and fails if there are none. Pipes use objects of that cache, kmalloc-cg-192,
 * which are at hand once the pipes are closed.
 */
static void fill_cache(void)
{
	int pipes[CACHE_PIPES][2], n = 0;

	while (n < CACHE_PIPES && pipe2(pipes[n], O_CLOEXEC) == 0)
		n++;
	while (n--) {
		close(pipes[n][0]);
		close(pipes[n][1]);
	}
}

/* A ring that gets no timer rings for each record. */
int timers_start(const struct program *p)
{
	static const uint8_t frame[ETH_HLEN];
	uint8_t out[sizeof(frame)]; /* unused, but valgrind takes 0 for an address */
	LIBBPF_OPTS(bpf_test_run_opts, o, .data_in = frame, .data_size_in = sizeof(frame),
		    .data_out = out, .data_size_out = sizeof(out), .retval = 1);

	if (!p->bpf->rodata->periods_unread)
		return 0;
	for (int i = 0; i < TIMER_TRIES && o.retval; i++) {
		if (i)
			fill_cache();
		o.data_size_out = sizeof(out);
		if (bpf_prog_test_run_opts(bpf_program__fd(p->bpf->progs.timers_init), &o))
			return -errno;
	}
	bpf_program__unload(p->bpf->progs.timers_init);
	return 0;
}

int timers_fd(const struct program *p)
{
	return p->bpf->rodata->periods_unread ? bpf_map__fd(p->bpf->maps.timers) : -1;
}
