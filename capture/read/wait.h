/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Sleeping and waking. One epoll descriptor, good for select() by an application, stands over
 *	the doorbell, a BPF ringbuf that the capture program writes to if need_wakeup is set;
 *	a timer, for records that wait for their order, and for what divert leaves to be done;
 *	an event, by which afxdp_wake() ends a sleep. While there is more to read it is watched
 *	for writing as well, which it always takes: cheaper than a timer, whose lock each poll
 *	takes, for a program that selects for each packet;
 *	a netlink socket, for the notice that the interface is gone;
 *	a pipe, by which the loader process says that the capture was detached, or at which hook it
 *is.
 *
 * The descriptor is readable only when a read delivers, fails or breaks. What else is to be looked
 *at now and then is no reason to wake an application.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "capture/loader/loader_protocol.h"
#include "capture/ring/ring.h"

/* What makes the application's descriptor readable while nobody is in wait_sleep(). */
enum wait_state {
	WAIT_NOTHING, /* nothing but links and afxdp_wake() */
	WAIT_READY,   /* it is readable: there is more */
	WAIT_TIMER,   /* the timer, for the next look */
	WAIT_BELL,    /* the bell */
};

struct links;
struct ring_buffer;
struct mnl_socket;

struct wait {
	int epoll; /* the doorbell's, where there is one */
	int timer, event;
	bool blocking; /* afxdp_wake() ends a sleep; as wait_set_blocking() */
	bool more;     /* it is readable: there is more to read */
	int sockets;   /* an epoll over AF_XDP sockets, which wake by themselves; -1: none */
	struct ring_buffer *doorbell; /* NULL: none */
	struct links *table;	      /* gets the notices of links; NULL: none */
	int ifindex;		      /* notices of others say nothing; 0: all do */
	struct addresses *addresses;  /* kept up to date; NULL: none */
	int news;		      /* the pipe from the loader, the caller's; -1: none */
	struct loader_news told;  /* what came by it; events: 0: nothing that was not looked at */
	struct mnl_socket *links; /* NULL: the reader of all rings watches them */
	struct ring_set *rings;
	enum wait_state state;
	bool immediate;
	bool timed;	      /* a timer of the kernel rings the bell: bpf/timer.bpf.h */
	bool links_changed;   /* the interface may have changed; a look at it clears this */
	bool gone;	      /* a notice says that it is */
	bool in_vain;	      /* woken, and nothing was read since */
	uint64_t expires;     /* the timer, CLOCK_MONOTONIC ns; 0: it is not set */
	bool busy;	      /* records were read since last_record was set */
	bool unread;	      /* wait_set_unread() */
	uint64_t last_record; /* CLOCK_MONOTONIC ns at the end of the last read that had records */
};

/*
 * Call wait_close() also after -errno. doorbell: the map; -1: none. Its descriptor may be closed
 * then: a mapping keeps what epoll watches.
 */
int wait_open(struct wait *w, struct ring_set *rings, int doorbell, bool immediate);
/* The same without bell and links: another wait watches these, and its thread calls wait_wake(). */
int wait_open_silent(struct wait *w, struct ring_set *rings, bool immediate);
/* Wake for frames of this socket too, which stays the caller's. -errno. */
int wait_add_socket(struct wait *w, int fd);
void wait_close(struct wait *w);
/* As afxdp_set_blocking(). */
void wait_set_blocking(struct wait *w, bool blocking);
/*
 * Sleep for limit_ns at most, or less; -1: no limit. held: the merge holds records back. 0: look
 * again; -ETIME; -EINTR; or another -errno of epoll.
 */
int wait_sleep(struct wait *w, int64_t limit_ns, bool held);
/* The time between two looks at the rings while there is traffic, in ns: 4 ms or less. */
int64_t wait_pace(const struct wait *w);
/* Keep these up to date; they stay the caller's. -errno. */
int wait_hear_addresses(struct wait *w, struct addresses *a);
/* Read the notices of links that have come, and give them to the table. */
void wait_hear(struct wait *w);
/* Hear of the end of this interface alone. */
void wait_hear_of(struct wait *w, int ifindex);
/* Notices, which are read when wait_hear() is called, do not wake. */
void wait_hear_later(struct wait *w);
/* Wake for this pipe; -1: for none any more. -errno. */
int wait_set_news(struct wait *w, int pipe);
/* Read what is in it, into w->told. */
void wait_read_news(struct wait *w);
/* Empty what has become readable, without sleep. -errno, but not -EINTR. */
int wait_poll(struct wait *w);
/* For the records that are held back for their order, which are let go in a moment. -errno. */
int wait_for_order(struct wait *w);
/* Was the descriptor readable, for records? Without a system call. */
bool wait_has_told(struct wait *w);
/*
 * The reader leaves: make the descriptor readable now if there is more, else in a while or when the
 * bell rings. held: as wait_sleep().
 */
void wait_rest(struct wait *w, bool more, bool held);
/* While unread, records do not wake; the bell may still ring for RING_PULLS. */
void wait_set_unread(struct wait *w, bool unread);
/* As afxdp_wake(). */
void wait_wake(struct wait *w);
/* Was wait_set_blocking() last called with true, or never? */
bool wait_is_blocking(const struct wait *w);
/* Is there a record that the reader has not seen? */
bool wait_pending(const struct wait *w);
