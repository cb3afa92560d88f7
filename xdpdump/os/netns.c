/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "complain.h"
#include "netns.h"

static const char *folder_of(const char *name)
{
	return strchr(name, '/') ? "" : NETNS_NAMED;
}

static bool is_number(const char *name)
{
	return *name && !name[strspn(name, "0123456789")];
}

/*
 * The path of the namespace, that of a process only if there is no such name. Returns false if it
 * is too long.
 */
static bool find_path(const char *name, char path[PATH_MAX])
{
	if (snprintf(path, PATH_MAX, "%s%s", folder_of(name), name) >= PATH_MAX)
		return false;
	if (is_number(name) && access(path, F_OK))
		snprintf(path, PATH_MAX, "/proc/%.20s/ns/net", name);
	return true;
}

bool netns_is_process(const char *name)
{
	char path[PATH_MAX];

	return is_number(name) && find_path(name, path) && strncmp(path, "/proc/", 6) == 0;
}

bool netns_is_pattern(const char *name)
{
	return name && !strchr(name, '/') && (strpbrk(name, "*?[") || strcmp(name, "all") == 0);
}

static int open_namespace(const char *name)
{
	char path[PATH_MAX];
	int fd;

	if (!find_path(name, path))
		return refuse(-ENAMETOOLONG, "network namespace %.32s...: %s", name,
			      strerror(ENAMETOOLONG));
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd >= 0)
		return fd;
	fd = -errno;
	if (fd == -ENOENT && netns_is_pattern(name))
		complain("network namespace %s: give one name here, not a pattern (see: ip netns)",
			 name);
	else if (fd == -ENOENT && is_number(name))
		complain("network namespace %s: no such name, and no process with this number (see: ip netns)",
			 name);
	else if (fd == -ENOENT && *folder_of(name))
		complain("network namespace %s: no such name (see: ip netns)", name);
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

/* To return to. */
static int open_own(void)
{
	int fd = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);

	if (fd >= 0)
		return fd;
	fd = -errno;
	return refuse(fd,
		      "cannot leave this network namespace, /proc/thread-self/ns/net: %s; is /proc mounted?",
		      strerror(-fd));
}

int netns_enter(const char *name, int *home)
{
	int e, fd;

	*home = -1;
	if (!name)
		return 0;
	fd = open_namespace(name);
	if (fd < 0)
		return fd;
	*home = open_own();
	e = *home < 0 ? *home : 0;
	if (!e && setns(fd, CLONE_NEWNET)) {
		e = -errno;
		explain(name, e);
		close(*home);
		*home = -1;
	}
	close(fd);
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
		complain("cannot return to the first network namespace: %s", strerror(-e));
	return e;
}

struct netns_id netns_identify(const char *name)
{
	char path[PATH_MAX];
	struct stat st;
	int fd;

	if (name && netns_is_process(name)) {
		fd = (int)syscall(SYS_pidfd_open, atoi(name), 0);
		return (struct netns_id){.process = fd >= 0 || errno == ESRCH ? fd : 0};
	}
	/* A path in /proc is that of a process: its namespace may have other users. */
	if (!name || strncmp(name, "/proc/", 6) == 0 || !find_path(name, path) || stat(path, &st))
		return (struct netns_id){0};
	return (struct netns_id){st.st_dev, st.st_ino, 0};
}

void netns_forget(struct netns_id *id)
{
	if (id->process > 0)
		close(id->process);
	id->process = 0;
}

static bool has_ended(int process)
{
	struct pollfd p = {.fd = process, .events = POLLIN};

	return process < 0 || poll(&p, 1, 0) > 0;
}

bool netns_is_deleted(const char *name, const struct netns_id *id)
{
	char path[PATH_MAX];
	struct stat st;

	if (id->process)
		return has_ended(id->process);
	if (!id->number || !find_path(name, path))
		return false;
	if (stat(path, &st))
		return errno == ENOENT;
	return st.st_dev != id->device || st.st_ino != id->number;
}
