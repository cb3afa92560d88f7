/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What the path of a control group says: systemd's unit, and the container. */
#pragma once

#define CGROUP_PATH_SIZE    512
#define CGROUP_UNIT_SIZE    128
#define CONTAINER_ID_LENGTH 64

struct cgroup_names {
	char path[CGROUP_PATH_SIZE];
	char unit[CGROUP_UNIT_SIZE];	  /* "nginx.service"; "": none */
	char container[CGROUP_UNIT_SIZE]; /* the runtime's id, or a name; "": none */
	char name[CGROUP_UNIT_SIZE]; /* what people call that container: runtime.h; "": not known */
};

/* Reads a path. What does not fit is left out. */
void cgroup_names_of_path(struct cgroup_names *n, const char *path);
/* Reads /proc/PID/cgroup, with groups of version 1, 2 or both. */
void cgroup_names_read(struct cgroup_names *n, const char *text);
