/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What a driver does to the interface when a program is attached to its XDP hook or detached. */
#include <errno.h>
#include <string.h>

#include "check.h"
#include "patient.h"

/* By the source of Linux 6.12: docs/drivers.md. */
static const struct {
	const char *driver; /* as ethtool -i has it */
	const char *what;
	bool swaps; /* ... and also at each new filter of a program that is bound to the device */
} table[] = {
	{"am65-cpsw-nuss", "its ports stop and start", true},
	{"atlantic", "it closes and opens", false},
	{"bnxt_en", "it closes and opens", true},
	{"ena", "it goes down and up", false},
	{"fec", "it restarts", true},
	{"fsl_dpaa2_eth", "it closes and opens: its IPv6 addresses and routes go", true},
	{"fsl_enetc", "its rings are set up again", true},
	{"gve", "its queues stop and start", false},
	{"i40e", "the whole physical function is reset", false},
	{"ice", "it goes down and up", false},
	{"idpf", "it is reset", false},
	{"igb", "it closes and opens, and its clock is set to system time", false},
	{"igc", "it closes and opens", true},
	{"ionic", "its queues are set up again", false},
	{"ixgbe", "it goes down and up, and its clock is set to system time", false},
	{"ixgbevf", "it closes and opens", false},
	{"mlx4_en", "its port stops and starts", false},
	{"mlx5_core", "its channels are opened again", false},
	{"mvneta", "it stops and starts", false},
	{"mvpp2", "it stops and starts", false},
	{"nfp", "its rings are set up again", false},
	{"nicvf", "it stops and starts", true},
	{"qede", "it unloads and loads", true},
	{"rvu_nicpf", "it stops and starts", true},
	{"st_gmac", "it closes and opens", false},
	{"vmxnet3", "it is quiet for some 80 ms, and LRO stays off afterwards", false},
};

enum result check_attaching(const struct patient *p, struct finding *f)
{
	if (p->plan.received != AFXDP_HOOK_XDP || afxdp_options_have(p->options, "xdp-mode", "skb"))
		return RESULT_NOT_APPLICABLE;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		if (strcmp(table[i].driver, p->interface.driver) != 0)
			continue;
		remedy(p, f, "%s -i %s --hook tc", program_invocation_short_name, p->name);
		return say(RESULT_WARNING, f,
			   "when the capture begins and ends, %s%s, and frames are lost meanwhile (source of Linux 6.12, not seen here)",
			   table[i].what,
			   table[i].swaps && p->plan.bound ? ", and so at each new filter" : "");
	}
	return RESULT_NOT_APPLICABLE;
}
