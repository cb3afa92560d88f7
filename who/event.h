/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What the programs in the kernel tell user space. */
#pragma once

#ifndef __VMLINUX_H__
#include <linux/types.h>
#endif

enum who_event_kind {
	WHO_NOTHING,
	WHO_CREATED,  /* a process made a socket */
	WHO_ACCEPTED, /* a connection came; nobody has called accept() for it yet */
	WHO_LISTENS,
	WHO_LISTENED, /* it does no more: what waited for accept() is gone, or another listener's */
	WHO_RELEASED, /* the last descriptor of it was closed */
	WHO_FORKED,   /* pid: the child */
	WHO_EXECUTED,
	WHO_EXITED,
	WHO_MOVED,    /* to another control group */
	WHO_TAKEN,    /* the first descriptor: by accept(), if its process did not make it */
	WHO_RECEIVED, /* a process has got a socket from another */
	WHO_DOUBTED,  /* one may have, in a way that cannot be looked into */
};

#define WHO_COMMAND_SIZE 16

struct who_event {
	__u64 time; /* CLOCK_MONOTONIC ns, as are all times here */
	__u64 cookie;
	__u64 start; /* of the process: CLOCK_BOOTTIME ns */
	__u64 parent_start;
	__u64 listener; /* the cookie of that by which a connection came; 0: not known */
	__u32 pid;	/* of the process, as the first pid namespace has it; 0: of the kernel */
	__u32 parent;	/* of a child */
	__u32 netns;
	__u16 port; /* local; host order */
	__u8 kind;
	__u8 shares; /* its descriptors are another process's, too; of a child, its parent's */
	char command[WHO_COMMAND_SIZE];
};

/* A socket that a process holds: what a look at all descriptors returns. */
struct who_seen {
	__u64 time;
	__u64 cookie;
	__u64 start;
	__u32 pid;
	__u32 netns;
	__u16 port;
	__u8 listens;
	__u8 reserved[5];
	char command[WHO_COMMAND_SIZE];
};

/* What a look has seen and nobody has read yet: its program writes, and stops when this is full. */
#define WHO_ROOM 1024
struct who_room {
	__u32 n;
	__u32 numberless; /* sockets without a cookie were there, and are not in it */
	struct who_seen seen[WHO_ROOM];
};
