/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <linux/net_tstamp.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <string.h>
#include <sys/ioctl.h>

#include "capture.h"
#include "nic_time.h"

/* By number: the name may have changed since. */
static int config_ioctl(int socket, unsigned ifindex, unsigned long request, struct stamp_config *s)
{
	struct ifreq r = {.ifr_ifindex = (int)ifindex};
	struct hwtstamp_config c = {s->flags, s->tx_type, s->rx_filter};

	if (ioctl(socket, SIOCGIFNAME, &r))
		return -errno;
	r.ifr_data = (void *)&c;
	if (ioctl(socket, request, &r))
		return -errno;
	*s = (struct stamp_config){c.flags, c.tx_type, c.rx_filter};
	return 0;
}

static bool is_same(const struct stamp_config *a, const struct stamp_config *b)
{
	return a->flags == b->flags && a->tx_type == b->tx_type && a->rx_filter == b->rx_filter;
}

int stamp_enable(int socket, unsigned ifindex, struct stamp_change *c)
{
	struct stamp_config now = {0}, all;
	int e = config_ioctl(socket, ifindex, SIOCGHWTSTAMP, &now);

	c->ifindex = 0;
	if (e || now.rx_filter == HWTSTAMP_FILTER_ALL)
		return e;
	all = now;
	all.rx_filter = HWTSTAMP_FILTER_ALL;
	e = config_ioctl(socket, ifindex, SIOCSHWTSTAMP, &all);
	if (e)
		return e;
	/* The driver says what it did: less than asked is possible, and shows in the records. */
	*c = (struct stamp_change){.ifindex = ifindex, .before = now, .after = all};
	return 0;
}

void stamp_restore(int socket, struct stamp_change *c)
{
	struct stamp_config now = {0};

	if (c->ifindex && config_ioctl(socket, c->ifindex, SIOCGHWTSTAMP, &now) == 0 &&
	    is_same(&now, &c->after))
		config_ioctl(socket, c->ifindex, SIOCSHWTSTAMP, &c->before);
	c->ifindex = 0;
}

/* It is the last option, where there is one. */
static uint64_t stamp_of(const struct epb_header *r)
{
	const struct epb_nic_time *t =
		(const void *)((const uint8_t *)epb_next(r) - sizeof(struct epb_end) - sizeof(*t));

	if ((const uint8_t *)t < (const uint8_t *)(epb_options(r) + 1) ||
	    t->option != EPB_OPT_NIC_TIME)
		return 0;
	return (uint64_t)t->high << 32 | t->low;
}

uint64_t nic_clock_time(struct nic_clock *c, const struct epb_header *r)
{
	uint64_t stamp = stamp_of(r);

	if (stamp) {
		c->ahead = (int64_t)(stamp - epb_time(r));
		return stamp;
	}
	c->missing++;
	return epb_time(r) + (uint64_t)c->ahead;
}
