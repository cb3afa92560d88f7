/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Judges by the offloads that ethtool -k lists. */
#include <linux/ethtool.h>
#include <stdio.h>
#include <string.h>

#include "bond.h"
#include "tags.h"
#include "util/offloads.h"

/* off: the name by which ethtool -K turns it off. */
static void look_for(const struct offloads *o, const char *name, const char *off, struct tags *t,
		     bool *fixed)
{
	size_t used = strlen(t->keep);
	int i = offloads_find(o, name);

	if (i < 0 || !offloads_is_on(o, (unsigned)i))
		return;
	t->stripped = true;
	*fixed |= offloads_is_fixed(o, (unsigned)i);
	snprintf(t->keep + used, sizeof(t->keep) - used, "%s%s off", used ? " " : "", off);
}

static void look_at_one(int s, const char *ifname, struct tags *t)
{
	struct ethtool_drvinfo i = {.cmd = ETHTOOL_GDRVINFO};
	struct offloads o;
	bool fixed = false;

	offloads_get(s, ifname, &o);
	look_for(&o, "rx-vlan-hw-parse", "rxvlan", t, &fixed);
	look_for(&o, "rx-vlan-stag-hw-parse", "rx-vlan-stag-hw-parse", t, &fixed);
	/* What the peer has put beside the frame stays there, whatever the flags of this end
	 * say. */
	if (offloads_ethtool(s, ifname, &i) == 0 &&
	    strncmp(i.driver, "veth", sizeof(i.driver)) == 0)
		t->stripped = fixed = true;
	if (fixed)
		t->keep[0] = 0;
}

/* The bond's own flags do not affect its slaves: see NETIF_F_UPPER_DISABLES in the kernel. */
static void look_at_slaves(int s, const char *ifname, struct tags *t)
{
	int count = bond_slaves(s, ifname);
	struct bond_slave slave;

	for (int i = 0; i < count; i++)
		if (bond_slave(s, ifname, i, &slave))
			look_at_one(s, slave.name, t);
	t->keep[0] = 0;
}

void tags_look(int s, const char *ifname, const char *kind, struct tags *t)
{
	/* A team's ports are not asked: they may take tags off, and what is set on the team reaches
	 * none of them. */
	*t = (struct tags){.stripped = strcmp(kind, "team") == 0};
	if (t->stripped)
		return;
	if (strcmp(kind, "bond") == 0)
		look_at_slaves(s, ifname, t);
	else
		look_at_one(s, ifname, t);
}
