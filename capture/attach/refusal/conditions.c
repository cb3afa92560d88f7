/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <stdio.h>
#include <string.h>

#include "util/uapi.h"
#include "conditions.h"

enum condition {
	NO_LRO,	      /* merging in hardware (LRO) must be off */
	HALF,	      /* as many queues again must be free, for what XDP sends */
	HALF_OF_BOTH, /* the same, if the driver counts receive and transmit rings separately */
	TOGETHER,     /* each queue must both receive and send */
	SMALL_FRAMES, /* the MTU must be at most this */
	OWN_BUFFERS,  /* each CPU must have buffers of its own */
	AS_THE_PEER,  /* at least as many queues must receive as the peer has for sending */
};

static const struct {
	const char *driver; /* as ethtool -i names it */
	enum condition condition;
	unsigned limit;
	bool hides; /* while the condition is not met, its xdp_features are 0 */
} table[] = {
	{"mlx5_core", NO_LRO, 0, true},	    /* en_main.c, params_validate_xdp() */
	{"hv_netvsc", NO_LRO, 0, false},    /* netvsc_bpf.c, netvsc_xdp_set() */
	{"ixgbe", NO_LRO, 0, false},	    /* ixgbe_main.c, ixgbe_xdp_setup(): RSC */
	{"gve", NO_LRO, 0, false},	    /* gve_main.c, verify_xdp_configuration() */
	{"gve", HALF, 0, false},	    /* the same */
	{"gve", SMALL_FRAMES, 2032, false}, /* the same */
	{"ena", HALF, 0, true},		    /* ena_xdp.c, ena_xdp_allowed() */
	{"ena", SMALL_FRAMES, 3498, false}, /* ena_xdp.h, ENA_XDP_MAX_MTU */
	{"nicvf", HALF_OF_BOTH, 0, true},   /* thunder/nicvf_main.c, nicvf_xdp_setup() */
	{"nicvf", SMALL_FRAMES, 1508, false},
	{"bnxt_en", TOGETHER, 0, false},	/* bnxt_xdp.c, bnxt_xdp_set() */
	{"igc", SMALL_FRAMES, 1500, false},	/* igc_xdp.c, igc_xdp_set_prog() */
	{"st_gmac", SMALL_FRAMES, 1500, false}, /* stmmac_xdp.c, stmmac_xdp_set_prog() */
	{"mvpp2", OWN_BUFFERS, 1500, true},	/* mvpp2_main.c, mvpp2_change_mtu() */
	{"veth", AS_THE_PEER, 0, true},		/* veth.c, veth_xdp_set() */
};
#define ROWS (sizeof(table) / sizeof(table[0]))

static bool says_none(const struct facts *f)
{
	return f->has_xdp_features && !(f->xdp_features & NETDEV_XDP_ACT_BASIC);
}

/* Is the condition violated, as far as we can see? */
static bool is_violated(const struct facts *f, enum condition c, unsigned limit)
{
	switch (c) {
	case NO_LRO:
		return f->merges;
	case HALF:
		return f->queues > f->most_queues / 2;
	case HALF_OF_BOTH:
		return f->queues + f->tx_queues > f->most_queues;
	case TOGETHER:
		return f->queues_apart;
	case SMALL_FRAMES:
		return f->mtu > limit;
	case OWN_BUFFERS:
	case AS_THE_PEER:
		return says_none(f);
	}
	return false;
}

static void describe_half(const struct facts *f, unsigned half, char *text, size_t size)
{
	int used;

	if (f->most_queues < 2) { /* a small virtual machine: nothing helps */
		snprintf(text, size, "it has one queue, and XDP needs another");
		return;
	}
	used = snprintf(text, size,
			"it uses %u of %u queues, and XDP needs as many again: ethtool -L %s ",
			f->queues, f->most_queues, f->name);
	if (used < 0 || (size_t)used >= size)
		return;
	if (f->queues_apart)
		snprintf(text + used, size - (size_t)used, "rx %u tx %u", half, half);
	else
		snprintf(text + used, size - (size_t)used, "combined %u", half);
}

static void describe(const struct facts *f, enum condition c, unsigned limit, char *text,
		     size_t size)
{
	unsigned half = f->most_queues > 1 ? f->most_queues / 2 : 1;

	switch (c) {
	case NO_LRO:
		snprintf(text, size, "LRO is on: ethtool -K %s lro off", f->name);
		break;
	case HALF:
		describe_half(f, half, text, size);
		break;
	case HALF_OF_BOTH:
		snprintf(text, size,
			 "it uses too many of its %u queues, and XDP needs some: ethtool -L %s rx %u tx %u",
			 f->most_queues, f->name, half, half);
		break;
	case TOGETHER:
		snprintf(text, size,
			 "its queues receive or send, and XDP needs them combined: ethtool -L %s rx 0 tx 0 combined %u",
			 f->name, f->queues);
		break;
	case SMALL_FRAMES:
		snprintf(text, size,
			 "the MTU is %u, and with XDP at most %u: ip link set %s mtu %u", f->mtu,
			 limit, f->name, limit);
		break;
	case OWN_BUFFERS:
		snprintf(text, size,
			 "its CPUs share buffers, as with a large MTU on any of its ports: ip link set %s mtu %u",
			 f->name, limit);
		break;
	case AS_THE_PEER:
		snprintf(text, size,
			 "%u queues receive, and more of its peer's send: ethtool -L PEER tx %u",
			 f->queues, f->queues);
		break;
	}
}

bool conditions_hide_xdp(const struct facts *f)
{
	for (size_t i = 0; i < ROWS; i++)
		if (table[i].hides && strcmp(table[i].driver, f->driver) == 0)
			return says_none(f);
	return false;
}

void conditions_describe(const struct facts *f, char *text, size_t size)
{
	*text = 0;
	for (size_t i = 0; i < ROWS && !*text; i++)
		if (strcmp(table[i].driver, f->driver) == 0 &&
		    is_violated(f, table[i].condition, table[i].limit))
			describe(f, table[i].condition, table[i].limit, text, size);
}
