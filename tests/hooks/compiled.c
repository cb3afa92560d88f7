/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * compiled IFACE OBJECT PROGRAM FUNCTION: opens captures with the programs of an object file, so
 * that each of them is loaded, with what it can be asked for and without, and sets a filter.
 * PROGRAM is the number of an XDP program to trace, FUNCTION one in it. Status 1 if any was
 * refused.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "opens.h"

/* A file of nothing. */
#define SETS	  "compiled.sets"
#define FLOWS_TOO ",flows-max=64,not-flows=" SETS
#define LESS	  ",slice=l4+64,flow-cutoff=64K,sample=10"

/*
 * Of a device name, and what no device name has. Sent frames have the same programs at XDP as at
 * tc: once is enough.
 */
static const struct {
	const char *name;
	struct afxdp_options options;
} captures[] = {
	{"hook=xdp", {.no_sent = true}},
	{"hook=xdp" LESS, {.no_sent = true, .immediate = true}},
	{"hook=xdp,slice=l3", {.no_sent = true}},
	{"hook=xdp,flow-cutoff=64K", {.no_sent = true}},
	{"hook=xdp,hash=on,after=drop,rest=drop", {.no_sent = true, .nic_time = true}},
	{"hook=xdp,vlan=off", {.no_sent = true, .immediate = true}},
	{"hook=xdp,vlan=off" LESS ",after=drop,rest=drop", {.no_sent = true, .coarse_time = true}},
	{"hook=xdp", {.who = true}},
	{"hook=xdp,hash=on" LESS, {.nic_time = true, .who = true}},
	{"hook=tc" LESS, {.who = true}},
	{"hook=tc,after=drop", {.immediate = true}},
	{"hook=tc" LESS, {.hook = CAPTURE_HOOK_AUTO}},
	{"hook=packet", {.hook = CAPTURE_HOOK_AUTO}},
	{"hook=packet" LESS, {.immediate = true}},
	{"engine=divert,queues=0,full=pass", {.hook = CAPTURE_HOOK_AUTO}},
	{"engine=divert,vlan=off,rest=drop", {.coarse_time = true}},
	{"engine=divert,hash=on,rest=drop,queues=0", {.nic_time = true}},
	{"engine=divert,zero-copy=off,queues=0", {.hook = CAPTURE_HOOK_AUTO}},
	{"engine=divert,zero-copy=off,vlan=off,rest=drop", {.coarse_time = true}},
	{"engine=divert,zero-copy=off,hash=on,rest=drop", {.nic_time = true}},
	{"hook=xdp,not-hosts=" SETS ",not-ports=" SETS FLOWS_TOO, {.immediate = true}},
	{"hook=tc,hosts=" SETS LESS, {.who = true}},
	{"engine=divert" FLOWS_TOO, {.hook = CAPTURE_HOOK_AUTO}},
	{"ring=512K", {.hook = CAPTURE_HOOK_FENTRY, .immediate = true}},
	{"ring=512K" LESS, {.hook = CAPTURE_HOOK_FENTRY}},
	{"ring=512K", {.hook = CAPTURE_HOOK_FEXIT}},
	{"ring=512K" LESS, {.hook = CAPTURE_HOOK_FEXIT, .verdicts = 2}},
};
#define TRACING 4 /* the last ones */
#define COUNT	(sizeof(captures) / sizeof(captures[0]))

int main(int argc, char **argv)
{
	const size_t all = argc == 5 ? COUNT : COUNT - TRACING;
	size_t good = 0;
	char device[128];
	FILE *sets;

	if ((argc != 3 && argc != 5) || opens_use(argv[2]))
		return 2;
	sets = fopen(SETS, "we");
	if (!sets || fclose(sets))
		return 2;
	for (size_t i = 0; i < all; i++) {
		struct afxdp_options o = captures[i].options;

		if (o.hook != CAPTURE_HOOK_AUTO) {
			o.program = (uint32_t)strtoul(argv[3], NULL, 10);
			snprintf(o.function, sizeof(o.function), "%s", argv[4]);
		}
		snprintf(device, sizeof(device), "xdp:%s,ring=512K,loader=off,%s", argv[1],
			 captures[i].name);
		good += opens(device, o);
	}
	unlink(SETS);
	printf("%zu of %zu\n", good, all);
	return good != all;
}
