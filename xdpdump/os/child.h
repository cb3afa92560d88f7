/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Children without privilege: which user they become, and what they give up. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Found before fork(), because a child of a process with threads must not look up users. */
struct child_user {
	bool changes; /* only root becomes another user */
	uid_t uid;
	gid_t gid;
	char home[256];
};

/* name: from -Z; NULL: nobody. */
void child_find_user(struct child_user *u, const char *name);
/* Returns the permitted capabilities, a bit each. Setting them returns 0 or -errno. */
uint64_t child_capabilities(void);
int child_set_capabilities(uint64_t permitted, uint64_t effective);
/*
 * In the child: keep only these capabilities, a bit each, which must be held before; no file of a
 * program can add any. Root becomes u. Returns 0 or -errno.
 */
int child_keep_capabilities(const struct child_user *u, uint64_t keep);
/*
 * In the child: ignore the signals that are for the capture, in a process group of its own, because
 * a terminal signals a whole group. child_default_signals() is for a program that the child then
 * runs.
 */
void child_ignore_signals(void);
void child_default_signals(void);
/*
 * In the child: keep only these descriptors, renumbered from 3 in this order, and standard error;
 * standard input and output become /dev/null. Returns 0 or -errno.
 */
#define CHILD_DESCRIPTORS 4 /* the largest n */
int child_keep_descriptors(const int *fds, unsigned n);
/*
 * Start a child that runs this function, with a socket of this type, and exits with what it
 * returns. user: as for child_find_user(). Returns our end of the socket, or -errno with *child 0.
 */
typedef int child_run(void *of, int socket, const struct child_user *u);
int child_start(pid_t *child, int type, const char *user, child_run *run, void *of);
