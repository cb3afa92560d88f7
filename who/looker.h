/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * A process of its own looks at all descriptors and reads /proc: who captures has no privilege left
 * by then. It serves one socket until that is closed.
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
	uint64_t cost;	     /* CPU time in ns, of the looker */
	const void *at;	     /* struct who_seen, behind each other; good until the next look */
	size_t size;
};

/* Two ways to look. */
struct looks {
	int holding; /* link of the program that gives every socket its cookie, and holds files */
	int walking; /* of the one that does neither */
	struct who_room *room; /* where both write; shared with the kernel */
	bool numbered;	       /* there was a look that gave cookies */
};

/* In that process, which holds these links: until the socket is closed. */
void looker_serve(int socket, struct looks *l);

/* A look by this process, as they are later: how many descriptors of sockets there are, and the CPU
 * time it took. -errno. */
int looker_try(struct looks *l, size_t *seen, uint64_t *ns);

struct looker;
/* For an answer, in bytes. Tests have less. */
extern size_t looker_room_max;
/* socket: its other end, which is the looker's from here on. */
int looker_open(struct looker **l, int socket);
void looker_close(struct looker *l);
/*
 * -errno: it has ended, or could not look. -EMSGSIZE: it has seen more than there is room for, and
 * nothing is in *to but the times.
 */
int looker_look(struct looker *l, struct looked *to);
/*
 * Of a process that began at that time (CLOCK_BOOTTIME ns): its groups, "" where it is gone, and if
 * asked for its arguments, which are the caller's to free; NULL: not known.
 */
int looker_ask(struct looker *l, uint32_t pid, uint64_t start, struct cgroup_names *group,
	       char **command_line);
