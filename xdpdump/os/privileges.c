/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <linux/capability.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "complain.h"
#include "confine.h"
#include "xdpdump/cli/options.h"
#include "privileges.h"
#include "user.h"

static int find(struct user *u, const char *text)
{
	const char *wrong = user_find(u, text);

	if (!wrong)
		return 0;
	complain("-Z %s: %s", text, wrong);
	return -ENOENT;
}

int privileges_check(const struct options *o)
{
	struct user u;

	if (!o->user)
		return 0;
	if (find(&u, o->user))
		return -ENOENT;
	if (geteuid() == 0 || (u.uid == geteuid() && (u.name || u.gid == getegid())))
		return 0;
	complain("-Z %s: only root can become another user, or take another group", o->user);
	return -EPERM;
}

static int become(const char *text)
{
	struct user u;
	int e = find(&u, text);

	if (e)
		return e;
	if (u.uid == geteuid() && geteuid() != 0) /* already, by capabilities of the file */
		return 0;
	e = user_become(&u);
	if (e)
		complain("-Z %s: %s", text, strerror(-e));
	return e;
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
