/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "capture/afxdpcapture.h"
#include "carrier.h"
#include "hold_signals.h"
#include "util/clock.h"
#include "util/log.h"

#define LOOK_EVERY_NS (20 * NS_PER_MS)
#define SAID_AFTER_NS (CARRIER_SAID_AFTER_MS * NS_PER_MS)
#define AT_MOST_NS    (10 * NS_PER_SEC)

static void (*say_wait)(const char *line);

void afxdp_on_wait(void (*say)(const char *line))
{
	say_wait = say;
}

void carrier_tell(const char *ifname)
{
	sigset_t before;
	char line[160];

	hold_signals(&before); /* as afxdp_on_wait() promises */
	snprintf(line, sizeof(line),
		 "the link of %s is down, because its driver resets it for an XDP program: waiting for it, ten seconds at most",
		 ifname);
	if (say_wait)
		say_wait(line);
	else
		log_line(line);
	release_signals(&before);
}

/* IFF_RUNNING follows only within a second, which is too late for a caller that looks at once. */
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

/* A signal that arrives between two pauses ends the next one, because it is blocked except in
 * pauses. */
static bool pauses(const sigset_t *signals)
{
	const struct timespec pause = {.tv_nsec = LOOK_EVERY_NS};

	return ppoll(NULL, 0, &pause, signals) == 0;
}

uint64_t carrier_await(const char *ifname, uint64_t since, bool *up)
{
	bool was_down = false, said = false;
	sigset_t before;
	uint64_t now;

	hold_signals(&before);
	for (;;) {
		*up = carrier_is_up(ifname);
		now = clock_monotonic();
		if (*up || now - since >= AT_MOST_NS)
			break;
		was_down = true;
		if (!said && now - since >= SAID_AFTER_NS) {
			carrier_tell(ifname);
			said = true;
		}
		if (!pauses(&before))
			break;
	}
	release_signals(&before);
	return was_down ? now - since : 0;
}
