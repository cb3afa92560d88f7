/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <ctype.h>
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "config.h"
#include "user.h"

/* Parse a number up to end. The largest one is refused, because it means "leave it as it is". */
static bool number(unsigned *id, const char *text, char end, const char **next)
{
	unsigned long long n;
	char *after;

	errno = 0;
	n = strtoull(text, &after, 10);
	if (!isdigit((unsigned char)*text) || *after != end || errno || n >= (uid_t)-1)
		return false;
	*id = (unsigned)n;
	*next = after + 1;
	return true;
}

static const char *by_numbers(struct user *u, const char *text)
{
	*u = (struct user){.home = "/"};
	if (number(&u->uid, text, ':', &text) && number(&u->gid, text, 0, &text))
		return NULL;
	return "neither a name nor UID:GID, two numbers below 4294967295";
}

static const char *by_name(struct user *u, const char *name)
{
	const struct passwd *p;

	errno = 0;
	p = getpwnam(name);
	if (p) {
		*u = (struct user){p->pw_uid, p->pw_gid, p->pw_name, p->pw_dir};
		return NULL;
	}
	if (errno && errno != ENOENT && errno != ESRCH) /* ENOENT: /etc/passwd is missing */
		return strerror(errno);
#ifdef STATIC_XDPDUMP
	return "no such user in /etc/passwd, the only place where this static program looks; give numbers, UID:GID";
#else
	return "no such user; or give numbers, UID:GID";
#endif
}

const char *user_find(struct user *u, const char *text)
{
	return strchr(text, ':') ? by_numbers(u, text) : by_name(u, text);
}

int user_become(const struct user *u)
{
	int e = u->name ? initgroups(u->name, u->gid) : setgroups(0, NULL);

	if (e || setresgid(u->gid, u->gid, u->gid) || setresuid(u->uid, u->uid, u->uid))
		return -errno;
	return 0;
}

void user_empty_bounding_set(void)
{
	for (unsigned long c = 0; prctl(PR_CAPBSET_READ, c, 0, 0, 0) >= 0; c++)
		prctl(PR_CAPBSET_DROP, c, 0, 0, 0); /* needs CAP_SETPCAP, unlike no_new_privs */
}
