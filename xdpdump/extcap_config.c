/* SPDX-License-Identifier: BSD-3-Clause */
#include <stddef.h>
#include <stdio.h>

#include "extcap_config.h"

#define CHOICES_MAX 4
/* Sizes as our options take them: the dialogue refuses others before they get here. */
#define A_SIZE "{validation=^[0-9]+[KMG]?$}"

/* value is what the option takes; NULL ends the list. */
struct choice {
	const char *value, *display;
};

struct widget {
	const char *call, *type, *display, *tooltip;
	const char *more;		    /* in braces, or "" */
	struct choice choices[CHOICES_MAX]; /* the first is the default */
};

/* Those that make sense in a dialogue. What has no default is left to ours if it is left empty. */
static const struct widget widgets[] = {
	{"--engine",
	 "selector",
	 "Engine",
	 "What becomes of packets that match",
	 "{default=tap}",
	 {{"tap", "Copy them: the host has them too"},
	  {"divert", "Take them away from the host (AF_XDP, for monitor ports)"}}},
	{"--queues",
	 "string",
	 "Queues to divert",
	 "Numbers and ranges such as 0-3+6; empty: all",
	 "{validation=^(all|[0-9+-]+)?$}",
	 {{NULL, NULL}}},
	{"--zero-copy",
	 "selector",
	 "Zero-copy",
	 "Of the sockets that packets are diverted to",
	 "{default=auto}",
	 {{"auto", "Where the driver has it"}, {"on", "Required"}, {"off", "No"}}},
	{"--hook",
	 "selector",
	 "Hook",
	 "Where to capture",
	 "{default=auto}",
	 {{"auto", "XDP, or tc where XDP is not native or taken"},
	  {"xdp", "XDP, before the network stack"},
	  {"tc", "tc, behind XDP and receive offload"},
	  {"packet", "Packet socket"}}},
	{"--xdp-mode",
	 "selector",
	 "XDP mode",
	 "Where the XDP program runs",
	 "{default=native}",
	 {{"native", "In the driver"}, {"skb", "Generic, before the stack"}}},
	{"--direction",
	 "selector",
	 "Direction",
	 "Frames to capture",
	 "{default=in}",
	 {{"in", "Received"}, {"out", "Sent"}, {"inout", "Both"}}},
	{"--promiscuous-mode",
	 "boolflag",
	 "Promiscuous mode",
	 "Also capture what is for other hosts",
	 "{default=false}",
	 {{NULL, NULL}}},
	{"--snapshot-length",
	 "unsigned",
	 "Snapshot length",
	 "Bytes to keep of each packet",
	 "{range=0,262144}{default=262144}",
	 {{NULL, NULL}}},
	{"--ring",
	 "string",
	 "Ring of each CPU",
	 "A power of two such as 16M; empty: 64M, or less to stay within the bound",
	 A_SIZE,
	 {{NULL, NULL}}},
	{"--ring-total",
	 "string",
	 "Bound on all rings",
	 "A size such as 1G; empty: 256M",
	 A_SIZE,
	 {{NULL, NULL}}},
	{"--vlan",
	 "selector",
	 "VLAN tags",
	 "Those that the device takes off frames",
	 "{default=on}",
	 {{"on", "Put back"}, {"off", "Leave out"}}},
	{"--loader",
	 "selector",
	 "Loader",
	 "A helper with the capabilities opens the capture where they are missing",
	 "{default=on}",
	 {{"on", "Use it"}, {"off", "Do without"}}},
};

static void print_choices(size_t number, const struct widget *w)
{
	for (size_t i = 0; i < CHOICES_MAX && w->choices[i].value; i++)
		printf("value {arg=%zu}{value=%s}{display=%s}{default=%s}\n", number,
		       w->choices[i].value, w->choices[i].display, i ? "false" : "true");
}

void extcap_config(void)
{
	for (size_t i = 0; i < sizeof(widgets) / sizeof(widgets[0]); i++) {
		const struct widget *w = &widgets[i];

		printf("arg {number=%zu}{call=%s}{display=%s}{tooltip=%s}{type=%s}%s\n", i, w->call,
		       w->display, w->tooltip, w->type, w->more);
		print_choices(i, w);
	}
}
