/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Offloads of an interface, by the names that the kernel gives them. Asking changes nothing. */
#pragma once

#include <linux/ethtool.h>
#include <stdbool.h>

#define OFFLOADS_MAX 128 /* the kernel has about 64 so far */

struct offloads {
	unsigned count; /* 0: the driver does not tell */
	struct {
		struct ethtool_gstrings head;
		char name[OFFLOADS_MAX][ETH_GSTRING_LEN];
	} names;
	struct {
		struct ethtool_gfeatures head;
		struct ethtool_get_features_block block[OFFLOADS_MAX / 32];
	} bits;
};

/* Executes a command of linux/ethtool.h. s: any socket. Returns 0 or -errno. */
int offloads_ethtool(int s, const char *ifname, void *command);
void offloads_get(int s, const char *ifname, struct offloads *o);
/* Is offload number i, below o->count, on? */
bool offloads_is_on(const struct offloads *o, unsigned i);
/* Is it fixed, so that nobody can change it? */
bool offloads_is_fixed(const struct offloads *o, unsigned i);
/* The number of the offload with this name; -1: there is none. */
int offloads_find(const struct offloads *o, const char *name);
