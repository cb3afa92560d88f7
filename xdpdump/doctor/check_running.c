/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Does the driver run the program that is in its XDP hook? */
#include <bpf/bpf.h>
#include <errno.h>
#include <inttypes.h>
#include <linux/bpf.h>
#include <stdbool.h>
#include <unistd.h>

#include "check.h"
#include "measure.h"
#include "patient.h"
#include "util/clock.h"
#include "util/less.h"

#define LOOK_FOR_MS   2500 /* drivers refresh their counters by the second */
#define FRAMES_ENOUGH 32

static bool read_runs(int program, uint64_t *runs)
{
	struct bpf_prog_info info = {0};
	uint32_t length = sizeof(info);
	bool ok = bpf_obj_get_info_by_fd(program, &info, &length) == 0;

	*runs = info.run_cnt;
	return ok;
}

/* Subtract multicast, because drivers count there frames that reach no program. */
static bool read_received(const struct patient *p, uint64_t *n)
{
	uint64_t multicast;

	if (!measure_interface(p, "statistics/rx_packets", n) ||
	    !measure_interface(p, "statistics/multicast", &multicast))
		return false;
	*n = less(*n, multicast);
	return true;
}

struct look {
	uint64_t runs, received;
};

static bool look(const struct patient *p, int program, struct look *l)
{
	return read_received(p, &l->received) && read_runs(program, &l->runs);
}

/* Compare how many frames arrived with how often the program ran, over the same time. */
static bool compare(const struct patient *p, int program, struct look *l)
{
	int stats = bpf_enable_stats(BPF_STATS_RUN_TIME);
	struct look before, after;
	bool ok = stats >= 0 && look(p, program, &before);

	if (ok) {
		clock_sleep(LOOK_FOR_MS);
		ok = look(p, program, &after);
	}
	if (stats >= 0)
		close(stats);
	if (ok)
		*l = (struct look){less(after.runs, before.runs),
				   less(after.received, before.received)};
	return ok;
}

enum result check_running(const struct patient *p, struct finding *f)
{
	uint32_t id = p->plan.interface.xdp_program;
	int program = id ? bpf_prog_get_fd_by_id(id) : -1;
	struct look l;
	bool ok = program >= 0 && compare(p, program, &l);

	if (program >= 0)
		close(program);
	if (!ok)
		return RESULT_NOT_APPLICABLE;
	if (l.runs)
		return say(RESULT_OK, f, "the program in the hook ran for %" PRIu64 " frames",
			   l.runs);
	if (l.received < FRAMES_ENOUGH)
		return say(RESULT_OK, f,
			   "the program in the hook ran for no frame; the interface received %" PRIu64,
			   l.received);
	remedy(p, f, "%s -i %s --hook tc", program_invocation_short_name, p->name);
	return say(RESULT_WARNING, f, "attached, but 0 of %" PRIu64 " frames came by it",
		   l.received);
}
