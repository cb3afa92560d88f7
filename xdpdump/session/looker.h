/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The process of --who that keeps the privilege to look: who/looker.h. */
#ifndef XDPDUMP_LOOKER_H
#define XDPDUMP_LOOKER_H

#include <sys/types.h>

/*
 * link: of the program that looks. Returns this process's end of a socket, which ends it when it is
 * closed; or -errno. *process: to be waited for.
 */
int looker_begin(int link, pid_t *process);

#endif
