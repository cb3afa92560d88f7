/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "places.h"
#include "util/folder.h"
#include "util/shared.h"

#ifndef SYS_faccessat2
#define SYS_faccessat2 439 /* the same on every machine */
#endif

/* The folder ends at the last slash, or at the last one before a conversion of strftime(). */
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
 * Uses the effective capabilities: glibc's eaccess() calls access(), which for root counts all
 * permitted ones. Before Linux 5.8 the call does not exist: ENOSYS.
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

/* In the kernel's headers since 5.19 (version 2 of the interface) and 6.2 (version 3). */
#ifndef LANDLOCK_ACCESS_FS_REFER
#define LANDLOCK_ACCESS_FS_REFER (1ULL << 13)
#endif
#ifndef LANDLOCK_ACCESS_FS_TRUNCATE
#define LANDLOCK_ACCESS_FS_TRUNCATE (1ULL << 14)
#endif

#define WRITE (LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_TRUNCATE)
#define MAKE  (WRITE | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_REMOVE_FILE)
/* Everything that changes a file system or starts a program; reading is not restricted. */
#define HANDLED                                                                                    \
	(MAKE | LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_REMOVE_DIR |                       \
	 LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR |                              \
	 LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |                             \
	 LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM | LANDLOCK_ACCESS_FS_REFER)

/* A kernel refuses rights that it does not know. */
static uint64_t known(long version)
{
	uint64_t access = HANDLED;

	if (version < 3)
		access &= ~LANDLOCK_ACCESS_FS_TRUNCATE;
	if (version < 2)
		access &= ~LANDLOCK_ACCESS_FS_REFER;
	return access;
}

/* Closes the descriptor. A pipe named by /dev/fd takes no rule (EBADFD), and needs none. */
static int allow(int ruleset, int fd, uint64_t access)
{
	struct landlock_path_beneath_attr rule = {.allowed_access = access, .parent_fd = fd};
	bool is_folder = access & LANDLOCK_ACCESS_FS_MAKE_REG;
	struct stat st;
	int e = 0;

	if (fd < 0)
		return fd;
	/* A link to a folder, in place of a file, would allow writing everything below it. */
	if (fstat(fd, &st) == 0 && (is_folder || !S_ISDIR(st.st_mode)) &&
	    syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) &&
	    errno != EBADFD)
		e = -errno;
	close(fd);
	return e;
}

/*
 * The place, and the folder if files are created there. A link to a missing file may lead anywhere:
 * -ENOENT.
 */
static int allow_place(int ruleset, const struct place *p, uint64_t access)
{
	int fd = shared_open_any(p->file, O_PATH | O_CLOEXEC, 0);
	bool is_there = fd >= 0;
	const char *name;
	struct stat st;
	int e = is_there ? allow(ruleset, fd, access & WRITE) : 0;

	if (!is_there && shared_stat(p->file, &st) == 0)
		return -ENOENT;
	if (e || (is_there && !p->makes_more))
		return e;
	return allow(ruleset, folder_open(p->folder, &name), access & MAKE);
}

int places_confine(const struct places *p, const char **place)
{
	long version =
		syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
	struct landlock_ruleset_attr attr = {.handled_access_fs = known(version)};
	int ruleset, e = 0;

	*place = NULL;
	if (version < 1) /* report a sandbox that forbids it, but not a kernel without it */
		return version < 0 && errno == EPERM ? -EPERM : 0;
	ruleset =
		(int)syscall(SYS_landlock_create_ruleset, &attr, sizeof(attr.handled_access_fs), 0);
	if (ruleset < 0)
		return -errno;
	for (unsigned i = 0; i < p->count && !e; i++) {
		e = allow_place(ruleset, &p->at[i], attr.handled_access_fs);
		if (e)
			*place = p->at[i].file;
	}
	if (e == -ENOENT) { /* the user wants the file there: do without Landlock */
		*place = NULL;
		close(ruleset);
		return 0;
	}
	if (!e && syscall(SYS_landlock_restrict_self, ruleset, 0))
		e = -errno;
	close(ruleset);
	return e;
}
