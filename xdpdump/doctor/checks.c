/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include "checks.h"
#include "patient.h"

static bool is_missing(const struct patient *p)
{
	return p->missing;
}

static bool has_ethernet(const struct patient *p)
{
	return !p->missing && p->plan.interface.is_ethernet;
}

static const struct check checks[] = {
	{"interface", check_missing, is_missing},
	{"link", check_link, NULL},
	{"driver", check_driver, NULL},
	{"offloads", check_offloads, NULL},
	{"FCS", check_fcs, has_ethernet},
	{"time stamps", check_time_stamps, NULL},
	{"counters", check_counters, NULL},
	{"capture", check_capture, NULL},
	{"filter", check_filter, NULL},
	{"divert", check_divert, NULL},
	{"files", check_files, NULL},
	{"processes", check_who, NULL},
	{"XDP hook", check_holder, NULL},
	{"XDP program", check_running, NULL},
	{"tc hooks", check_tcx, NULL},
	{"native XDP", check_native, NULL},
	{"attaching", check_attaching, NULL},
	{"zero-copy", check_zero_copy, has_ethernet},
	{"MTU", check_mtu, NULL},
	{"queues", check_queues, NULL},
	{"RSS", check_spread, NULL},
	{"CPUs", check_cpus, NULL},
	{"kernel", check_kernel, NULL},
	{"loader", check_loader, NULL},
	{"libpcap", check_libpcap, NULL},
	{"capabilities", check_capabilities, NULL},
	{"programs", check_programs, NULL},
	{"memory", check_memory, NULL},
	{"memlock", check_locked, NULL},
};

_Static_assert(sizeof(checks) / sizeof(checks[0]) <= CHECKS_MAX, "room for what each finds");

/* What stands in the way of no capture is worth a note. */
static enum result temper(enum result r, const struct patient *p)
{
	return r == RESULT_FAILURE && p->rehearsal->works ? RESULT_WARNING : r;
}

unsigned checks_run(const struct patient *p, struct finding list[CHECKS_MAX])
{
	unsigned n = 0;

	for (unsigned i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
		const struct check *c = &checks[i];
		struct finding *f = &list[n];

		if (!(c->applies ? c->applies(p) : !p->missing))
			continue;
		*f = (struct finding){.name = c->name};
		f->result = temper(c->run(p, f), p);
		n += f->result != RESULT_NOT_APPLICABLE;
	}
	return n;
}
