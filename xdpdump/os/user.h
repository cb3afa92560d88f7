/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Users as -Z names them: by name, or as UID:GID, which needs no list of users. */
#pragma once

#include <sys/types.h>

struct user {
	uid_t uid;
	gid_t gid;
	const char *name, *home; /* valid until the next call; for numbers NULL and "/" */
};

/* Returns NULL, or a text for the user that says what is wrong. */
const char *user_find(struct user *u, const char *text);
/* Become that user, with the groups of its name if it has one. Returns 0 or -errno (as errno). */
int user_become(const struct user *u);
/* Drop all capabilities that a program started later could get by its file or as root. */
void user_empty_bounding_set(void);
