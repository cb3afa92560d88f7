/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* xdpdump: capture packets at the XDP layer. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <config.h>
#include "xdpdump/os/complain.h"
#include "xdpdump/doctor/doctor.h"
#include "xdpdump/source/device.h"
#include "xdpdump/source/expression.h"
#include "xdpdump/cli/extcap.h"
#include "xdpdump/os/interfaces.h"
#include "xdpdump/os/netns.h"
#include "xdpdump/cli/options.h"
#include "xdpdump/session/session.h"
#include "xdpdump/cli/stamp_types.h"

/* If this process was started without standard input, output or error, the next file that it opens
 * must not take that place. Open /dev/null for reading there, so that writing fails. */
static void hold_standard_descriptors(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDONLY);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd > STDERR_FILENO)
		close(fd);
}

/* Do not pass descriptors that our caller left open to the programs that we start. */
static void keep_descriptors_to_ourselves(void)
{
	struct dirent *entry;
	DIR *d;

	if (syscall(SYS_close_range, STDERR_FILENO + 1, ~0u, CLOSE_RANGE_CLOEXEC) == 0)
		return;
	d = opendir("/proc/self/fd"); /* a container's seccomp profile may not know the call */
	while (d && (entry = readdir(d))) {
		int fd = atoi(entry->d_name);

		if (fd > STDERR_FILENO)
			fcntl(fd, F_SETFD, FD_CLOEXEC);
	}
	if (d)
		closedir(d);
}

/* Returns the exit status: text on standard output counts as printed when it has left the
 * process. */
static int printed(void)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return EXIT_SUCCESS;
	return refuse(EXIT_FAILURE, "standard output: %s", strerror(errno));
}

static int list_interfaces(const struct options *o)
{
	int home, e = netns_enter(o->next_netns, &home);

	if (e)
		return EXIT_FAILURE;
	e = interfaces_list(o->json);
	if (netns_leave(home))
		return EXIT_FAILURE;
	if (!e)
		return printed();
	return refuse(EXIT_FAILURE, "listing interfaces: %s", strerror(-e));
}

static int list_stamp_types(const struct options *o)
{
	int home, e;

	if (netns_enter(o->source.netns[0], &home))
		return EXIT_FAILURE;
	e = stamp_types_list(o);
	return netns_leave(home) || e ? EXIT_FAILURE : printed();
}

static int dump_expression(const struct options *o)
{
	struct expression_terms terms = {.snaplen = o->source.snaplen,
					 .as_written = o->source.as_written};
	char err[1024];
	int e;

	if (devices_check(&o->source))
		return EXIT_FAILURE;
	if (o->dump_level == DUMP_EBPF)
		e = expression_dump_ebpf(o->source.expression, terms, err, sizeof(err));
	else
		e = expression_dump(o->source.expression, terms, (int)o->dump_level, err,
				    sizeof(err));
	if (e == 0)
		return printed();
	return refuse(EXIT_FAILURE, "%s", err);
}

static int run_action(const struct options *o)
{
	int status;

	switch (o->action) {
	case ACTION_LIST:
		return list_interfaces(o);
	case ACTION_LIST_STAMPS:
		return list_stamp_types(o);
	case ACTION_DUMP:
		return dump_expression(o);
	case ACTION_DOCTOR:
		status = doctor_run(o);
		return printed() == EXIT_SUCCESS ? status : EXIT_FAILURE;
	case ACTION_VERSION:
		printf("%s (%s)\n%s\n", program_invocation_short_name, PACKAGE_VERSION_TEXT,
		       expression_compiler());
		return printed();
	case ACTION_HELP:
		options_help(o);
		return printed();
	default:
		return session_run(o);
	}
}

int main(int argc, char **argv)
{
	struct options o;
	int status = EXIT_FAILURE;

	hold_standard_descriptors();
	keep_descriptors_to_ourselves();
	/* Where a parent ignored it, the children that we wait for end without a status. */
	signal(SIGCHLD, SIG_DFL);
	if (extcap_called(argc, argv))
		return extcap_answer(argc, argv, session_run);
	if (options_parse(&o, argc, argv) == 0)
		status = run_action(&o);
	options_free(&o);
	return status;
}
