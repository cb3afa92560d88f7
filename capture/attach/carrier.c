/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "carrier.h"
#include "util/clock.h"

#define LOOK_EVERY_NS (20 * NS_PER_MS)
#define AT_MOST_NS    (10 * NS_PER_SEC)

/* IFF_RUNNING follows within a second: too late for who looks at once. */
bool carrier_is_up(const char *ifname)
{
	struct ethtool_value v = {.cmd = ETHTOOL_GLINK, .data = 1};
	struct ifreq r = {.ifr_data = (void *)&v};
	int s = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	bool fails;

	if (s < 0)
		return true;
	memcpy(r.ifr_name, ifname, strnlen(ifname, IFNAMSIZ - 1));
	fails = ioctl(s, SIOCETHTOOL, &r);
	close(s);
	return fails || v.data;
}

uint64_t carrier_await(const char *ifname, uint64_t since, bool *up)
{
	const struct timespec pause = {.tv_nsec = LOOK_EVERY_NS};
	bool was_down = false;
	uint64_t now;

	for (;;) {
		*up = carrier_is_up(ifname);
		now = clock_monotonic();
		if (*up || now - since >= AT_MOST_NS)
			break;
		was_down = true;
		if (nanosleep(&pause, NULL))
			break;
	}
	return was_down ? now - since : 0;
}
