/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Enters other network namespaces, for as long as something is opened there. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define NETNS_NAMED "/run/netns/" /* where ip-netns(8) keeps its names */

/*
 * The calling thread enters the namespace: a name as ip-netns(8) gives them, the number of a
 * process, or a path such as /proc/PID/ns/net. With NULL it stays. *home is for netns_leave().
 * Returns 0, or -errno after a complaint.
 */
int netns_enter(const char *name, int *home);
/*
 * Return to the first namespace, and close home. Returns 0, or -errno after a complaint; then the
 * thread must do nothing more.
 */
int netns_leave(int home);

/* Does the name stand for many namespaces: is it "all", or a shell pattern? */
bool netns_is_pattern(const char *name);
/* Is it the number of a process, and not a name that exists? */
bool netns_is_process(const char *name);

/* The namespace that a name stands for; all zero: not known. */
struct netns_id {
	dev_t device;
	ino_t number;
	int process; /* a pidfd; -1: it has ended; 0: the name is not a process */
};
struct netns_id netns_identify(const char *name);
/* Close what it holds. May be called again. */
void netns_forget(struct netns_id *id);
/*
 * Has ip-netns(8) deleted it, or given its name to another namespace, or has the process ended? The
 * namespace itself lives on while anybody has a socket there. Returns false where that is not
 * known.
 */
bool netns_is_deleted(const char *name, const struct netns_id *id);

/* Names of the network namespaces that ip-netns(8) keeps, by their inodes. */
struct netns_list;

/* Returns NULL without memory. */
struct netns_list *netns_list_new(void);
/* NULL is allowed. */
void netns_list_free(struct netns_list *l);
/*
 * The name that the namespace had at that time, in ns since 1970. "" for that of this process; the
 * inode in digits if it has no name, or another namespace may have had that inode then. Valid until
 * the next call.
 */
const char *netns_list_name(struct netns_list *l, uint32_t inode, uint64_t time);
