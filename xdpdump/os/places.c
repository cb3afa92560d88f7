/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "places.h"

#ifndef SYS_faccessat2
#define SYS_faccessat2 439 /* on every machine */
#endif

/* Up to the last slash, of those in front of a conversion of strftime(). */
static void set_folder(struct place *p, bool with_time)
{
	const char *end = p->file + strlen(p->file);
	const char *percent = with_time ? strchr(p->file, '%') : NULL;

	p->varies = percent && strchr(percent, '/');
	if (percent)
		end = percent;
	while (end > p->file && end[-1] != '/')
		end--;
	snprintf(p->folder, sizeof(p->folder), "%.*s", (int)(end - p->file), p->file);
	if (end == p->file)
		strcpy(p->folder, ".");
}

void places_add(struct places *all, const char *file, bool makes_more, bool with_time)
{
	struct place *p = &all->at[all->count];

	if (!file || strcmp(file, "-") == 0 || strlen(file) >= PATH_MAX)
		return;
	*p = (struct place){.file = file, .makes_more = makes_more};
	set_folder(p, with_time);
	all->count++;
}

/*
 * By the capabilities that are in effect: eaccess() of glibc asks by access(), which counts for
 * root also those that are not. Before 5.8 the kernel does not say: ENOSYS.
 */
static int try(const char *path, int access)
{
	return syscall(SYS_faccessat2, AT_FDCWD, path, access, AT_EACCESS) ? -errno : 0;
}

static bool refuses(const char *path, int access)
{
	int e = try(path, access);

	return e == -EACCES || e == -ENOSYS;
}

bool places_refuse(const struct places *p)
{
	for (unsigned i = 0; i < p->count; i++) {
		const struct place *at = &p->at[i];
		bool is_new = at->makes_more || try(at->file, F_OK) == -ENOENT;

		if (at->varies || (is_new && refuses(at->folder, W_OK | X_OK)) ||
		    (!is_new && refuses(at->file, W_OK)))
			return true;
	}
	return false;
}
