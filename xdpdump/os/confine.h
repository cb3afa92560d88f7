/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Seccomp filters for this process, its threads and its children. All return 0 or -errno. */
#pragma once

/* Allow what reading packets and writing files takes: no new socket, no program. For good. */
int confine(void);
/* Allow what serving connections on open sockets takes: no file, no connection of its own. */
int confine_serving(void);
/* Allow what the keeper of network namespaces needs (spaces/keeper.h). */
int confine_keeping(void);
/* Allow what the process of --who needs that looks at sockets and reads /proc (who/looker.h). */
int confine_looking(void);
/* Forbid what no command of the user needs, in a process whose children run them. */
int confine_with_commands(void);
