/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Children that need no privilege: whom they become, and what they give up. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Looked up before there are children, as a child of many threads may not. */
struct child_user {
	bool changes; /* only root becomes another */
	uid_t uid;
	gid_t gid;
	char home[256];
};

/* name: of -Z; NULL: nobody. */
void child_find_user(struct child_user *u, const char *name);
/* That are held, a bit each; and which shall be from now on. -errno. */
uint64_t child_capabilities(void);
int child_set_capabilities(uint64_t permitted, uint64_t effective);
/*
 * In the child: no capability but these, a bit each, which are to be held before, also none that a
 * program's file could give it; root becomes somebody who owns nothing. -errno.
 */
int child_keep_capabilities(const struct child_user *u, uint64_t keep);
/*
 * In the child: signals are for who captures; in a process group of its own, as a terminal's go to
 * all of a group. And as they are by default, for a program that it becomes.
 */
void child_ignore_signals(void);
void child_default_signals(void);
/*
 * In the child: of all descriptors these stay, in order from 3 on, and standard error; input and
 * output are nothing. -errno.
 */
#define CHILD_DESCRIPTORS 4 /* at most */
int child_keep_descriptors(const int *fds, unsigned n);
/*
 * Begins a child that runs this, with a socket of that type, and ends with what it returns. user:
 * whom it may become, as child_find_user() has it. Our end of the socket, or -errno: *child is 0.
 */
typedef int child_run(void *of, int socket, const struct child_user *u);
int child_start(pid_t *child, int type, const char *user, child_run *run, void *of);
