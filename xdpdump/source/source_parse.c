/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xdpdump/os/complain.h"
#include "xdpdump/os/netns.h"
#include "device.h"
#include "members.h"
#include "patterns.h"
#include "source.h"
#include "source_parts.h"

#define COOKED_HEADER 20u /* of LINUX_SLL2 */
#define COOKED_MORE   8u

static int set_stamps(struct source *s, enum stamps stamps)
{
	return device_say(s->options, "coarse-time=%s nic-time=%s nic-synced=%s",
			  device_on(stamps == STAMPS_HOST_LOWPREC),
			  device_on(stamps_are_nics(stamps)), device_on(stamps == STAMPS_ADAPTER));
}

static int parse_device(struct source *s, const struct source_plan *plan, const char *name)
{
	s->options = device_new(plan);
	if (!s->options || device_options(s->options, plan, name) || set_stamps(s, plan->stamps))
		return -EINVAL;
	s->no_side[AFXDP_RECEIVED] = afxdp_options_have(s->options, "received", "off");
	s->no_side[AFXDP_SENT] = afxdp_options_have(s->options, "sent", "off");
	snprintf(s->ifname, sizeof(s->ifname), "%s", afxdp_options_interface(s->options));
	return 0;
}

static int refuse_vlan(const struct source_plan *plan)
{
	if (!expression_asks_for_vlan(plan->expression) && !expression_asks_for_vlan(plan->trigger))
		return 0;
	return refuse(-EINVAL, "%s", EXPRESSION_NO_VLAN);
}

/* The library keeps COOKED_MORE bytes more, for a caller that uses another header. */
static uint32_t snaplen_of_cooked(uint32_t snaplen)
{
	return snaplen > COOKED_HEADER + COOKED_MORE ? snaplen - COOKED_MORE : snaplen;
}

/* Mark the source as one in many namespaces. Only the keeper process opens anything there. */
static int parse_spaces(struct source *s, const struct source_plan *plan)
{
	s->many_spaces = true;
	if (patterns_join_netns(plan, s->space_patterns, sizeof(s->space_patterns)))
		return -EINVAL;
	s->netns = s->space_patterns;
	return 0;
}

static int add_members(struct source *s)
{
	s->members = members_new();
	return s->members ? 0 : complain_memory();
}

static int set_many(struct source *s)
{
	if (s->many_spaces)
		return device_set(s->options, "namespaces", "on");
	return s->patterns[0] ? device_set(s->options, "interfaces", s->patterns) : 0;
}

/* Parse patterns that belong together: the first one is the source. */
static int parse_many(struct source *s, const struct source_plan *plan, unsigned interface)
{
	char *device;
	int e;

	if (patterns_join(plan, interface, s->patterns, sizeof(s->patterns)) || refuse_vlan(plan))
		return -EINVAL;
	if (netns_is_pattern(s->netns) && parse_spaces(s, plan))
		return -EINVAL;
	e = add_members(s);
	if (e)
		return e;
	if (source_compile(s, plan, LINK_COOKED))
		return -EINVAL;
	device = pattern_device(plan->interfaces[interface]);
	e = device ? parse_device(s, plan, device) : -ENOMEM;
	free(device);
	if (!e)
		e = set_many(s);
	return e ? e : device_say(s->options, "snaplen=%u", snaplen_of_cooked(plan->snaplen));
}

int source_parse(struct source *s, const struct source_plan *plan, unsigned interface)
{
	const char *name = plan->interfaces[interface];

	*s = (struct source){.netns = plan->netns[interface]};
	if (pattern_has_many(plan, interface))
		return parse_many(s, plan, interface);
	if (source_compile(s, plan, LINK_ETHERNET))
		return -EINVAL;
	return parse_device(s, plan, name);
}

int source_trace(struct source *s, const struct source_plan *plan, const struct target *t)
{
	int e;

	if (!afxdp_options_have(s->options, "hook", NULL))
		return refuse(-EINVAL,
			      "the hook is chosen by --program-names and --rx-capture: leave --hook out");
	s->program = t->program;
	s->at_exit = t->exit;
	snprintf(s->function, sizeof(s->function), "%s", t->function);
	e = device_set(s->options, "function", t->function); /* of somebody else's program */
	/* The loader does not open captures in programs. */
	return e ? e
		 : device_say(s->options, "place=%s program=%u verdicts=%u loader=off",
			      source_place(s), t->program, t->exit ? plan->verdicts : 0);
}

/* The program for drops filters by one namespace, or captures in all, including those without a
 * name. The reader of the records decides which namespaces and interfaces are wanted, as it does
 * for frames. */
static int find_drops(struct source *s, const struct source_plan *plan, unsigned interface)
{
	if (pattern_has_many(plan, interface) &&
	    patterns_join(plan, interface, s->patterns, sizeof(s->patterns)))
		return -EINVAL;
	if (!netns_is_pattern(s->netns))
		return 0;
	if (parse_spaces(s, plan))
		return -EINVAL;
	if (strcmp(s->netns, "all") != 0 || s->patterns[0])
		return add_members(s);
	s->names = netns_list_new();
	return s->names ? 0 : complain_memory();
}

/* Capture drops of one interface, of all, or of those that the reader chooses by name. */
static int parse_drops(struct source *s, const struct source_plan *plan, unsigned interface)
{
	const char *name = plan->interfaces[interface];

	*s = (struct source){.netns = plan->netns[interface], .drops = true};
	if (find_drops(s, plan, interface))
		return -EINVAL;
	if (source_compile(s, plan, LINK_ETHERNET))
		return -EINVAL;
	return parse_device(s, plan, pattern_has_many(plan, interface) ? AFXDP_ANY : name);
}

int source_drops(struct source *s, const struct source_plan *plan, unsigned interface)
{
	struct afxdp_options *drops;
	char name[DEVICE_NAME_SIZE];
	int e = parse_drops(s, plan, interface);

	if (e)
		return e;
	drops = device_new(plan);
	device_name(name, s->ifname);
	e = drops ? device_drops(drops, plan, name) : -ENOMEM;
	afxdp_options_free(s->options);
	s->options = drops;
	s->no_side[AFXDP_RECEIVED] = s->no_side[AFXDP_SENT] = false;
	if (!e)
		e = device_say(drops, "place=drops loader=off promiscuous=off received=on sent=on");
	if (!e)
		e = set_many(s);
	if (!e && plan->stamps == STAMPS_HOST_LOWPREC)
		e = device_set(drops, "coarse-time", "on");
	if (!e && plan->drop_reasons)
		e = device_set(drops, "drop-reasons", plan->drop_reasons);
	return e;
}
