/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <inttypes.h>
#include <net/if.h>
#include <stdarg.h>
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

/* Drops are captured without the loader, whatever the option says. */
bool device_option_is_of_drops(const char *name)
{
	return strcmp(name, "ring") == 0 || strcmp(name, "ring-total") == 0 ||
	       strcmp(name, "loader") == 0;
}

static int add_options(struct afxdp_options *to, const struct source_plan *plan, const char *name,
		       bool of_drops)
{
	char err[AFXDP_ERROR_SIZE] = "out of memory";
	int e = afxdp_options_device(to, name, err, sizeof(err));

	for (unsigned i = 0; i < plan->device_count && !e; i++) {
		const struct device_option *d = &plan->device[i];

		if (!of_drops || device_option_is_of_drops(d->name))
			e = afxdp_options_set(to, d->name, d->value, err, sizeof(err));
	}
	if (e)
		complain("%s", err);
	return e;
}

int device_drops(struct afxdp_options *to, const struct source_plan *plan, const char *name)
{
	return add_options(to, plan, name, true);
}

/* Are only received frames captured by default? If the host does not get its frames, or only those
 * that a program of the user passes on, the frames that it sends have nothing to do with them. */
static bool only_receives(const struct afxdp_options *to)
{
	return afxdp_options_have(to, "engine", "divert") ||
	       afxdp_options_have(to, "after", "drop") || !afxdp_options_have(to, "xdp-obj", NULL);
}

int device_options(struct afxdp_options *to, const struct source_plan *plan, const char *name)
{
	int e = add_options(to, plan, name, false);

	if (!e && plan->entries)
		e = device_set(to, "entries", "on");
	if (!e && plan->both_by_default && only_receives(to))
		e = device_set(to, "sent", "off");
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

int device_say(struct afxdp_options *to, const char *format, ...)
{
	char text[512], *at = text, *name, *value;
	va_list args;
	int e = 0;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	while (!e && (value = strsep(&at, " "))) {
		name = strsep(&value, "=");
		e = device_set(to, name, value);
	}
	return e;
}

struct afxdp_options *device_new(const struct source_plan *plan)
{
	struct afxdp_options *to = afxdp_options_new();
	int e = to ? device_say(to, "snaplen=%u received=%s sent=%s promiscuous=%s yes=%s who=%s",
				plan->snaplen, device_on(plan->direction != DIRECTION_OUT),
				device_on(plan->direction != DIRECTION_IN),
				device_on(plan->promiscuous), device_on(plan->yes),
				device_on(plan->who))
		   : complain_memory();

	if (!e && plan->pre_trigger)
		e = device_say(to, "pre-trigger=%" PRIu64, plan->pre_trigger);
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
