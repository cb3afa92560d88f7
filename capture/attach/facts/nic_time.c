/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <fcntl.h>
#include <linux/net_tstamp.h>
#include <linux/ptp_clock.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "bpf/layout.h"
#include "capture/afxdpcapture.h"
#include "capture/attach/packet.h"
#include "util/clock.h"
#include "nic_time.h"

#define SAMPLES 9

/* By index, because the name may have changed since. */
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

/* Somebody else's choice must not be replaced by one that stamps fewer frames, or others. */
static bool is_left(int chosen, int filter)
{
	return chosen == HWTSTAMP_FILTER_ALL || chosen == filter ||
	       (filter != HWTSTAMP_FILTER_ALL && chosen != HWTSTAMP_FILTER_NONE);
}

int stamp_enable(int socket, unsigned ifindex, int filter, struct stamp_change *c)
{
	struct stamp_config now = {0}, wanted;
	int e = config_ioctl(socket, ifindex, SIOCGHWTSTAMP, &now);

	c->ifindex = 0;
	if (e || is_left(now.rx_filter, filter))
		return e;
	wanted = now;
	wanted.rx_filter = filter;
	e = config_ioctl(socket, ifindex, SIOCSHWTSTAMP, &wanted);
	if (e)
		return e;
	/* The driver writes back what it did, which may be less than asked; the records show
	 * that. */
	*c = (struct stamp_change){.ifindex = ifindex, .before = now, .after = wanted};
	return 0;
}

void stamp_restore(int socket, struct stamp_change *c)
{
	struct stamp_config now = {0};

	if (c->ifindex && !packet_is_gone(socket) &&
	    config_ioctl(socket, c->ifindex, SIOCGHWTSTAMP, &now) == 0 && is_same(&now, &c->after))
		config_ioctl(socket, c->ifindex, SIOCSHWTSTAMP, &c->before);
	c->ifindex = 0;
}

/* It is the last option if it is there, except for those of the socket and of entries. */
static uint64_t stamp_of(const struct epb_header *r)
{
	const struct epb_nic_time *t;
	struct epb_lengths l;
	const uint8_t *end;

	if (!epb_measure(r, (const uint8_t *)r + RING_CHUNK_MIN, &l))
		return 0;
	end = (const uint8_t *)r + l.total - sizeof(struct epb_end);
	if (((const struct epb_entries *)(const void *)end)[-1].option == EPB_OPT_ENTRIES_RAW)
		end -= sizeof(struct epb_entries);
	if (((const struct epb_socket *)(const void *)end)[-1].option == EPB_OPT_SOCKET_RAW)
		end -= sizeof(struct epb_socket);
	t = (const struct epb_nic_time *)(const void *)end - 1;
	if ((const uint8_t *)t < (const uint8_t *)(epb_options_behind(r, l.caplen) + 1) ||
	    t->option != EPB_OPT_NIC_TIME)
		return 0;
	return (uint64_t)t->high << 32 | t->low;
}

int stamp_open_clock(int n)
{
	char path[32];
	int fd;

	if (n < 0)
		return -ENODEV;
	snprintf(path, sizeof(path), "/dev/ptp%d", n);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

static int64_t ns(const struct ptp_clock_time *t)
{
	return t->sec * NS_PER_SEC + t->nsec;
}

/* The quickest of several looks. Each look takes the host's clock, the card's, and the host's
 * again. */
struct quickest {
	int64_t width; /* between the host's */
	int64_t nic, host;
};

static void take_look(struct quickest *q, const struct ptp_clock_time look[3])
{
	int64_t before = ns(&look[0]), width = ns(&look[2]) - before;

	if (width < q->width)
		*q = (struct quickest){width, ns(&look[1]), before + width / 2};
}

/* Drivers without gettimex64() only know the second request, in which looks share the host's
 * times. */
static int look_by_host(int ptp, struct quickest *q)
{
	struct ptp_sys_offset_extended e = {.n_samples = SAMPLES};
	struct ptp_sys_offset o = {.n_samples = SAMPLES};

	if (ioctl(ptp, PTP_SYS_OFFSET_EXTENDED, &e) == 0) {
		for (unsigned i = 0; i < SAMPLES; i++)
			take_look(q, e.ts[i]);
		return 0;
	}
	if (ioctl(ptp, PTP_SYS_OFFSET, &o))
		return -errno;
	for (unsigned i = 0; i < SAMPLES; i++)
		take_look(q, &o.ts[2 * i]);
	return 0;
}

/*
 * Reads both clocks at one moment: by the hardware if it can; else the card's between two looks at
 * the host's.
 */
static int look_at_both(int ptp, int64_t *nic, int64_t *host)
{
	struct ptp_sys_offset_precise p = {.rsv = {0}};
	struct quickest q = {.width = INT64_MAX};
	int e;

	if (ioctl(ptp, PTP_SYS_OFFSET_PRECISE, &p) == 0) {
		*nic = ns(&p.device);
		*host = ns(&p.sys_realtime);
		return 0;
	}
	e = look_by_host(ptp, &q);
	if (!e) {
		*nic = q.nic;
		*host = q.host;
	}
	return e;
}

int nic_clock_compare(struct nic_clock *c)
{
	int64_t nic, host, elapsed, moved;
	int e = look_at_both(c->ptp, &nic, &host);

	c->looked = clock_monotonic();
	if (e)
		return e;
	elapsed = nic - (int64_t)c->compared;
	moved = host - nic - c->offset;
	/* Clocks drift by some millionths. If one moved by more than a thousandth, it was set. */
	c->drift = c->compared && elapsed > NS_PER_MS && llabs(moved) <= elapsed / 1000
			   ? moved * 1000 / (elapsed / NS_PER_MS)
			   : 0;
	c->compared = (uint64_t)nic;
	c->offset = host - nic;
	return 0;
}

/* Compare again after a second, however either clock was set meanwhile; records may be older than
 * the last comparison. */
static bool is_due(const struct nic_clock *c, const struct epb_header *r)
{
	uint64_t since = epb_time(r) - c->compared - (uint64_t)c->offset;

	return since >= NS_PER_SEC && clock_monotonic() - c->looked >= NS_PER_SEC;
}

/* Between comparisons the drift is assumed to go on, for as long as one missed comparison takes. */
static uint64_t host_time(struct nic_clock *c, const struct epb_header *r, uint64_t stamp)
{
	int64_t since;

	if (is_due(c, r))
		nic_clock_compare(c);
	since = (int64_t)(stamp - c->compared);
	if (since > 10 * NS_PER_SEC || since < -10 * NS_PER_SEC)
		since = 0;
	return stamp + (uint64_t)(c->offset + since / 1000 * c->drift / 1000000);
}

uint64_t nic_clock_time(struct nic_clock *c, const struct epb_header *r)
{
	uint64_t stamp = stamp_of(r);

	if (stamp && c->synced)
		return host_time(c, r, stamp);
	if (stamp) {
		c->ahead = (int64_t)(stamp - epb_time(r));
		return stamp;
	}
	c->missing++;
	return epb_time(r) + (uint64_t)c->ahead;
}
