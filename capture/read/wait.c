/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <arpa/inet.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/filter.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "capture/attach/addresses.h"
#include "capture/attach/facts/links.h"
#include "util/clock.h"
#include "util/log.h"
#include "util/rtlink.h"
#include "config.h"
#include "merge.h"
#include "wait.h"

/*
 * If no timer of the kernel wakes the reader, look every 4 ms while records come: a bell for each
 * packet costs the host 800 ns, and a sleep costs the reader 20 us or more, in virtual machines 40.
 * Look more often if a queue at line rate would fill half of its ring in less time: 5 bytes of
 * records per ns are 40 Gbit/s; 64-byte frames at 10 Gbit/s, a buffer each, come every 67 ns; or if
 * RING_HOT of records come in less time. But not so often that a little traffic keeps a CPU awake.
 */
#define PACE_NS		  (4 * NS_PER_MS)
#define PACE_MIN_NS	  (NS_PER_MS / 5)
#define RING_BYTES_PER_NS 5
#define SOCKET_FRAME_NS	  67
/* After this long without a record, the bell is cheaper than looking. */
#define IDLE_AFTER_NS (10 * NS_PER_MS)

static int on_bell(void *context, void *data, size_t size)
{
	(void)context;
	(void)data;
	(void)size;
	return 0;
}

static void empty_doorbell(struct wait *w)
{
	if (w->doorbell)
		ring_buffer__consume(w->doorbell);
}

/* Stands for the doorbell, which no longer has a descriptor. */
#define BELL (-1)

static int watch(struct wait *w, int fd)
{
	struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};

	return epoll_ctl(w->epoll, EPOLL_CTL_ADD, fd, &event) ? -errno : 0;
}

/* Notices of link changes; the kernel sends them without a request. */
static int open_links(struct wait *w)
{
	w->links = mnl_socket_open2(NETLINK_ROUTE, SOCK_CLOEXEC | SOCK_NONBLOCK);
	if (!w->links)
		return -errno;
	rtlink_make_room(mnl_socket_get_fd(w->links));
	if (mnl_socket_bind(w->links, RTMGRP_LINK, MNL_SOCKET_AUTOPID) < 0)
		return -errno;
	return watch(w, mnl_socket_get_fd(w->links));
}

/* libbpf's epoll descriptor is also ours. Its event for the bell gets a number of our own. */
static int open_doorbell(struct wait *w, int fd)
{
	struct epoll_event event = {.events = EPOLLIN, .data.fd = BELL};

	log_begin();
	w->doorbell = ring_buffer__new(fd, on_bell, NULL, NULL);
	free(log_end());
	if (!w->doorbell)
		return -errno;
	w->epoll = ring_buffer__epoll_fd(w->doorbell);
	return epoll_ctl(w->epoll, EPOLL_CTL_MOD, fd, &event) ? -errno : 0;
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void wait_close(struct wait *w)
{
	if (w->links)
		mnl_socket_close(w->links);
	w->links = NULL;
	close_fd(&w->sockets);
	close_fd(&w->event);
	close_fd(&w->timer);
	if (w->doorbell)
		w->epoll = -1;
	ring_buffer__free(w->doorbell);
	w->doorbell = NULL;
	close_fd(&w->epoll);
}

/* For descriptors that are readable, although that does not matter now. */
static void heed(struct wait *w, int fd, bool on)
{
	struct epoll_event event = {.events = on ? EPOLLIN : 0, .data.fd = fd};

	if (fd >= 0)
		epoll_ctl(w->epoll, EPOLL_CTL_MOD, fd, &event);
}

/* Sockets are readable as long as they hold anything: that only matters while we sleep. */
static void watch_sockets(struct wait *w, bool on)
{
	heed(w, w->sockets, on);
}

int wait_add_socket(struct wait *w, int fd)
{
	struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
	int e;

	if (w->sockets < 0) {
		w->sockets = epoll_create1(EPOLL_CLOEXEC);
		if (w->sockets < 0)
			return -errno;
		e = watch(w, w->sockets);
		if (e)
			return e;
		watch_sockets(w, false);
	}
	return epoll_ctl(w->sockets, EPOLL_CTL_ADD, fd, &event) ? -errno : 0;
}

/* Watch the event for being woken; and, to be readable at any time, for writing, which is always
 * possible. */
static void watch_event(struct wait *w)
{
	struct epoll_event event = {.events = (w->blocking ? (uint32_t)EPOLLIN : 0) |
					      (w->more ? (uint32_t)EPOLLOUT : 0),
				    .data.fd = w->event};

	epoll_ctl(w->epoll, EPOLL_CTL_MOD, w->event, &event);
}

static void clear_event(struct wait *w)
{
	uint64_t count;
	ssize_t n = read(w->event, &count, sizeof(count));

	(void)n; /* empty: another thread has read it */
}

void wait_set_blocking(struct wait *w, bool blocking)
{
	if (blocking == w->blocking)
		return;
	w->blocking = blocking;
	clear_event(w);
	watch_event(w);
}

void wait_wake(struct wait *w)
{
	uint64_t one = 1;

	if (w->blocking && write(w->event, &one, sizeof(one)) < 0)
		return; /* full, so it is readable already */
}

bool wait_pending(const struct wait *w)
{
	for (unsigned i = 0; i < w->rings->count; i++)
		if (ring_has_more(&w->rings->ring[i]))
			return true;
	return false;
}

/*
 * The first part of a frame keeps its socket readable although there is nothing to read: look again
 * in a while, because it would wake us all the time.
 */
static bool has_parts(const struct wait *w)
{
	for (unsigned i = w->rings->controlled; i < w->rings->count; i++) {
		const struct ring *r = &w->rings->ring[i];

		if (xsk_is_readable(r->socket, r->position) && !ring_has_more(r))
			return true;
	}
	return false;
}

/*
 * Has a ring records for which nobody will wake this reader? With a timer, records that have come
 * wait until the timer rings. Call it after the bell was asked for.
 */
static bool is_due(const struct wait *w)
{
	const struct ring_set *s = w->rings;

	for (unsigned i = ring_set_next(s, 0); w->timed && i < s->count;
	     i = ring_set_next(s, i + 1)) {
		if (ring_has_more(&s->ring[i]) && !ring_timer_runs(&s->ring[i]))
			return true;
	}
	return !w->timed && wait_pending(w);
}

/* Ask for the bell. False: do not sleep. */
static bool arm(struct wait *w)
{
	ring_set_arm(w->rings);
	watch_sockets(w, true);
	if (w->rings->stirred)
		ring_set_leave(w->rings, clock_coarse());
	return !is_due(w);
}

/* A timer that still believes that the reader sleeps rings once, for records that are there. */
static void disarm(struct wait *w)
{
	for (unsigned i = 0; !w->timed && i < w->rings->controlled; i++)
		ring_disarm(&w->rings->ring[i]);
	watch_sockets(w, false);
	empty_doorbell(w);
}

/* A reader that selects before the first read is woken by the first record. */
static void ask_early(struct wait *w)
{
	arm(w); /* wait_rest() checks whether there is anything */
	w->state = WAIT_BELL;
}

/* doorbell: -1: there is none. */
static int open_all(struct wait *w, struct ring_set *rings, int doorbell, bool immediate)
{
	int e;

	*w = (struct wait){.epoll = -1,
			   .timer = -1,
			   .event = -1,
			   .sockets = -1,
			   .news = -1,
			   .blocking = true,
			   .rings = rings,
			   .immediate = immediate};
	w->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	w->event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (w->timer < 0 || w->event < 0)
		return -errno;
	if (doorbell >= 0) {
		e = open_doorbell(w, doorbell);
		if (e)
			return e;
	} else {
		w->epoll = epoll_create1(EPOLL_CLOEXEC);
		if (w->epoll < 0)
			return -errno;
	}
	e = watch(w, w->timer);
	return e ? e : watch(w, w->event);
}

int wait_open_silent(struct wait *w, struct ring_set *rings, bool immediate)
{
	return open_all(w, rings, -1, immediate);
}

int wait_open(struct wait *w, struct ring_set *rings, int doorbell, bool immediate)
{
	int e = open_all(w, rings, doorbell, immediate);

	w->timed = rings->controlled && rings->ring[0].control->has_timer;
	if (!w->timed) /* nobody will say that a ring stirs */
		rings->stirred = NULL;
	ring_set_stir(rings);
	if (!e)
		e = open_links(w);
	if (!e)
		ask_early(w);
	return e;
}

static bool is_idle(struct wait *w)
{
	if (w->busy) {
		w->last_record = clock_monotonic();
		w->in_vain = false;
	}
	w->busy = false;
	return w->immediate || w->in_vain || clock_monotonic() - w->last_record > IDLE_AFTER_NS;
}

/* An interface that moves to another network namespace goes on, except for its packet sockets. */
static int on_end(const struct nlmsghdr *h, void *data)
{
	const struct ifinfomsg *i = mnl_nlmsg_get_payload(h);
	const struct nlattr *a;
	struct wait *w = data;
	bool moves = false;

	if (h->nlmsg_type != RTM_DELLINK || i->ifi_family != AF_UNSPEC ||
	    i->ifi_index != w->ifindex)
		return MNL_CB_OK;
	mnl_attr_for_each(a, h, sizeof(*i)) moves |= mnl_attr_get_type(a) == IFLA_NEW_NETNSID;
	w->gone |= !moves;
	w->links_changed |= moves;
	return MNL_CB_OK;
}

/* ENOBUFS and ENOSPC: some notices were lost. */
static void drain_links(struct wait *w)
{
	char buf[MNL_SOCKET_BUFFER_SIZE];
	ssize_t n;

	while ((n = mnl_socket_recvfrom(w->links, buf, sizeof(buf))) > 0 || errno == ENOBUFS ||
	       errno == ENOSPC) {
		if (w->table)
			links_hear(w->table, buf, n > 0 ? (size_t)n : 0);
		if (w->ifindex && n > 0)
			mnl_cb_run(buf, (size_t)n, 0, 0, on_end, w);
		w->links_changed |= !w->table && (!w->ifindex || n < 0);
	}
}

void wait_hear(struct wait *w)
{
	if (w->links)
		drain_links(w);
}

void wait_hear_later(struct wait *w)
{
	heed(w, mnl_socket_get_fd(w->links), false);
}

/* The kernel runs the filter on each message; the filter's loads convert from network order. */
void wait_hear_of(struct wait *w, int ifindex)
{
	const uint32_t index = offsetof(struct ifinfomsg, ifi_index);
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_H | BPF_ABS, offsetof(struct nlmsghdr, nlmsg_type)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, htons(RTM_DELLINK), 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, NLMSG_HDRLEN + index),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, htonl((uint32_t)ifindex), 0, 1),
		BPF_STMT(BPF_RET | BPF_K, UINT32_MAX),
		BPF_STMT(BPF_RET | BPF_K, 0),
	};
	struct sock_fprog program = {sizeof(code) / sizeof(code[0]), code};

	/* If this is refused, notices of other interfaces wake us in vain. */
	setsockopt(mnl_socket_get_fd(w->links), SOL_SOCKET, SO_ATTACH_FILTER, &program,
		   sizeof(program));
	w->ifindex = ifindex;
}

int wait_hear_addresses(struct wait *w, struct addresses *a)
{
	w->addresses = a;
	return watch(w, addresses_fd(a));
}

int wait_set_news(struct wait *w, int pipe)
{
	if (w->news >= 0)
		epoll_ctl(w->epoll, EPOLL_CTL_DEL, w->news, NULL);
	w->news = pipe;
	return pipe >= 0 ? watch(w, pipe) : 0;
}

/* The loader's end is news as well; nothing comes after it. */
void wait_read_news(struct wait *w)
{
	uint32_t before = w->told.events;
	struct loader_news n;
	ssize_t length = w->news >= 0 ? read(w->news, &n, sizeof(n)) : -1;

	if (length == sizeof(n)) {
		if (n.events != LOADER_DETACHED) /* that event has no further data */
			w->told = n;
		w->told.events = before | n.events;
		w->links_changed = true;
	} else if (length == 0) {
		w->links_changed = true;
		wait_set_news(w, -1);
	}
}

static void drain(struct wait *w, const struct epoll_event *event)
{
	if (event->data.fd == BELL)
		empty_doorbell(w);
	else if (event->data.fd == w->event && event->events & EPOLLIN)
		clear_event(w);
	else if (w->links && event->data.fd == mnl_socket_get_fd(w->links))
		drain_links(w);
	else if (event->data.fd == w->news)
		wait_read_news(w);
	else if (w->addresses && event->data.fd == addresses_fd(w->addresses))
		addresses_hear(w->addresses);
}

#ifndef HAVE_EPOLL_PWAIT2
_Static_assert(sizeof(struct timespec) == 16, "the kernel's own, of 64 bits each");
static int epoll_pwait2(int epoll, struct epoll_event *events, int most,
			const struct timespec *limit, const sigset_t *mask)
{
	return (int)syscall(SYS_epoll_pwait2, epoll, events, most, limit, mask, _NSIG / 8);
}
#endif

static int epoll_sleep(struct wait *w, int64_t limit_ns)
{
	struct timespec limit = {limit_ns / NS_PER_SEC, limit_ns % NS_PER_SEC};
	struct epoll_event events[4];
	int n = epoll_pwait2(w->epoll, events, 4, limit_ns < 0 ? NULL : &limit, NULL);

	/* Before 5.11, or under a container's seccomp filter that is older than the call. */
	if (n < 0 && (errno == ENOSYS || errno == EPERM))
		n = epoll_wait(w->epoll, events, 4,
			       limit_ns < 0 ? -1 : (int)((limit_ns + NS_PER_MS - 1) / NS_PER_MS));
	if (n < 0)
		return -errno;
	for (int i = 0; i < n; i++)
		drain(w, &events[i]);
	return n;
}

static void set_timer(struct wait *w, int64_t ns)
{
	struct itimerspec t = {.it_value = {ns / NS_PER_SEC, ns % NS_PER_SEC}};

	w->expires = ns ? clock_monotonic() + (uint64_t)ns : 0;
	timerfd_settime(w->timer, 0, &t, NULL); /* clears an expiry that was not read */
}

static void enter_ready(struct wait *w)
{
	if (w->state == WAIT_READY)
		return;
	set_timer(w, 0); /* so that the timer is not polled first */
	w->more = true;
	watch_event(w);
	w->state = WAIT_READY;
}

static void leave_ready(struct wait *w)
{
	if (w->state != WAIT_READY)
		return;
	w->more = false;
	watch_event(w);
	w->state = WAIT_NOTHING;
}

bool wait_is_blocking(const struct wait *w)
{
	return w->blocking;
}

void wait_set_unread(struct wait *w, bool unread)
{
	disarm(w);
	leave_ready(w);
	set_timer(w, 0);
	w->state = WAIT_NOTHING;
	w->unread = unread;
}

int64_t wait_pace(const struct wait *w)
{
	const struct ring *last = &w->rings->ring[w->rings->count - 1]; /* a socket if there are */
	uint64_t half = ring_room(w->rings, last) / 2;
	int64_t ns = (int64_t)(last->socket ? half * SOCKET_FRAME_NS : half / RING_BYTES_PER_NS);

	if (w->rings->hot_ns && ns > (int64_t)w->rings->hot_ns)
		ns = (int64_t)w->rings->hot_ns;
	return ns > PACE_NS ? PACE_NS : ns < PACE_MIN_NS ? PACE_MIN_NS : ns;
}

/* Records that are held back for their order can be delivered in a moment. */
static int64_t pace_ns(const struct wait *w, bool held)
{
	return held && w->immediate ? WINDOW_NS : wait_pace(w);
}

/* As wait_sleep(). */
static int sleep_by_bell(struct wait *w, int64_t limit_ns)
{
	int n = 0;

	if (arm(w)) {
		n = epoll_sleep(w, limit_ns);
		n = n == 0 && limit_ns >= 0 ? -ETIME : n;
	}
	disarm(w);
	return n < 0 ? n : 0;
}

/* If no timer of the kernel rings, a reader that has had records looks again in a while. */
static int sleep_by_pace(struct wait *w, int64_t limit_ns, int64_t pace)
{
	bool limited = limit_ns >= 0 && limit_ns <= pace;
	int n = epoll_sleep(w, limited ? limit_ns : pace);

	return n == 0 && limited ? -ETIME : n < 0 ? n : 0;
}

int wait_sleep(struct wait *w, int64_t limit_ns, bool held)
{
	bool by_bell = w->timed || (is_idle(w) && !held && !has_parts(w));
	int n;

	if (w->unread) {
		n = epoll_sleep(w, limit_ns);
		return n < 0 ? n : n == 0 && limit_ns >= 0 ? -ETIME : 0;
	}
	leave_ready(w);
	if (w->state == WAIT_TIMER)
		set_timer(w, 0);
	if (w->state == WAIT_BELL && !by_bell)
		disarm(w);
	w->state = WAIT_NOTHING;
	return by_bell ? sleep_by_bell(w, limit_ns) : sleep_by_pace(w, limit_ns, pace_ns(w, held));
}

int wait_poll(struct wait *w)
{
	int n = epoll_sleep(w, 0);

	w->in_vain |= n > 0;
	return n < 0 && n != -EINTR ? n : 0;
}

int wait_for_order(struct wait *w)
{
	uint64_t end = clock_monotonic() + WINDOW_NS, now;
	int n = 0;

	/* The bell of a later record ends a sleep, but the window goes on. */
	while (n >= 0 && (now = clock_monotonic()) < end)
		n = epoll_sleep(w, (int64_t)(end - now));
	return n < 0 && n != -EINTR ? n : 0;
}

bool wait_has_told(struct wait *w)
{
	bool expired = w->expires && clock_monotonic() >= w->expires;
	bool rang = w->doorbell && ring_buffer__consume(w->doorbell) > 0;

	w->in_vain |= expired;
	return expired || rang || w->state == WAIT_READY;
}

/* Also if the bell was already asked for: a record of any ring that was read by now is no reason to
 * ring. */
static void rest_by_bell(struct wait *w)
{
	if (w->state == WAIT_TIMER)
		set_timer(w, 0);
	w->state = WAIT_BELL;
	if (!arm(w)) {
		disarm(w);
		enter_ready(w);
	}
}

void wait_rest(struct wait *w, bool more, bool held)
{
	if (w->state == WAIT_READY && more && !held) /* one of many packets was read */
		return;
	if (w->unread)
		return;
	leave_ready(w);
	/* Discard a bell for a sleep that has ended: two CPUs may ring for one. */
	empty_doorbell(w);
	if (w->timed ? !more || held : !more && !held && !has_parts(w)) {
		rest_by_bell(w);
		return;
	}
	if (w->state == WAIT_BELL)
		disarm(w);
	if (more && !held) {
		enter_ready(w);
	} else {
		set_timer(w, pace_ns(w, held));
		w->state = WAIT_TIMER;
	}
}
