/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "child.h"
#include "user.h"

#define NOBODY 65534

void child_find_user(struct child_user *u, const char *name)
{
	struct user found;

	*u = (struct child_user){.changes = geteuid() == 0};
	if (!u->changes)
		return;
	if (user_find(&found, name ? name : "nobody"))
		found = (struct user){.uid = NOBODY, .gid = NOBODY, .home = "/"};
	u->uid = found.uid;
	u->gid = found.gid;
	snprintf(u->home, sizeof(u->home), "%s", found.home);
}

static bool become(const struct child_user *u)
{
	return !u->changes || user_become(&(struct user){.uid = u->uid, .gid = u->gid}) == 0;
}

uint64_t child_capabilities(void)
{
	struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
	struct __user_cap_data_struct held[2];

	if (syscall(SYS_capget, &head, held))
		return 0;
	return held[0].permitted | (uint64_t)held[1].permitted << 32;
}

int child_set_capabilities(uint64_t permitted, uint64_t effective)
{
	struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
	const struct __user_cap_data_struct these[2] = {{.permitted = (uint32_t)permitted,
							 .effective = (uint32_t)effective},
							{.permitted = (uint32_t)(permitted >> 32),
							 .effective = (uint32_t)(effective >> 32)}};

	return syscall(SYS_capset, &head, these) ? -errno : 0;
}

int child_keep_capabilities(const struct child_user *u, uint64_t keep)
{
	int e;

	user_empty_bounding_set();
	if ((keep && prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0)) || !become(u))
		return -errno;
	prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	e = child_set_capabilities(keep, keep);
	return e || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 ? e : -errno;
}

static const int ours[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ, SIGUSR1, SIGUSR2};

static void set_signals(void (*to)(int))
{
	for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++)
		signal(ours[i], to);
}

void child_ignore_signals(void)
{
	setpgid(0, 0);
	set_signals(SIG_IGN);
}

void child_default_signals(void)
{
	set_signals(SIG_DFL);
}

/* Used where close_range() fails; glibc's closefrom() would abort without /proc. */
static void close_each(int from)
{
	for (int fd = from, end = (int)sysconf(_SC_OPEN_MAX); fd < end; fd++)
		close(fd);
}

int child_keep_descriptors(const int *fds, unsigned n)
{
	int apart[CHILD_DESCRIPTORS], null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(null, STDOUT_FILENO) < 0)
		return -errno;
	for (unsigned i = 0; i < n; i++) {
		apart[i] = fcntl(fds[i], F_DUPFD_CLOEXEC, STDERR_FILENO + 1 + (int)n);
		if (apart[i] < 0)
			return -errno;
	}
	for (unsigned i = 0; i < n; i++)
		if (dup2(apart[i], STDERR_FILENO + 1 + (int)i) < 0)
			return -errno;
	if (syscall(SYS_close_range, STDERR_FILENO + 1 + n, ~0u, 0))
		close_each(STDERR_FILENO + 1 + (int)n);
	return 0;
}

int child_start(pid_t *child, int type, const char *user, child_run *run, void *of)
{
	struct child_user u;
	int ends[2], e;

	*child = 0;
	child_find_user(&u, user);
	if (socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends))
		return -errno;
	*child = fork();
	if (*child == 0)
		_exit(run(of, ends[1], &u));
	e = *child < 0 ? -errno : 0;
	close(ends[1]);
	if (!e)
		return ends[0];
	close(ends[0]);
	*child = 0;
	return e;
}
