/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* pcapng-find: packets out of many files. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef HAVE_CONFIG_H
#include <config.h>
#endif
#include <linux/ioprio.h>
#include <pcap/pcap.h>

#include "find/search.h"
#include "util/command/say.h"
#include "util/command/signals.h"

static int print_help(void)
{
	const char *name = program_invocation_short_name;

	printf("%s [OPTION]... [EXPRESSION] FILE|DIR...\n"
	       "    write the packets of files that match a tcpdump expression, in the order of time\n",
	       name);
	options_print();
	printf("%s(1) explains them.\n", name);
	return printed();
}

static int print_version(void)
{
	printf("%s (%s)\n%s\n", program_invocation_short_name, PACKAGE_VERSION_TEXT,
	       pcap_lib_version());
	return printed();
}

/* Lets a capture that is writing files have the disk first. */
static void step_back(void)
{
	syscall(SYS_ioprio_set, IOPRIO_WHO_PROCESS, 0, IOPRIO_PRIO_VALUE(IOPRIO_CLASS_IDLE, 0));
}

int main(int argc, char **argv)
{
	struct options o;
	int e;

	if (options_parse(&o, argc, argv))
		return EXIT_FAILURE;
	if (o.help)
		return print_help();
	if (o.version)
		return print_version();
	signals_catch();
	step_back();
	e = search_run(&o);
	options_free(&o);
	return printed() || e ? EXIT_FAILURE : EXIT_SUCCESS;
}
