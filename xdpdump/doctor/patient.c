/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "measure.h"
#include "patient.h"
#include "xdpdump/source/device.h"

int patient_ethtool(const struct patient *p, void *command)
{
	return offloads_ethtool(p->socket, p->name, command);
}

bool patient_has(const struct patient *p, const char *feature)
{
	int i = offloads_find(&p->offloads, feature);

	return i >= 0 && offloads_is_on(&p->offloads, (unsigned)i);
}

static void get_queues(struct queues *q, const struct patient *p)
{
	struct ethtool_channels c = {.cmd = ETHTOOL_GCHANNELS};

	*q = (struct queues){p->plan.interface.rx_queues, p->plan.interface.rx_queues, "combined"};
	if (patient_ethtool(p, &c) || c.rx_count + c.combined_count == 0)
		return;
	q->now = c.rx_count + c.combined_count;
	q->most = c.max_rx + c.max_combined;
	if (q->most < q->now)
		q->most = q->now;
	if (!c.max_combined)
		q->kind = "rx";
}

bool patient_has_hook(const struct patient *p)
{
	return p->plan.received != AFXDP_HOOK_NONE || p->plan.sent != AFXDP_HOOK_NONE;
}

bool patient_is_traced(const struct patient *p)
{
	return p->plan.interface.xdp_program &&
	       (p->given->source.programs || p->given->source.at_exit);
}

bool patient_has_loader(const struct patient *p)
{
	bool may_gain = prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1;

	if (afxdp_options_have(p->options, "loader", "off") || access(afxdp_loader(), X_OK))
		return false;
	return geteuid() == 0 || (may_gain && afxdp_loader_has_capabilities());
}

/* Counts the captures that the rehearsal opened; if it opened none, one for each interface. */
static unsigned count_captures(const struct options *o, const struct rehearsal *r)
{
	unsigned each = o->drops == DROPS_NOT || o->drops == DROPS_ONLY ? 1 : 2;

	return r && r->trial.count ? r->trial.count : o->source.interface_count * each;
}

int patient_open(struct patient *p, const struct options *o, unsigned interface,
		 const struct rehearsal *rehearsal)
{
	*p = (struct patient){.given = o,
			      .rehearsal = rehearsal,
			      .netns = o->source.netns[interface],
			      .socket = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0),
			      .captures = count_captures(o, rehearsal)};
	p->options = device_new(&o->source);
	if (!p->options ||
	    device_options(p->options, &o->source, o->source.interfaces[interface]) ||
	    device_say(p->options, "sharers=%u", p->captures))
		return -1;
	p->name = afxdp_options_interface(p->options);
	p->missing = interface_get(&p->interface, p->name);
	if (p->missing)
		return 0;
	p->is_privileged =
		afxdp_missing_capabilities(p->capabilities, sizeof(p->capabilities)) == 0;
	measure_memory(&p->memory);
	p->trial = afxdp_try(p->options, &p->plan, sizeof(p->plan), p->trial_text,
			     sizeof(p->trial_text));
	offloads_get(p->socket, p->name, &p->offloads);
	get_queues(&p->queues, p);
	return 0;
}

void patient_release(struct patient *p)
{
	afxdp_options_free(p->options);
	p->options = NULL;
	if (p->socket >= 0)
		close(p->socket);
}
