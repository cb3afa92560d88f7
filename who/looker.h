/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * A separate process looks at all descriptors, and reads /proc: the process that captures has no
 * privilege left by then. It serves one socket until that is closed.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/types.h>

#include "container.h"
#include "event.h"

struct looked {
	uint64_t begin, end; /* CLOCK_MONOTONIC ns */
	uint64_t cost;	     /* the looker's CPU time in ns */
	const void *at;	     /* array of struct who_seen; valid until the next look */
	size_t size;
};

/* Two ways to look. */
struct looks {
	int holding; /* link of the program that gives each socket a cookie, and holds files */
	int walking; /* link of the program that does neither */
	struct who_room *room; /* where both write; shared with the kernel */
	bool numbered;	       /* there was a look that gave cookies */
};

/* Serves the socket until it is closed. Called in the process that holds these links. */
void looker_serve(int socket, struct looks *l);

/* A look by this process, like those later: gets the number of sockets' descriptors, and the CPU
 * time. Returns 0 or -errno. */
int looker_try(struct looks *l, size_t *seen, uint64_t *ns);

struct looker;
/* Maximum size of an answer in bytes. Tests set less. */
extern size_t looker_room_max;
/* socket: the other end of the looker's. The looker takes it over. */
int looker_open(struct looker **l, int socket);
void looker_close(struct looker *l);
/*
 * Returns 0; -errno: it has ended, or could not look; -EMSGSIZE: it has seen more than there is
 * room for, and *to only has the times.
 */
int looker_look(struct looker *l, struct looked *to);
/*
 * About a process that began at that time (CLOCK_BOOTTIME ns): its groups, "" if it is gone; and
 * its arguments, if asked for, which the caller frees; NULL: not known. Returns 0 or -errno.
 */
int looker_ask(struct looker *l, uint32_t pid, uint64_t start, struct cgroup_names *group,
	       char **command_line);
