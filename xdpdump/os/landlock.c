/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "landlock.h"
#include "places.h"
#include "util/folder.h"
#include "util/shared.h"

/* uapi since 5.19 (version 2 of the interface) and 6.2 (3). */
#ifndef LANDLOCK_ACCESS_FS_REFER
#define LANDLOCK_ACCESS_FS_REFER (1ULL << 13)
#endif
#ifndef LANDLOCK_ACCESS_FS_TRUNCATE
#define LANDLOCK_ACCESS_FS_TRUNCATE (1ULL << 14)
#endif

#define WRITE (LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_TRUNCATE)
#define MAKE  (WRITE | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_REMOVE_FILE)
/* All that changes a file system or starts a program; what is read stays free. */
#define HANDLED                                                                                    \
	(MAKE | LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_REMOVE_DIR |                       \
	 LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR |                              \
	 LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |                             \
	 LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM | LANDLOCK_ACCESS_FS_REFER)

/* What a kernel does not know it refuses. */
static uint64_t known(long version)
{
	uint64_t access = HANDLED;

	if (version < 3)
		access &= ~LANDLOCK_ACCESS_FS_TRUNCATE;
	if (version < 2)
		access &= ~LANDLOCK_ACCESS_FS_REFER;
	return access;
}

/* Pipes by way of /dev/fd are no place (EBADFD), and always free. Closes the descriptor. */
static int allow(int ruleset, int fd, uint64_t access)
{
	struct landlock_path_beneath_attr rule = {.allowed_access = access, .parent_fd = fd};
	bool is_folder = access & LANDLOCK_ACCESS_FS_MAKE_REG;
	struct stat st;
	int e = 0;

	if (fd < 0)
		return fd;
	/* A folder in a file's place, by a link, would let all beneath it be written. */
	if (fstat(fd, &st) == 0 && (is_folder || !S_ISDIR(st.st_mode)) &&
	    syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) &&
	    errno != EBADFD)
		e = -errno;
	close(fd);
	return e;
}

/* Those that a file is opened by, too. A link to what is not there yet may lead anywhere: -ENOENT.
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

int landlock_confine(const struct places *p, const char **place)
{
	long version =
		syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
	struct landlock_ruleset_attr attr = {.handled_access_fs = known(version)};
	int ruleset, e = 0;

	*place = NULL;
	if (version < 1)
		return 0;
	ruleset =
		(int)syscall(SYS_landlock_create_ruleset, &attr, sizeof(attr.handled_access_fs), 0);
	if (ruleset < 0)
		return -errno;
	for (unsigned i = 0; i < p->count && !e; i++) {
		e = allow_place(ruleset, &p->at[i], attr.handled_access_fs);
		if (e)
			*place = p->at[i].file;
	}
	if (e == -ENOENT) { /* it is the user's, who wants that file */
		*place = NULL;
		close(ruleset);
		return 0;
	}
	if (!e && syscall(SYS_landlock_restrict_self, ruleset, 0))
		e = -errno;
	close(ruleset);
	return e;
}
