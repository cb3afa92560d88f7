/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <linux/capability.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "complain.h"
#include "child.h"
#include "confine.h"
#include "privileges.h"
#include "user.h"
#include "util/shared.h"

static int find_user(struct user *u, const char *text)
{
	const char *wrong = user_find(u, text);

	if (!wrong)
		return 0;
	return refuse(-ENOENT, "-Z %s: %s", text, wrong);
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
	return refuse(-EPERM, "-Z %s: only root can become another user, or take another group",
		      user);
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
	return e ? refuse(e, "-Z %s: %s", text, strerror(-e)) : 0;
}

/*
 * Keep no capability. Only root keeps CAP_DAC_OVERRIDE if it has to write to places that are closed
 * to it otherwise, because everybody expects root to write anywhere.
 */
static int drop_capabilities(const struct places *p)
{
	uint64_t keep = geteuid() == 0 ? child_capabilities() & 1ull << CAP_DAC_OVERRIDE : 0;
	int e;

	prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	e = child_set_capabilities(keep, 0);
	if (e || !keep)
		return e;
	if (!places_refuse(p))
		keep = 0;
	return child_set_capabilities(keep, keep);
}

/* A kernel without Landlock or seccomp is no reason to end; a place that cannot be allowed is. */
static int confine_all(const struct needs *n)
{
	const char *place = NULL;
	/* Not with commands, which would be confined to our places as well. */
	int e = n->commands || n->nothing ? 0 : places_confine(&n->places, &place);

	if (e && place)
		return refuse(e, "%s: %s", place, shared_why(place, e));
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
	if (e)
		return refuse(e, "cannot give up capabilities: %s", strerror(-e));
	return confine_all(n);
}
