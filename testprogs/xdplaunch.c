/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Runs a command without any privilege that can still capture on one interface: opens AF_XDP
 * sockets and loads the program for engine=divert, drops all privileges, and passes the descriptors
 * on, named in PCAP_AFXDP_OPTIONS.
 */
#include "xdplaunch.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "options.h"

enum { KEY_ATTACH = 256 };

static const struct option_row rows[] = {
	{'i', "interface", "NAME", "interface to capture on"},
	{'u', "user", "NAME", "run the command as this user (nobody)"},
	{KEY_ATTACH, "attach", NULL,
	 "attach the program here; the command is told of sockets only"},
	{0},
};

static const struct program program = {
	"xdplaunch",
	"-i NAME [OPTION]... COMMAND [ARGUMENT]...",
	"Runs a command without privilege that can capture on xdp:NAME: sockets and program are\n"
	"opened before, and named in PCAP_AFXDP_OPTIONS.",
	rows,
	true,
};

static void die(const char *what)
{
	fprintf(stderr, "xdplaunch: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void keep(int fd)
{
	if (fd >= 0 && fcntl(fd, F_SETFD, 0))
		die("descriptor");
}

/* "engine=divert,sock-fds=3+4,prog-fd=5" */
static void tell(const struct launch *l)
{
	char text[32 + 12 * LAUNCH_SOCKETS_MAX];
	size_t n = (size_t)snprintf(text, sizeof(text), "engine=divert,sock-fds=");

	for (unsigned i = 0; i < l->count; i++) {
		keep(l->sockets[i]);
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%d", i ? "+" : "",
				      l->sockets[i]);
	}
	keep(l->promiscuity);
	keep(l->link);
	if (l->link < 0) {
		keep(l->program);
		snprintf(text + n, sizeof(text) - n, ",prog-fd=%d", l->program);
	}
	if (setenv("PCAP_AFXDP_OPTIONS", text, 1))
		die("environment");
}

/* Giving up user 0 drops all capabilities, and none can be regained. */
static void drop(const char *name)
{
	const struct passwd *user = getpwnam(name);

	if (!user || user->pw_uid == 0)
		usage_error(&program, "-u takes a user other than root, not `%s'", name);
	if (setgroups(0, NULL) || setgid(user->pw_gid) || setuid(user->pw_uid) ||
	    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		die(name);
}

int main(int argc, char **argv)
{
	const char *interface = NULL, *user = "nobody";
	bool attach = false;
	struct launch l;
	int key;

	while ((key = options_next(&program, argc, argv)) != -1) {
		if (key == 'i')
			interface = optarg;
		else if (key == 'u')
			user = optarg;
		else if (key == KEY_ATTACH)
			attach = true;
	}
	if (!interface || optind == argc)
		usage_error(&program, "give -i NAME and a command");
	launch_open(&l, interface, attach);
	tell(&l);
	drop(user);
	execvp(argv[optind], argv + optind);
	die(argv[optind]);
}
