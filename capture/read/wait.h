/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Sleeping and waking. One epoll descriptor, on which an application can also select(), watches
 *   the doorbell, a BPF ringbuf that the capture program writes to if need_wakeup is set;
 *   a timer, for records that wait for their order, and for what divert leaves to be done;
 *   an event, by which afxdp_wake() ends a sleep. While there is more to read, it is also
 *   watched for writing, which is always possible: cheaper than a timer, whose lock each
 *   poll takes, for a program that selects for each packet;
 *   a netlink socket, for the notice that the interface is gone;
 *   a pipe, by which the loader process says that the capture was detached, or at which hook
 *   it is.
 *
 * The descriptor is readable only when a read will deliver, fail or break. Other periodic checks
 * are no reason to wake an application.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "capture/loader/loader_protocol.h"
#include "capture/ring/ring.h"

/* What makes the application's descriptor readable while no thread is in wait_sleep(). */
enum wait_state {
	WAIT_NOTHING, /* only links and afxdp_wake() */
	WAIT_READY,   /* it is readable: there is more */
	WAIT_TIMER,   /* the timer, for the next look */
	WAIT_BELL,    /* the bell */
};

struct links;
struct ring_buffer;
struct mnl_socket;

struct wait {
	int epoll; /* the doorbell's, if there is one */
	int timer, event;
	bool blocking; /* afxdp_wake() ends a sleep; set by wait_set_blocking() */
	bool more;     /* it is readable, because there is more to read */
	int sockets;   /* an epoll descriptor of the AF_XDP sockets, which wake by themselves; -1:
			  none */
	struct ring_buffer *doorbell; /* NULL: none */
	struct links *table;	      /* gets the notices of links; NULL: none */
	int ifindex;		      /* ignore notices of other interfaces; 0: ignore none */
	struct addresses *addresses;  /* kept up to date; NULL: none */
	int news; /* the pipe from the loader, which belongs to the caller; -1: none */
	struct loader_news told;  /* what came by it; events: those that were not processed yet */
	struct mnl_socket *links; /* NULL: the reader of all rings watches links */
	struct ring_set *rings;
	enum wait_state state;
	bool immediate;
	bool timed;	      /* a timer of the kernel rings the bell: bpf/timer.bpf.h */
	bool links_changed;   /* the interface may have changed; the next check clears this */
	bool gone;	      /* a notice says that the interface is gone */
	bool in_vain;	      /* woken, and nothing was read since */
	uint64_t expires;     /* when the timer expires, CLOCK_MONOTONIC ns; 0: it is not set */
	bool busy;	      /* records were read since last_record was set */
	bool unread;	      /* as set by wait_set_unread() */
	uint64_t last_record; /* CLOCK_MONOTONIC ns at the end of the last read that had records */
};

/*
 * Call wait_close() even after an error. doorbell: descriptor of the map; -1: none. It may be
 * closed afterwards, because a mapping keeps what epoll watches. Returns 0 or -errno.
 */
int wait_open(struct wait *w, struct ring_set *rings, int doorbell, bool immediate);
/* The same without bell and links, which another wait watches; its thread calls wait_wake(). */
int wait_open_silent(struct wait *w, struct ring_set *rings, bool immediate);
/* Also wake for frames of this socket, which stays the caller's. Returns 0 or -errno. */
int wait_add_socket(struct wait *w, int fd);
void wait_close(struct wait *w);
/* As afxdp_set_blocking(). */
void wait_set_blocking(struct wait *w, bool blocking);
/*
 * Sleep for at most limit_ns; -1: no limit. held: the merge holds records back. Returns 0: look
 * again; -ETIME; -EINTR; or another -errno of epoll.
 */
int wait_sleep(struct wait *w, int64_t limit_ns, bool held);
/* Time between two looks at the rings while there is traffic, in ns: at most 4 ms. */
int64_t wait_pace(const struct wait *w);
/* Keep these addresses up to date; they stay the caller's. Returns 0 or -errno. */
int wait_hear_addresses(struct wait *w, struct addresses *a);
/* Read the notices of links that have come, and pass them to the table. */
void wait_hear(struct wait *w);
/* Only hear that this interface has gone. */
void wait_hear_of(struct wait *w, int ifindex);
/* Notices do not wake: they are read when wait_hear() is called. */
void wait_hear_later(struct wait *w);
/* Wake for this pipe; -1: for no pipe any more. Returns 0 or -errno. */
int wait_set_news(struct wait *w, int pipe);
/* Read from it into w->told. */
void wait_read_news(struct wait *w);
/* Process what has become readable, without sleeping. Returns 0 or -errno, but not -EINTR. */
int wait_poll(struct wait *w);
/* Sleep until records that are held back for their order can be delivered, which is a moment.
 * Returns 0 or -errno. */
int wait_for_order(struct wait *w);
/* Was the descriptor readable because of records? Makes no system call. */
bool wait_has_told(struct wait *w);
/*
 * The reader goes to do something else: make the descriptor readable now if there is more, else in
 * a while or when the bell rings. held: as in wait_sleep().
 */
void wait_rest(struct wait *w, bool more, bool held);
/* While set, records do not wake; the bell may still ring for RING_PULLS. */
void wait_set_unread(struct wait *w, bool unread);
/* As afxdp_wake(). */
void wait_wake(struct wait *w);
/* Was wait_set_blocking() never called, or last with true? */
bool wait_is_blocking(const struct wait *w);
/* Is there a record that the reader has not seen? */
bool wait_pending(const struct wait *w);
