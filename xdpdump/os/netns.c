/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "complain.h"
#include "netns.h"

#define NAMED "/run/netns/" /* where ip-netns(8) keeps them */

static int open_namespace(const char *name)
{
	char path[PATH_MAX];
	const char *folder = strchr(name, '/') ? "" : NAMED;
	int fd;

	if ((size_t)snprintf(path, sizeof(path), "%s%s", folder, name) >= sizeof(path)) {
		complain("network namespace %.32s...: %s", name, strerror(ENAMETOOLONG));
		return -ENAMETOOLONG;
	}
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd >= 0)
		return fd;
	fd = -errno;
	if (fd == -ENOENT && *folder)
		complain("network namespace %s: there is none of that name (see: ip netns)", name);
	else
		complain("network namespace %s: %s", name, strerror(-fd));
	return fd;
}

static void explain(const char *name, int e)
{
	if (e == -EINVAL)
		complain("%s is no network namespace", name);
	else if (e == -EPERM)
		complain("network namespace %s: needs CAP_SYS_ADMIN: run as root", name);
	else
		complain("network namespace %s: %s", name, strerror(-e));
}

int netns_enter(const char *name, int *home)
{
	int e = 0, fd;

	*home = -1;
	if (!name)
		return 0;
	fd = open_namespace(name);
	if (fd < 0)
		return fd;
	*home = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);
	if (*home < 0 || setns(fd, CLONE_NEWNET))
		e = -errno;
	close(fd);
	if (!e)
		return 0;
	explain(name, e);
	if (*home >= 0)
		close(*home);
	*home = -1;
	return e;
}

int netns_leave(int home)
{
	int e;

	if (home < 0)
		return 0;
	e = setns(home, CLONE_NEWNET) ? -errno : 0;
	close(home);
	if (e)
		complain("cannot return to the own network namespace: %s", strerror(-e));
	return e;
}
