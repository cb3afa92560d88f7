/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Asks a bond through linux/if_bonding.h. */
#include <linux/if.h>
#include <linux/if_bonding.h>
#include <linux/sockios.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>

#include "bond.h"

static bool ask(int s, const char *ifname, unsigned long request, void *data)
{
	struct ifreq r = {.ifr_data = data};

	memcpy(r.ifr_name, ifname, strnlen(ifname, IFNAMSIZ - 1));
	return ioctl(s, request, &r) == 0;
}

int bond_slaves(int s, const char *ifname)
{
	struct ifbond bond = {.num_slaves = 0};

	return ask(s, ifname, SIOCBONDINFOQUERY, &bond) ? bond.num_slaves : 0;
}

bool bond_slave(int s, const char *ifname, int number, struct bond_slave *slave)
{
	struct ifslave told = {.slave_id = number};

	if (!ask(s, ifname, SIOCBONDSLAVEINFOQUERY, &told))
		return false;
	snprintf(slave->name, sizeof(slave->name), "%.*s", IFNAMSIZ - 1, told.slave_name);
	slave->is_backup = told.state == BOND_STATE_BACKUP;
	return true;
}

bool bond_leaves_out_backup(int s, const char *ifname)
{
	struct ifbond bond = {.num_slaves = 0};
	struct bond_slave slave;

	if (!ask(s, ifname, SIOCBONDINFOQUERY, &bond) || bond.bond_mode != BOND_MODE_8023AD)
		return false;
	for (int i = 0; i < bond.num_slaves; i++)
		if (bond_slave(s, ifname, i, &slave) && slave.is_backup)
			return true;
	return false;
}
