/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <inttypes.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/afxdpcapture.h"
#include "xdpdump/os/complain.h"
#include "device.h"
#include "patterns.h"

void device_name(char to[DEVICE_NAME_SIZE], const char *ifname)
{
	for (int i = 0; *ifname && i < IF_NAMESIZE - 1; i++) {
		if (*ifname == ',')
			*to++ = '\\';
		*to++ = *ifname++;
	}
	*to = 0;
}

/* A host that does not get its frames, or gets what a program of the user chose, sends others. */
static bool only_receives(const struct afxdp_options *to)
{
	return afxdp_options_have(to, "engine", "divert") ||
	       afxdp_options_have(to, "after", "drop") || !afxdp_options_have(to, "xdp-obj", NULL);
}

int device_options(struct afxdp_options *to, const struct source_plan *plan, const char *name)
{
	char err[AFXDP_ERROR_SIZE] = "out of memory";
	int e = afxdp_options_device(to, name, err, sizeof(err));

	for (unsigned i = 0; i < plan->device_count && !e; i++)
		e = afxdp_options_set(to, plan->device[i].name, plan->device[i].value, err,
				      sizeof(err));
	if (e)
		complain("%s", err);
	if (!e && plan->entries)
		e = device_set(to, "entries", "on");
	if (!e && plan->both_by_default && only_receives(to))
		e = device_set(to, "sent", "off");
	return e;
}

int device_drops(struct afxdp_options *to, const struct source_plan *plan, const char *name)
{
	char err[AFXDP_ERROR_SIZE];
	int e = afxdp_options_device(to, name, err, sizeof(err));

	if (e)
		complain("%s", err);
	for (unsigned i = 0; i < plan->device_count && !e; i++)
		if (strcmp(plan->device[i].name, "ring") == 0 ||
		    strcmp(plan->device[i].name, "ring-total") == 0)
			e = device_set(to, plan->device[i].name, plan->device[i].value);
	return e;
}

int device_set(struct afxdp_options *to, const char *name, const char *value)
{
	char err[AFXDP_ERROR_SIZE];
	int e = afxdp_options_set(to, name, value, err, sizeof(err));

	if (e)
		complain("%s=%s: %s", name, value, err);
	return e;
}

int device_set_number(struct afxdp_options *to, const char *name, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	return device_set(to, name, text);
}

struct afxdp_options *device_new(const struct source_plan *plan)
{
	struct afxdp_options *to = afxdp_options_new();
	const struct {
		const char *name;
		bool on;
	} switches[] = {{"received", plan->direction != DIRECTION_OUT},
			{"sent", plan->direction != DIRECTION_IN},
			{"promiscuous", plan->promiscuous},
			{"yes", plan->yes},
			{"who", plan->who}};
	int e = to ? device_set_number(to, "snaplen", plan->snaplen) : complain_memory();

	for (size_t i = 0; i < sizeof(switches) / sizeof(switches[0]) && !e; i++)
		e = device_set(to, switches[i].name, switches[i].on ? "on" : "off");
	if (!e && plan->pre_trigger)
		e = device_set_number(to, "pre-trigger", plan->pre_trigger);
	if (!e)
		return to;
	afxdp_options_free(to);
	return NULL;
}

static int check(const struct source_plan *plan, const char *interface)
{
	char *many = pattern_is(interface) ? pattern_device(interface) : NULL;
	struct afxdp_options *to = device_new(plan);
	int e = to ? device_options(to, plan, many ? many : interface) : -ENOMEM;

	afxdp_options_free(to);
	free(many);
	return e;
}

int devices_check(const struct source_plan *plan)
{
	int e = 0;

	for (unsigned i = 0; i < plan->interface_count && !e; i++)
		e = check(plan, plan->interfaces[i]);
	return e;
}
