/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xdpdump/os/complain.h"
#include "xdpdump/cli/device.h"
#include "doctor.h"
#include "doctor_checks.h"
#include "xdpdump/cli/options.h"

/* The name and its options as a capture takes them. -1 after telling what is wrong. */
static int read_name(struct patient *p, const struct options *o)
{
	p->options = device_new(o);
	if (!p->options || device_options(p->options, o, o->doctor))
		return -1;
	p->name = afxdp_options_interface(p->options);
	return 0;
}

static void examine(struct patient *p, const char *expression)
{
	char text[256];
	int e = interface_get(&p->interface, p->name);

	if (e) {
		finding_add(&p->found, VERDICT_BAD, "interface", "%s: %s", p->name,
			    e == -ENODEV ? "no such interface" : strerror(-e));
		finding_fix(&p->found, "xdpdump -D");
		return;
	}
	p->capabilities_missing = afxdp_missing_capabilities(text, sizeof(text));
	doctor_measure(p);
	p->trial = afxdp_try(p->options, &p->plan, sizeof(p->plan), p->trial_text,
			     sizeof(p->trial_text));
	doctor_device(p);
	doctor_hooks(p);
	doctor_queues(p);
	doctor_filter(p, expression);
	doctor_system(p);
}

int doctor_run(const struct options *o)
{
	struct patient *p = calloc(1, sizeof(*p));
	int status = EXIT_FAILURE;

	if (!p)
		complain("out of memory");
	if (p && read_name(p, o) == 0) {
		p->found.netns = o->next_netns;
		examine(p, o->expression);
		findings_print(&p->found, p->name, o->json);
		status = findings_are_bad(&p->found) ? EXIT_FAILURE : EXIT_SUCCESS;
	}
	if (p)
		afxdp_options_free(p->options);
	free(p);
	return status;
}
