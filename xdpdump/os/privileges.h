/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What the process gives up once its captures are open, before it opens files or starts threads. */
#ifndef XDPDUMP_PRIVILEGES_H
#define XDPDUMP_PRIVILEGES_H

struct options;

/* Is there such a user, and may we become it? Before anything is opened. -errno after telling. */
int privileges_check(const struct options *o);
/*
 * Become the user of -Z, and give up capabilities and system calls that are not needed from here
 * on. -errno after telling why.
 */
int privileges_drop(const struct options *o);

#endif
