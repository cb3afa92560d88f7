/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Seccomp filters for this process, its threads and its children. -errno. */
#pragma once

/* Allow what reading packets and writing files needs: no socket, no other program. For good. */
int confine(void);
/* Allow what serving connections needs, by open sockets: no file, no connection of its own. */
int confine_serving(void);
/* What the keeper of network namespaces needs (spaces/keeper.h). */
int confine_keeping(void);
/* What the process of --who needs that looks at sockets and reads /proc (who/looker.h). */
int confine_looking(void);
/* Forbid what no command needs, in a process whose children run commands of the user. */
int confine_with_commands(void);
