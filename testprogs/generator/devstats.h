/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* How many frames a network device says it took and refused. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct devstats {
	bool xdp_known;	      /* the driver counts XDP frames apart (veth does) */
	uint64_t xdp_taken;   /* all queues: accepted by ndo_xdp_xmit */
	uint64_t xdp_refused; /* all queues: handed back by ndo_xdp_xmit */
	uint32_t tx_packets;  /* 32 bits, wraps around */
	uint32_t tx_dropped;
};

/* Returns 0 or -errno. */
int devstats_read(const char *iface, struct devstats *stats);
