/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Sleeping and waking. One epoll descriptor, good for select() by an application, stands over
 *	the doorbell, a BPF ringbuf that the capture program writes to when asked (need_wakeup);
 *	a timer, which paces the reader while there is traffic;
 *	an event that is always there and only looked at while there is more: a program that
 *	selects for each packet has it polled each time, and a timer would be locked for that;
 *	an event, by which afxdp_wake() ends a sleep;
 *	a netlink socket, which tells when the interface changes.
 */
#ifndef PCAP_AFXDP_WAIT_H
#define PCAP_AFXDP_WAIT_H

#include <stdbool.h>
#include <stdint.h>

#include "capture/ring/ring.h"

/* What the application's descriptor is waiting for while nobody is in wait_sleep(). */
enum wait_state {
	WAIT_NOTHING,
	WAIT_READY,
	WAIT_TIMER,
	WAIT_SETTLING, /* the bell, and the second look that plain stores take */
	WAIT_SETTLED,  /* the reader is there for it; the bell is still asked for */
	WAIT_BELL,
};

struct links;
struct ring_buffer;
struct mnl_socket;

struct wait {
	int epoll, timer, event; /* event: -1 when not blocking */
	int more;		 /* the event that is always there */
	int sockets;	 /* an epoll over AF_XDP sockets, which are their own doorbells; -1: none */
	int doorbell_fd; /* the map's; not ours; -1: there is none */
	struct ring_buffer *doorbell;
	struct links *table;	  /* that is to hear what links says; NULL: nobody */
	struct mnl_socket *links; /* NULL: another watches them */
	struct ring_set *rings;
	enum wait_state state;
	bool immediate;
	bool settles;	      /* ring_stores_are_plain() */
	bool links_changed;   /* the interface may have changed; cleared by a look */
	bool busy;	      /* records came since last_record was set */
	bool unread;	      /* nobody reads, and what comes is no reason to wake */
	uint64_t last_record; /* CLOCK_MONOTONIC ns of the end of the last read that had records */
};

int wait_open(struct wait *w, struct ring_set *rings, int doorbell_fd, bool immediate);
/* Without bell and links, which another one watches: it calls wait_wake(). */
int wait_open_silent(struct wait *w, struct ring_set *rings, bool immediate);
/* A socket to be woken by, like the doorbell. -errno. */
int wait_add_socket(struct wait *w, int fd);
void wait_close(struct wait *w);
int wait_set_blocking(struct wait *w, bool blocking);
/*
 * 0: look again; -ETIME; -EINTR. limit_ns: sleep no longer than this, less is allowed; -1:
 * none. held: the merge holds records back.
 */
int wait_sleep(struct wait *w, int64_t limit_ns, bool held);
/* How long records may gather between two looks at the rings, in ns. */
int64_t wait_pace(const struct wait *w);
/* What has come of notices of links, for the table. */
void wait_hear(struct wait *w);
/* Empty what has become readable, without sleeping. -errno. */
int wait_poll(struct wait *w);
/*
 * Leave the descriptor readable just when there is more: now, in a while, or when the bell rings.
 */
void wait_rest(struct wait *w, bool more, bool held);
/* The reader is back: nobody needs waking. */
void wait_resume(struct wait *w);
/* Is nobody to be woken by records? The bell may still be rung for something else. */
void wait_set_unread(struct wait *w, bool unread);
void wait_wake(struct wait *w);
bool wait_is_blocking(const struct wait *w);
/* Is there a record that the reader has not seen? */
bool wait_pending(const struct wait *w);

#endif
