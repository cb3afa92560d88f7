/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The slaves of a bond. Separate because linux/if_bonding.h and net/if.h cannot be included
 * together. */
#pragma once

#include <stdbool.h>

#define BOND_NAME_SIZE 16 /* IFNAMSIZ */

struct bond_slave {
	char name[BOND_NAME_SIZE];
	/* In active-backup mode it is not the active one; in 802.3ad it is not in the aggregator
	 * that is in use; in round-robin and xor with ARP monitoring its link is down. */
	bool is_backup;
};

/* Number of slaves; 0: it has none, or is not a bond. s: any socket. */
int bond_slaves(int s, const char *ifname);
/* Get the slave with this number, from 0. False: it has gone. */
bool bond_slave(int s, const char *ifname, int number, struct bond_slave *slave);
/* Is its mode 802.3ad, with a backup slave? The stack ignores the frames of such a slave; in
 * round-robin and xor mode it ignores none. */
bool bond_leaves_out_backup(int s, const char *ifname);
