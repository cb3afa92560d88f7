/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <pwd.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "complain.h"
#include "confine.h"
#include "xdpdump/cli/options.h"
#include "privileges.h"

static const struct passwd *find_user(const char *name)
{
	const struct passwd *user;

	errno = 0;
	user = getpwnam(name);
	if (!user)
		complain("-Z %s: %s", name, errno ? strerror(errno) : "there is no such user");
	return user;
}

int privileges_check(const struct options *o)
{
	const struct passwd *user;

	if (!o->user)
		return 0;
	user = find_user(o->user);
	if (!user)
		return -ENOENT;
	if (geteuid() == 0 || user->pw_uid == geteuid())
		return 0;
	complain("-Z %s: only root can become another user", o->user);
	return -EPERM;
}

static int become(const char *name)
{
	const struct passwd *user = find_user(name);

	if (!user)
		return -ENOENT;
	if (user->pw_uid == geteuid() && geteuid() != 0) /* already, by capabilities of the file */
		return 0;
	if (initgroups(name, user->pw_gid) || setresgid(user->pw_gid, user->pw_gid, user->pw_gid) ||
	    setresuid(user->pw_uid, user->pw_uid, user->pw_uid)) {
		int e = -errno;

		complain("-Z %s: %s", name, strerror(-e));
		return e;
	}
	return 0;
}

/*
 * Root keeps what lets it make files in anybody's folders, as everybody expects; another user needs
 * none at all.
 */
static int drop_capabilities(void)
{
	struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
	struct __user_cap_data_struct had[2], want[2] = {{0}};

	if (syscall(SYS_capget, &head, had))
		return -errno;
	if (geteuid() == 0)
		want[0].permitted = had[0].permitted & (1u << CAP_DAC_OVERRIDE | 1u << CAP_FOWNER);
	want[0].effective = want[0].permitted;
	prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	return syscall(SYS_capset, &head, want) ? -errno : 0;
}

int privileges_drop(const struct options *o)
{
	int e = o->user ? become(o->user) : 0;

	if (e)
		return e;
	e = drop_capabilities();
	if (e) {
		complain("cannot give up capabilities: %s", strerror(-e));
		return e;
	}
	/*
	 * No command has what we had for the capture. One of root's has what root's programs have,
	 * which a filter of system calls would take from it.
	 */
	if (o->command && !o->user)
		return 0;
	e = o->command ? confine_with_commands() : confine();
	if (e) /* a kernel without it is no reason to capture nothing */
		complain("warning: cannot set a seccomp filter: %s", strerror(-e));
	return 0;
}
