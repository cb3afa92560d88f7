/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * veth counts frames that ndo_xdp_xmit passes to it in tx_queue_N_xdp_xmit, and those that it hands
 * back in tx_queue_N_xdp_xmit_errors, because the peer's ring of 256 is full or the frame exceeds
 * its MTU.
 */
#include "devstats.h"

#include <errno.h>
#include <ifaddrs.h>
#include <linux/ethtool.h>
#include <linux/if_link.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

static int ethtool(int sock, const char *iface, void *command)
{
	struct ifreq request = {.ifr_data = command};

	snprintf(request.ifr_name, sizeof(request.ifr_name), "%s", iface);
	return ioctl(sock, SIOCETHTOOL, &request) ? -errno : 0;
}

static uint32_t count_names(int sock, const char *iface)
{
	struct {
		struct ethtool_sset_info info;
		uint32_t size;
	} set = {.info = {.cmd = ETHTOOL_GSSET_INFO, .sset_mask = 1ULL << ETH_SS_STATS}};

	if (ethtool(sock, iface, &set) || !set.info.sset_mask)
		return 0;
	return set.size;
}

static void add_counter(struct devstats *stats, const char *name, uint64_t value)
{
	unsigned int queue;
	int used = 0;

	if (sscanf(name, "tx_queue_%u_xdp_xmit%n", &queue, &used) != 1 || !used)
		return;
	if (!name[used]) {
		stats->xdp_known = true;
		stats->xdp_taken += value;
	} else if (!strcmp(name + used, "_errors")) {
		stats->xdp_refused += value;
	}
}

static int read_counters(int sock, const char *iface, uint32_t count, struct devstats *stats)
{
	struct ethtool_gstrings *names =
		calloc(1, sizeof(*names) + (size_t)count * ETH_GSTRING_LEN);
	struct ethtool_stats *values = calloc(1, sizeof(*values) + count * sizeof(values->data[0]));
	char name[ETH_GSTRING_LEN + 1] = "";
	int err = -ENOMEM;

	if (!names || !values)
		goto cleanup;
	*names = (struct ethtool_gstrings){ETHTOOL_GSTRINGS, ETH_SS_STATS, count};
	*values = (struct ethtool_stats){ETHTOOL_GSTATS, count};
	err = ethtool(sock, iface, names);
	if (!err)
		err = ethtool(sock, iface, values);
	for (uint32_t i = 0; !err && i < count; i++) {
		memcpy(name, names->data + i * ETH_GSTRING_LEN, ETH_GSTRING_LEN);
		add_counter(stats, name, values->data[i]);
	}
cleanup:
	free(names);
	free(values);
	return err;
}

static int read_link(const char *iface, struct devstats *stats)
{
	struct ifaddrs *all, *entry;
	int err = -ENODEV;

	if (getifaddrs(&all))
		return -errno;
	for (entry = all; entry; entry = entry->ifa_next) {
		const struct rtnl_link_stats *link = entry->ifa_data;

		if (strcmp(entry->ifa_name, iface) || !link || !entry->ifa_addr ||
		    entry->ifa_addr->sa_family != AF_PACKET)
			continue;
		stats->tx_packets = link->tx_packets;
		stats->tx_dropped = link->tx_dropped;
		err = 0;
		break;
	}
	freeifaddrs(all);
	return err;
}

int devstats_read(const char *iface, struct devstats *stats)
{
	int sock = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	uint32_t count;
	int err;

	if (sock < 0)
		return -errno;
	*stats = (struct devstats){0};
	err = read_link(iface, stats);
	count = err ? 0 : count_names(sock, iface);
	if (count)
		err = read_counters(sock, iface, count, stats);
	close(sock);
	return err;
}
