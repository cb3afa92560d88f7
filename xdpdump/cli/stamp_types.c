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

/* Use the words of tcpdump. */
static void print_types(const char *interface, int offered)
{
	harmless_print(stdout, "Time stamp types for %s (use option -j to set):\n", interface);
	print_type(PCAP_TSTAMP_HOST);
	print_type(PCAP_TSTAMP_HOST_HIPREC);
	print_type(PCAP_TSTAMP_HOST_LOWPREC);
	if (offered >= 2)
		print_type(PCAP_TSTAMP_ADAPTER);
	if (offered >= 1)
		print_type(PCAP_TSTAMP_ADAPTER_UNSYNCED);
}

int stamp_types_list(const struct options *o)
{
	const char *interface = o->source.interfaces[0], *name;
	struct afxdp_options *device = device_new(&o->source);
	int e = device ? device_options(device, &o->source, interface) : -1;

	name = e ? NULL : afxdp_options_interface(device);
	if (!e && !pattern_is(interface) && !if_nametoindex(name))
		e = refuse(-1, "%s: no such interface (see: ip link)", name);
	if (!e)
		print_types(interface, afxdp_options_offer_nic_time(device));
	afxdp_options_free(device);
	return e;
}
