/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <net/if.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
/* after net/if.h */
#include <linux/sockios.h>

#include "offloads.h"

int offloads_ethtool(int s, const char *ifname, void *command)
{
	struct ifreq r = {.ifr_data = command};

	memcpy(r.ifr_name, ifname, strnlen(ifname, IFNAMSIZ - 1));
	return ioctl(s, SIOCETHTOOL, &r) ? -errno : 0;
}

void offloads_get(int s, const char *ifname, struct offloads *o)
{
	struct {
		struct ethtool_sset_info head;
		uint32_t count;
	} set = {.head = {.cmd = ETHTOOL_GSSET_INFO, .sset_mask = 1ULL << ETH_SS_FEATURES}};

	memset(o, 0, sizeof(*o));
	if (offloads_ethtool(s, ifname, &set) || !set.head.sset_mask || set.count > OFFLOADS_MAX)
		return;
	o->names.head = (struct ethtool_gstrings){.cmd = ETHTOOL_GSTRINGS,
						  .string_set = ETH_SS_FEATURES,
						  .len = set.count};
	o->bits.head =
		(struct ethtool_gfeatures){.cmd = ETHTOOL_GFEATURES, .size = (set.count + 31) / 32};
	if (offloads_ethtool(s, ifname, &o->names) == 0 &&
	    offloads_ethtool(s, ifname, &o->bits) == 0)
		o->count = set.count;
}

bool offloads_is_on(const struct offloads *o, unsigned i)
{
	return o->bits.block[i / 32].active >> i % 32 & 1;
}

bool offloads_is_fixed(const struct offloads *o, unsigned i)
{
	const struct ethtool_get_features_block *b = &o->bits.block[i / 32];

	return (~b->available | b->never_changed) >> i % 32 & 1;
}

int offloads_find(const struct offloads *o, const char *name)
{
	for (unsigned i = 0; i < o->count; i++)
		if (strncmp(o->names.name[i], name, ETH_GSTRING_LEN) == 0)
			return (int)i;
	return -1;
}
