/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "capture/afxdpcapture.h"
#include "xdpdump/plan/plan.h"
#include "patterns.h"
#include "xdpdump/os/complain.h"
#include "xdpdump/os/netns.h"

#define PATTERN_MAX 127 /* the library's limit: matching a long one could take forever */

const char *pattern_without_prefix(const char *device)
{
	size_t n = strlen(AFXDP_PREFIX);

	return strncmp(device, AFXDP_PREFIX, n) == 0 ? device + n : device;
}

/* Returns the length without options. A comma after a backslash belongs to the name. */
static size_t name_length(const char *name)
{
	size_t n = 0;

	while (name[n] && name[n] != ',')
		n += name[n] == '\\' && name[n + 1] == ',' ? 2 : 1;
	return n;
}

static bool is_any(const char *name)
{
	return name_length(name) == strlen(AFXDP_ANY) &&
	       strncmp(name, AFXDP_ANY, strlen(AFXDP_ANY)) == 0;
}

bool pattern_is(const char *interface)
{
	const char *name = pattern_without_prefix(interface);

	return is_any(name) || strcspn(name, "*?[") < name_length(name);
}

bool pattern_has_many(const struct source_plan *plan, unsigned interface)
{
	return pattern_is(plan->interfaces[interface]) || netns_is_pattern(plan->netns[interface]);
}

/* Do both -i belong to one source? There is one source for all that is in many namespaces. */
static bool are_together(const struct source_plan *plan, unsigned a, unsigned b)
{
	const char *x = plan->netns[a], *y = plan->netns[b];

	if (netns_is_pattern(x) || netns_is_pattern(y))
		return netns_is_pattern(x) && netns_is_pattern(y);
	return pattern_is(plan->interfaces[a]) && pattern_is(plan->interfaces[b]) &&
	       (x == y || (x && y && strcmp(x, y) == 0));
}

bool pattern_is_first(const struct source_plan *plan, unsigned interface)
{
	for (unsigned i = 0; i < interface; i++)
		if (are_together(plan, i, interface))
			return false;
	return true;
}

int patterns_join(const struct source_plan *plan, unsigned interface, char *text, size_t size)
{
	bool all = false;
	size_t used = 0;

	text[0] = 0;
	for (unsigned i = interface; i < plan->interface_count; i++) {
		const char *name = pattern_without_prefix(plan->interfaces[i]);
		int n = (int)name_length(name);

		if (!are_together(plan, i, interface))
			continue;
		if (i != interface && name[n])
			return refuse(-1,
				      "-i %s: options follow the first pattern, and hold for all",
				      name);
		if (n > PATTERN_MAX)
			return refuse(-1, "-i %.32s...: a pattern has at most %d characters", name,
				      PATTERN_MAX);
		all |= is_any(name);
		used += (size_t)snprintf(text + used, used < size ? size - used : 0, "%s%.*s",
					 used ? " " : "", n, name);
		if (used >= size)
			return refuse(-1,
				      "-i %.32s...: all patterns together have at most %zu characters",
				      name, size - 1);
	}
	if (all)
		text[0] = 0;
	return 0;
}

static bool takes_name(const char *pattern, const char *name)
{
	char text[PATTERN_MAX + 1];

	if (is_any(pattern))
		return true;
	snprintf(text, sizeof(text), "%.*s", (int)name_length(pattern), pattern);
	return fnmatch(text, name, 0) == 0;
}

static bool takes_netns(const char *pattern, const char *netns)
{
	return netns_is_pattern(pattern) &&
	       (strcmp(pattern, "all") == 0 || (*netns && fnmatch(pattern, netns, 0) == 0));
}

bool patterns_take(const struct source_plan *plan, const char *netns, const char *ifname)
{
	for (unsigned i = 0; i < plan->interface_count; i++)
		if (takes_netns(plan->netns[i], netns) &&
		    takes_name(pattern_without_prefix(plan->interfaces[i]), ifname))
			return true;
	return false;
}

static bool is_said(const struct source_plan *plan, unsigned interface)
{
	for (unsigned i = 0; i < interface; i++)
		if (plan->netns[i] && strcmp(plan->netns[i], plan->netns[interface]) == 0)
			return true;
	return false;
}

int patterns_join_netns(const struct source_plan *plan, char *text, size_t size)
{
	size_t used = 0;

	text[0] = 0;
	for (unsigned i = 0; i < plan->interface_count; i++) {
		if (!netns_is_pattern(plan->netns[i]) || is_said(plan, i))
			continue;
		used += (size_t)snprintf(text + used, used < size ? size - used : 0, "%s%s",
					 used ? " " : "", plan->netns[i]);
		if (used >= size || strlen(plan->netns[i]) > PATTERN_MAX)
			return refuse(-1,
				      "--netns %.32s...: a pattern has at most %d characters, all together have %zu",
				      plan->netns[i], PATTERN_MAX, size - 1);
	}
	return 0;
}

char *pattern_device(const char *interface)
{
	char *device;

	if (asprintf(&device, "%s%s", AFXDP_ANY, interface + name_length(interface)) >= 0)
		return device;
	complain("out of memory");
	return NULL;
}
