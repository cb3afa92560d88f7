/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <net/if.h>
#include <pcap/pcap.h>
#include <stdio.h>

#include "capture/afxdpcapture.h"
#include "xdpdump/os/complain.h"
#include "xdpdump/source/device.h"
#include "options.h"
#include "xdpdump/source/patterns.h"
#include "stamp_types.h"
#include "util/harmless.h"

int option_stamp_type(struct options *o, const char *name, const char *value)
{
	switch (pcap_tstamp_type_name_to_val(value)) {
	case PCAP_TSTAMP_HOST:
	case PCAP_TSTAMP_HOST_HIPREC:
		o->source.stamps = STAMPS_HOST;
		return 0;
	case PCAP_TSTAMP_HOST_LOWPREC:
		o->source.stamps = STAMPS_HOST_LOWPREC;
		return 0;
	case PCAP_TSTAMP_ADAPTER:
		o->source.stamps = STAMPS_ADAPTER;
		return 0;
	case PCAP_TSTAMP_ADAPTER_UNSYNCED:
		o->source.stamps = STAMPS_ADAPTER_UNSYNCED;
		return 0;
	}
	return refuse(-1,
		      "%s takes host, host_hiprec, host_lowprec, adapter or adapter_unsynced, not \"%s\"",
		      name, value);
}

static void print_type(int type)
{
	printf("  %s (%s)\n", pcap_tstamp_type_val_to_name(type),
	       pcap_tstamp_type_val_to_description(type));
}

/* In tcpdump's words. */
int stamp_types_list(const struct options *o)
{
	struct afxdp_options *device = device_new(&o->source);
	const char *name;
	int offered;

	if (!device || device_options(device, &o->source, o->source.interfaces[0])) {
		afxdp_options_free(device);
		return -1;
	}
	name = afxdp_options_interface(device);
	if (!pattern_is(o->source.interfaces[0]) && !if_nametoindex(name)) {
		complain("%s: no such interface (see: ip link)", name);
		afxdp_options_free(device);
		return -1;
	}
	harmless_print(stdout, "Time stamp types for %s (use option -j to set):\n",
		       o->source.interfaces[0]);
	print_type(PCAP_TSTAMP_HOST);
	print_type(PCAP_TSTAMP_HOST_HIPREC);
	print_type(PCAP_TSTAMP_HOST_LOWPREC);
	offered = afxdp_options_offer_nic_time(device);
	if (offered >= 2)
		print_type(PCAP_TSTAMP_ADAPTER);
	if (offered >= 1)
		print_type(PCAP_TSTAMP_ADAPTER_UNSYNCED);
	afxdp_options_free(device);
	return 0;
}
