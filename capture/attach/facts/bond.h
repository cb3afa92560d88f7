/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The slaves of a bond. linux/if_bonding.h does not go with net/if.h. */
#pragma once

#include <stdbool.h>

#define BOND_NAME_SIZE 16 /* IFNAMSIZ */

struct bond_slave {
	char name[BOND_NAME_SIZE];
	/* In active-backup it is not the active one, in 802.3ad it is outside the aggregator that
	 * is in use, in round-robin and xor with ARP monitoring its link is down. */
	bool is_backup;
};

/* s: any socket. How many slaves it has; 0: none, or it is no bond. */
int bond_slaves(int s, const char *ifname);
/* The one with this number, from 0. False: it has gone. */
bool bond_slave(int s, const char *ifname, int number, struct bond_slave *slave);
/* Is its mode 802.3ad, and has it a backup? The stack leaves out that one's frames, but in
 * round-robin and xor those of none. */
bool bond_leaves_out_backup(int s, const char *ifname);
