/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What the programs in the kernel report to user space. */
#pragma once

#ifndef __VMLINUX_H__
#include <linux/types.h>
#endif

enum who_event_kind {
	WHO_NOTHING,
	WHO_CREATED,  /* a process created a socket */
	WHO_ACCEPTED, /* a connection came; no process has called accept() for it yet */
	WHO_LISTENS,
	WHO_LISTENED, /* it no longer listens: what waited for accept() is gone, or has moved to
			 another listener */
	WHO_RELEASED, /* its last descriptor was closed */
	WHO_FORKED,   /* pid is that of the child */
	WHO_EXECUTED,
	WHO_EXITED,
	WHO_MOVED, /* a process moved to another control group */
	WHO_TAKEN, /* its first descriptor was installed: by accept(), unless its process created it
		    */
	WHO_RECEIVED, /* a process got a socket from another one */
	WHO_DOUBTED,  /* a process may have got one, in a way that cannot be observed */
};

#define WHO_COMMAND_SIZE 16

struct who_event {
	__u64 time; /* CLOCK_MONOTONIC ns, as all times here */
	__u64 cookie;
	__u64 start; /* start of the process: CLOCK_BOOTTIME ns */
	__u64 parent_start;
	__u64 listener; /* cookie of the listener that a connection came by; 0: not known */
	__u32 pid;	/* of the process, in the initial pid namespace; 0: the kernel */
	__u32 parent;	/* if the process is a child */
	__u32 netns;
	__u16 port; /* local port, in host byte order */
	__u8 kind;
	__u8 shares; /* it shares its descriptors with another process; a child, with its parent */
	char command[WHO_COMMAND_SIZE];
};

/* A socket that a process holds: the result of looking at all descriptors. */
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

/* What a look has seen and was not read yet: the program writes it, and stops when it is full. */
#define WHO_ROOM 1024
struct who_room {
	__u32 n;
	__u32 numberless; /* sockets without a cookie were there, and were left out */
	struct who_seen seen[WHO_ROOM];
};
