/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Other network namespaces, for as long as something is opened there. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define NETNS_NAMED "/run/netns/" /* where ip-netns(8) keeps them */

/*
 * This thread enters the namespace: a name, as ip-netns(8) gives them, the number of a process, or
 * a path such as /proc/PID/ns/net. With NULL it stays. *home is for netns_leave(). -errno after
 * telling why.
 */
int netns_enter(const char *name, int *home);
/* Back home. -errno after telling why; then nothing more may be done. */
int netns_leave(int home);

/* Does it stand for many: is it `all', or a pattern as the shell has them? */
bool netns_is_pattern(const char *name);
/* Is it the number of a process, and no name? */
bool netns_is_process(const char *name);

/* The one that a name stands for; all zero: not known. */
struct netns_id {
	dev_t device;
	ino_t number;
	int process; /* a descriptor of it; -1: it has ended; 0: the name is that of no process */
};
struct netns_id netns_identify(const char *name);
/* What it holds. Again is allowed. */
void netns_forget(struct netns_id *id);
/*
 * Has ip-netns(8) deleted it, or given its name to another, or has the process ended? Whoever has a
 * socket there keeps such a namespace. false where that is not known.
 */
bool netns_is_deleted(const char *name, const struct netns_id *id);

/* Names of the network namespaces that ip-netns(8) keeps, by their inodes. */
struct netns_list;

/* NULL: out of memory. */
struct netns_list *netns_list_new(void);
/* NULL is allowed. */
void netns_list_free(struct netns_list *l);
/*
 * The name that it had at a time, in ns since 1970; "" for that of this process, its inode in
 * digits if it has none, or another may have had that inode then. Good until the next.
 */
const char *netns_list_name(struct netns_list *l, uint32_t inode, uint64_t time);
