/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "doctor.h"
#include "patient.h"
#include "print.h"
#include "rehearsal.h"
#include "report.h"
#include "xdpdump/os/complain.h"
#include "xdpdump/os/netns.h"

/* What the trial opened on this interface. */
static const struct session_source *find_source(const struct rehearsal *r, const struct patient *p)
{
	for (unsigned i = 0; i < r->trial.count; i++)
		if (strcmp(r->trial.source[i].ifname, p->name) == 0 &&
		    r->trial.source[i].netns == p->netns)
			return &r->trial.source[i];
	return NULL;
}

static int print(const struct patient *p, struct report *report)
{
	struct finding *list = calloc(CHECKS_MAX, sizeof(*list)); /* too much for a stack */
	struct findings f = {.list = list, .count = list ? checks_run(p, list) : 0};
	bool works = p->rehearsal->works;

	if (!list)
		return complain_memory();
	if (!p->given->report || strcmp(p->given->report, "-") != 0)
		(p->given->json ? print_json : print_text)(stdout, &f, p, works);
	if (report)
		report_interface(report, &f, p);
	free(list);
	return 0;
}

/* Called in the network namespace of the interface. */
static int examine(const struct options *o, unsigned interface, const struct rehearsal *r,
		   struct report *report)
{
	struct patient *p = malloc(sizeof(*p));
	int e;

	if (!p)
		return complain_memory();
	e = patient_open(p, o, interface, r);
	if (!e) {
		p->source = find_source(r, p);
		e = print(p, report);
	}
	patient_release(p);
	free(p);
	return e;
}

static int examine_all(const struct options *o, const struct rehearsal *r, struct report *report)
{
	int home, e = 0;

	for (unsigned i = 0; i < o->source.interface_count && !e; i++) {
		if (netns_enter(o->source.netns[i], &home))
			return -1;
		e = examine(o, i, r, report);
		if (netns_leave(home))
			return -1;
	}
	return e;
}

int doctor_run(const struct options *o)
{
	struct report *report = NULL;
	struct rehearsal *r;
	int e = o->report ? report_open(&report, o) : 0;
	bool works = false;

	if (e)
		return EXIT_FAILURE;
	r = rehearsal_run(o, report);
	if (r) {
		works = r->works;
		e = examine_all(o, r, report);
	}
	if (report_close(report, r))
		e = -1;
	rehearsal_free(r);
	return works && !e ? EXIT_SUCCESS : EXIT_FAILURE;
}
