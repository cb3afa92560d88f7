/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <string.h>

#include "option_upstream.h"
#include "option_values.h"
#include "options.h"
#include "report.h"

#define WAKEUP_MAX 0x7fffffff

/* It always does; scripts look for the words. */
int option_load_xdp_program(struct options *o, const char *name, const char *value)
{
	(void)o;
	(void)name;
	(void)value;
	complain("Will load a capture only XDP program!");
	return 0;
}

int option_load_xdp_mode(struct options *o, const char *name, const char *value)
{
	size_t used = strlen(o->engine), room = sizeof(o->engine) - used;

	if (strcmp(value, "hw") == 0) {
		complain("%s hw: a program in the network card cannot hand frames to the host",
			 name);
		return -1;
	}
	if (strcmp(value, "native") != 0 && strcmp(value, "skb") != 0 &&
	    strcmp(value, "unspecified") != 0) {
		complain("%s takes native, skb, hw or unspecified, not \"%s\"", name, value);
		return -1;
	}
	if (strcmp(value, "unspecified") != 0 &&
	    (size_t)snprintf(o->engine + used, room, ",xdp-mode=%s", value) >= room) {
		o->engine[used] = 0;
		complain("%s %s: too many options", name, value);
		return -1;
	}
	return 0;
}

/* The reader looks once a millisecond while packets come, and is woken by the first after a pause.
 */
int option_perf_wakeup(struct options *o, const char *name, const char *value)
{
	uint64_t events;

	(void)o;
	return value_number(&events, name, value, 0, WAKEUP_MAX);
}

int option_program_names(struct options *o, const char *name, const char *value)
{
	(void)o;
	complain("%s %.64s: capturing inside of XDP programs that are there already, by fentry and "
		 "fexit, is not in this version; without the option it captures at tc, behind them",
		 name, value);
	return -1;
}

int option_rx_capture(struct options *o, const char *name, const char *value)
{
	(void)o;
	if (strcmp(value, "entry") == 0)
		return 0;
	if (strcmp(value, "exit") == 0 || strcmp(value, "entry,exit") == 0 ||
	    strcmp(value, "exit,entry") == 0)
		complain("%s %s: capturing at the exit of XDP programs that are there already, by "
			 "fexit, is not in this version",
			 name, value);
	else
		complain("%s takes entry, exit or entry,exit, not \"%s\"", name, value);
	return -1;
}

int option_use_pcap(struct options *o, const char *name, const char *value)
{
	(void)name;
	(void)value;
	o->use_pcap = true;
	return 0;
}
