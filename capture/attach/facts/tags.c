/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* By the offloads that ethtool -k lists, and what linux/if_bonding.h asks a bond. */
#include <linux/ethtool.h>
#include <linux/if.h>
#include <linux/if_bonding.h>
#include <linux/sockios.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>

#include "tags.h"

#define FEATURES_MAX 128 /* of the kernel, about 64 so far */

struct features {
	unsigned count; /* 0: not known */
	struct {
		struct ethtool_gstrings head;
		char name[FEATURES_MAX][ETH_GSTRING_LEN];
	} names;
	struct {
		struct ethtool_gfeatures head;
		struct ethtool_get_features_block block[FEATURES_MAX / 32];
	} bits;
};

static bool ask(int s, const char *ifname, unsigned long request, void *data)
{
	struct ifreq r = {.ifr_data = data};

	memcpy(r.ifr_name, ifname, strnlen(ifname, IFNAMSIZ - 1));
	return ioctl(s, request, &r) == 0;
}

static bool ethtool(int s, const char *ifname, void *command)
{
	return ask(s, ifname, SIOCETHTOOL, command);
}

static void get_features(int s, const char *ifname, struct features *f)
{
	struct {
		struct ethtool_sset_info head;
		uint32_t count;
	} set = {.head = {.cmd = ETHTOOL_GSSET_INFO, .sset_mask = 1ULL << ETH_SS_FEATURES}};

	memset(f, 0, sizeof(*f));
	if (!ethtool(s, ifname, &set) || !set.head.sset_mask || set.count > FEATURES_MAX)
		return;
	f->names.head = (struct ethtool_gstrings){.cmd = ETHTOOL_GSTRINGS,
						  .string_set = ETH_SS_FEATURES,
						  .len = set.count};
	f->bits.head =
		(struct ethtool_gfeatures){.cmd = ETHTOOL_GFEATURES, .size = (set.count + 31) / 32};
	if (ethtool(s, ifname, &f->names) && ethtool(s, ifname, &f->bits))
		f->count = set.count;
}

/* off: what turns it off, by the name that ethtool -K has for it. */
static void look_for(const struct features *f, const char *feature, const char *off, struct tags *t,
		     bool *fixed)
{
	size_t used = strlen(t->keep);

	for (unsigned i = 0; i < f->count; i++) {
		const struct ethtool_get_features_block *b = &f->bits.block[i / 32];
		uint32_t bit = 1u << i % 32;

		if (strncmp(f->names.name[i], feature, ETH_GSTRING_LEN) != 0 || !(b->active & bit))
			continue;
		t->stripped = true;
		*fixed |= !(b->available & bit) || b->never_changed & bit;
		snprintf(t->keep + used, sizeof(t->keep) - used, "%s%s off", used ? " " : "", off);
	}
}

static void look_at_one(int s, const char *ifname, struct tags *t)
{
	struct ethtool_drvinfo i = {.cmd = ETHTOOL_GDRVINFO};
	struct features f;
	bool fixed = false;

	get_features(s, ifname, &f);
	look_for(&f, "rx-vlan-hw-parse", "rxvlan", t, &fixed);
	look_for(&f, "rx-vlan-stag-hw-parse", "rx-vlan-stag-hw-parse", t, &fixed);
	/* What the peer put beside the frame stays there, whatever this end's flags say. */
	if (ethtool(s, ifname, &i) && strncmp(i.driver, "veth", sizeof(i.driver)) == 0)
		t->stripped = fixed = true;
	if (fixed)
		t->keep[0] = 0;
}

/* Its own flags do not reach its slaves: see NETIF_F_UPPER_DISABLES of the kernel. */
static void look_at_slaves(int s, const char *ifname, struct tags *t)
{
	struct ifbond bond = {.num_slaves = 0};

	ask(s, ifname, SIOCBONDINFOQUERY, &bond);
	for (int i = 0; i < bond.num_slaves; i++) {
		struct ifslave slave = {.slave_id = i};

		if (ask(s, ifname, SIOCBONDSLAVEINFOQUERY, &slave))
			look_at_one(s, slave.slave_name, t);
	}
	t->keep[0] = 0;
}

void tags_look(int s, const char *ifname, const char *kind, struct tags *t)
{
	/* Nobody is asked who a team's ports are: they may, and what is set on the team reaches
	 * none. */
	*t = (struct tags){.stripped = strcmp(kind, "team") == 0};
	if (t->stripped)
		return;
	if (strcmp(kind, "bond") == 0)
		look_at_slaves(s, ifname, t);
	else
		look_at_one(s, ifname, t);
}
