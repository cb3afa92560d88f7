/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Other network namespaces, for as long as something is opened there. */
#ifndef XDPDUMP_NETNS_H
#define XDPDUMP_NETNS_H

/*
 * This thread enters the namespace: a name, as ip-netns(8) gives them, or a path such as
 * /proc/PID/ns/net. With NULL it stays. *home is for netns_leave(). -errno after telling why.
 */
int netns_enter(const char *name, int *home);
/* Back home. -errno after telling why; then nothing more may be done. */
int netns_leave(int home);

#endif
