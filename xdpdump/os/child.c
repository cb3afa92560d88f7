/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "child.h"
#include "user.h"

#define NOBODY 65534
#define APART  64 /* descriptors are put there or behind first, out of each other's way */

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
	return !u->changes || (setgroups(0, NULL) == 0 && setresgid(u->gid, u->gid, u->gid) == 0 &&
			       setresuid(u->uid, u->uid, u->uid) == 0);
}

int child_give_up_privilege(const struct child_user *u)
{
	struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
	const struct __user_cap_data_struct none[2] = {{0}};

	if (!become(u))
		return -errno;
	prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	if (syscall(SYS_capset, &head, none) || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -errno;
	return 0;
}

uint64_t child_capabilities(void)
{
	struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
	struct __user_cap_data_struct held[2];

	if (syscall(SYS_capget, &head, held))
		return 0;
	return held[0].permitted | (uint64_t)held[1].permitted << 32;
}

int child_keep_capabilities(const struct child_user *u, uint64_t keep)
{
	struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
	const struct __user_cap_data_struct these[2] = {{.permitted = (uint32_t)keep,
							 .effective = (uint32_t)keep},
							{.permitted = (uint32_t)(keep >> 32),
							 .effective = (uint32_t)(keep >> 32)}};

	user_empty_bounding_set();
	if (prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) || !become(u))
		return -errno;
	prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	if (syscall(SYS_capset, &head, these) || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -errno;
	return 0;
}

static const int ours[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGUSR1, SIGUSR2};

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

/* As Linux before 5.9 has no call for all of them. */
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
		apart[i] = fcntl(fds[i], F_DUPFD_CLOEXEC, APART);
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
