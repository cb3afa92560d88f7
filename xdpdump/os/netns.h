/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Other network namespaces, for as long as something is opened there. */
#ifndef XDPDUMP_NETNS_H
#define XDPDUMP_NETNS_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * This thread enters the namespace: a name, as ip-netns(8) gives them, or a path such as
 * /proc/PID/ns/net. With NULL it stays. *home is for netns_leave(). -errno after telling why.
 */
int netns_enter(const char *name, int *home);
/* Back home. -errno after telling why; then nothing more may be done. */
int netns_leave(int home);

/* The one that a name stands for; all zero: not known. */
struct netns_id {
	dev_t device;
	ino_t number;
};
struct netns_id netns_identify(const char *name);
/*
 * Has ip-netns(8) deleted it, or given its name to another? Whoever has a socket there keeps such a
 * namespace. false where that is not known.
 */
bool netns_is_deleted(const char *name, const struct netns_id *id);

#endif
