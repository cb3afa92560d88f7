/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <fcntl.h>
#include <libmnl/libmnl.h>
#include <poll.h>
#include <sched.h>
#include <unistd.h>

#include "attachment.h"
#include "packet.h"
#include "watch.h"

#define TURNS 1000

void watch_open(struct watch *w, struct attachment *attachment, bool traces)
{
	*w = (struct watch){.attachment = attachment,
			    .asks = facts_open(),
			    .traces = traces,
			    .loader = -1,
			    .dropped = {-1, -1},
			    .sides = {-1, -1},
			    .holder = attachment->facts.xdp_prog_id,
			    .asking = ATOMIC_FLAG_INIT,
			    .said = attachment->facts.nic_dropped,
			    .nic_dropped = attachment->facts.nic_dropped};
}

void watch_counters(struct watch *w, const char *ifname)
{
	dropped_open(&w->dropped, ifname, w->attachment->facts.ifindex,
		     w->attachment->facts.driver);
}

void watch_sides(struct watch *w, const char *ifname)
{
	static const char *const names[SIDES] =
		{[SIDE_RECEIVED] = "rx_packets", [SIDE_SENT] = "tx_packets"};

	for (enum side i = 0; i < SIDES; i++) {
		w->sides[i] =
			dropped_open_counter(ifname, (int)w->attachment->facts.ifindex, names[i]);
		watch_is_silent(w, i);
	}
}

bool watch_is_silent(struct watch *w, enum side side)
{
	uint64_t before = w->counted[side];

	return dropped_read_counter(w->sides[side], &w->counted[side]) &&
	       w->counted[side] == before;
}

void watch_ask_seldom(struct watch *w)
{
	uint64_t n;

	if (!w->asks || !dropped_read(&w->dropped, &n))
		return;
	mnl_socket_close(w->asks);
	w->asks = NULL;
}

int watch_process(struct watch *w, int pipe)
{
	if (w->loader >= 0)
		close(w->loader);
	w->loader = pipe >= 0 ? fcntl(pipe, F_DUPFD_CLOEXEC, 3) : -1;
	return pipe >= 0 && w->loader < 0 ? -errno : 0;
}

void watch_close(struct watch *w)
{
	watch_process(w, -1);
	dropped_close(&w->dropped);
	for (enum side i = 0; i < SIDES; i++) {
		if (w->sides[i] >= 0)
			close(w->sides[i]);
		w->sides[i] = -1;
	}
	if (w->asks)
		mnl_socket_close(w->asks);
	w->asks = NULL;
}

/* A counter that has decreased was reset, as drivers do that reset their card. */
static void note_dropped(struct watch *w, uint64_t now)
{
	if (now > w->said)
		atomic_fetch_add_explicit(&w->nic_dropped, now - w->said, memory_order_relaxed);
	w->said = now;
}

/*
 * If two threads asked at once, one would take the other's answer, so the flag lets only one ask:
 * its acquire pairs with its release. program NULL: the counters in /sys are enough.
 */
static int ask(struct watch *w, uint32_t *program)
{
	struct facts *f = &w->attachment->facts;
	uint64_t n;
	int e = 0;

	if (atomic_flag_test_and_set_explicit(&w->asking, memory_order_acquire))
		return -EBUSY;
	if (program || !dropped_read(&w->dropped, &n)) {
		e = facts_refresh(f, w->asks);
		if (!e && packet_is_gone(w->attachment->packet)) /* it was replaced */
			e = -ENODEV;
		n = f->nic_dropped;
	}
	if (program)
		*program = f->xdp_prog_id;
	if (!e)
		note_dropped(w, n);
	atomic_flag_clear_explicit(&w->asking, memory_order_release); /* pairs with the acquire */
	return e;
}

int watch_refresh(struct watch *w)
{
	return ask(w, NULL);
}

/* Wait for a turn to ask: other threads take some microseconds. */
static int ask_in_turn(struct watch *w, uint32_t *program)
{
	int e = -EBUSY;

	for (int i = 0; i < TURNS && e == -EBUSY; i++) {
		if (i)
			sched_yield();
		e = ask(w, program);
	}
	return e;
}

/* A link keeps the program that is traced, even if that is no longer in the hook. */
static int look_at_traced(struct watch *w)
{
	uint32_t program;
	int e = ask_in_turn(w, &program);

	if (e == -ENODEV)
		return e;
	return e == -EBUSY || program == w->holder ? 0 : -ENOLINK;
}

/* We cannot see whether the dispatcher still has our program, only whether there is a
 * dispatcher. */
static int look_at_dispatcher(struct watch *w)
{
	uint32_t program;
	int e = ask_in_turn(w, &program);

	if (e == -ENODEV)
		return e;
	return e || program ? 0 : -ENOLINK;
}

static bool loader_has_ended(const struct watch *w)
{
	struct pollfd p = {.fd = w->loader};

	return w->loader >= 0 && poll(&p, 1, 0) > 0 && p.revents & (POLLHUP | POLLERR);
}

int watch_look(struct watch *w, bool attached)
{
	uint32_t program;

	if (loader_has_ended(w))
		return -EOWNERDEAD;
	if (w->error)
		return w->error;
	if (attached)
		return 0;
	if (w->traces)
		return look_at_traced(w);
	if (w->attachment->plan.in == CAPTURE_HOOK_DROPS) /* no single interface: none can go */
		return w->attachment->facts.ifindex && ask_in_turn(w, &program) == -ENODEV ? -ENODEV
											   : 0;
	if (w->attachment->plan.join)
		return look_at_dispatcher(w);
	switch (attachment_state(w->attachment)) {
	case ATTACHMENT_HOLDS:	  /* even if the interface moved to another namespace */
		if (!w->detached) /* set for a link that only the loader has */
			return 0;
		/* fallthrough */
	case ATTACHMENT_DETACHED:
		return ask_in_turn(w, &program) ? -ENODEV : -ENOLINK;
	default:
		return ask_in_turn(w, &program) == -ENODEV ? -ENODEV : 0;
	}
}
