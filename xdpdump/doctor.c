/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>
/* after sys/socket.h */
#include <linux/sockios.h>

#include "caps.h"
#include "doctor.h"
#include "doctor_checks.h"
#include "options.h"
#include "report.h"

int doctor_ethtool(const struct patient *p, void *command)
{
	struct ifreq r = {.ifr_data = command};
	int s = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), e = 0;

	if (s < 0)
		return -errno;
	memcpy(r.ifr_name, p->name, strnlen(p->name, IFNAMSIZ - 1));
	if (ioctl(s, SIOCETHTOOL, &r))
		e = -errno;
	close(s);
	return e;
}

/* The name and its options as a capture takes them. -1 after telling what is wrong. */
static int read_name(struct patient *p, const struct options *o)
{
	char device[512], err[CAPTURE_ERROR_SIZE] = "out of memory";

	p->options = (struct capture_options){.snaplen = o->snaplen,
					      .in_only = o->direction == DIRECTION_IN,
					      .out_only = o->direction == DIRECTION_OUT,
					      .promiscuous = o->promiscuous};
	if ((size_t)snprintf(device, sizeof(device), "%s%s", o->doctor, o->engine) >=
	    sizeof(device)) {
		complain("%.32s...: no such interface", o->doctor);
		return -1;
	}
	if (capture_parse_device(device, &p->options, err, sizeof(err))) {
		complain("%s", err);
		return -1;
	}
	p->name = p->options.ifname;
	return 0;
}

static void examine(struct patient *p)
{
	char text[256];
	int e = interface_get(&p->interface, p->name);

	if (e) {
		finding_add(&p->found, VERDICT_BAD, "interface", "%s: %s", p->name,
			    e == -ENODEV ? "no such interface" : strerror(-e));
		finding_fix(&p->found, "xdpdump -D");
		return;
	}
	p->capabilities_missing = caps_missing(text, sizeof(text));
	doctor_measure(p);
	p->trial = tap_try(&p->tap, &p->options, p->trial_text, sizeof(p->trial_text));
	doctor_device(p);
	doctor_hooks(p);
	doctor_queues(p);
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
		examine(p);
		findings_print(&p->found, p->name, o->json);
		status = findings_are_bad(&p->found) ? EXIT_FAILURE : EXIT_SUCCESS;
	}
	free(p);
	return status;
}
