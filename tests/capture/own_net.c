/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "own_net.h"

void own_net(void)
{
	if (geteuid() == 0 && unshare(CLONE_NEWNET) == 0)
		return;
	printf("skipped: needs root, for network namespaces and XDP\n"
	       "0 passed, 0 failed, 1 skipped\n");
	exit(77);
}

void run(const char *format, ...)
{
	char command[512];
	va_list args;

	va_start(args, format);
	vsnprintf(command, sizeof(command), format, args);
	va_end(args);
	/* A preloaded sanitizer is for this program, not for the shell's. */
	if (setenv("PATH", "/usr/sbin:/usr/bin:/sbin:/bin", 1) || system(command)) {
		fprintf(stderr, "failed: %s\n", command);
		exit(1);
	}
}

void veth_pair(const char *options)
{
	run("sysctl -qw net.ipv6.conf.all.disable_ipv6=1 net.ipv6.conf.default.disable_ipv6=1 || true");
	run("ip link add va %s type veth peer name vb %s", options, options);
	run("ip link set va up && ip link set vb up");
}

unsigned count_descriptors(void)
{
	DIR *d = opendir("/proc/self/fd");
	unsigned n = 0;

	while (d && readdir(d))
		n++;
	closedir(d);
	return n;
}
