/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Users, as -Z names them: by name, or by UID:GID, which needs no list of users. */
#pragma once

#include <sys/types.h>

struct user {
	uid_t uid;
	gid_t gid;
	const char *name, *home; /* until the next call; of numbers NULL, and "/" */
};

/* NULL, or what is wrong, for the user. */
const char *user_find(struct user *u, const char *text);
/* Become that user, with the groups of its name, if it has one. -errno, and errno. */
int user_become(const struct user *u);
/* What a program that is started from here on could get by its file, or by being root's. */
void user_empty_bounding_set(void);
