/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Seccomp filters for this process, its threads and its children. -errno. */
#ifndef XDPDUMP_CONFINE_H
#define XDPDUMP_CONFINE_H

/* What reading packets and writing files takes: no socket, no other program, no way back. */
int confine(void);
/* What serving connections takes, of sockets that are open: no file, no connection of its own. */
int confine_serving(void);
/* What the keeper of network namespaces needs (spaces/keeper.h). */
int confine_keeping(void);
/* As little as can be taken from a process whose children run commands that are not known here. */
int confine_with_commands(void);

#endif
