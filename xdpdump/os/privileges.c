/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <linux/capability.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "complain.h"
#include "confine.h"
#include "landlock.h"
#include "privileges.h"
#include "user.h"
#include "util/shared.h"

static int find_user(struct user *u, const char *text)
{
	const char *wrong = user_find(u, text);

	if (!wrong)
		return 0;
	complain("-Z %s: %s", text, wrong);
	return -ENOENT;
}

int privileges_check(const char *user)
{
	struct user u;

	if (!user)
		return 0;
	if (find_user(&u, user))
		return -ENOENT;
	if (geteuid() == 0 || (u.uid == geteuid() && (u.name || u.gid == getegid())))
		return 0;
	complain("-Z %s: only root can become another user, or take another group", user);
	return -EPERM;
}

static int become(const char *text)
{
	struct user u;
	int e = find_user(&u, text);

	if (e)
		return e;
	if (u.uid == geteuid() && geteuid() != 0) /* already, by capabilities of the file */
		return 0;
	e = user_become(&u);
	if (e)
		complain("-Z %s: %s", text, strerror(-e));
	return e;
}

static int set_capabilities(uint32_t permitted, uint32_t effective)
{
	struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
	const struct __user_cap_data_struct want[2] = {
		{.permitted = permitted, .effective = effective}};

	return syscall(SYS_capset, &head, want) ? -errno : 0;
}

/*
 * None. But root makes files in anybody's folders, as everybody expects, where it is asked to: with
 * CAP_DAC_OVERRIDE, if they are closed to it without.
 */
static int drop_capabilities(const struct places *p)
{
	struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
	struct __user_cap_data_struct had[2];
	uint32_t keep = 0;
	int e;

	if (syscall(SYS_capget, &head, had))
		return -errno;
	if (geteuid() == 0)
		keep = had[0].permitted & 1u << CAP_DAC_OVERRIDE;
	prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	e = set_capabilities(keep, 0);
	if (e || !keep)
		return e;
	if (!places_refuse(p))
		keep = 0;
	return set_capabilities(keep, keep);
}

/* A kernel without these is no reason to capture nothing; a place that cannot be told is. */
static int confine_all(const struct needs *n)
{
	const char *place = NULL;
	/* What a command writes is not known, and it would be confined as well. */
	int e = n->commands || n->nothing ? 0 : landlock_confine(&n->places, &place);

	if (e && place) {
		complain("%s: %s", place, shared_why(place, e));
		return e;
	}
	if (e)
		complain("warning: cannot set a Landlock domain: %s", strerror(-e));
	e = n->commands ? confine_with_commands() : confine();
	if (e)
		complain("warning: cannot set a seccomp filter: %s", strerror(-e));
	return 0;
}

int privileges_drop(const struct needs *n)
{
	int e;

	user_empty_bounding_set();
	e = n->user ? become(n->user) : 0;
	if (e)
		return e;
	e = drop_capabilities(&n->places);
	if (!e && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		e = -errno;
	if (e) {
		complain("cannot give up capabilities: %s", strerror(-e));
		return e;
	}
	return confine_all(n);
}
