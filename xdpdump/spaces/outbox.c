/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "outbox.h"

/*
 * Called before a message is sent, and again only after it was: a message not in the socket is
 * counted. The store pairs with the load in receive() of spaces.c, which precedes its look into the
 * socket.
 */
static void set_count(struct outbox *o, unsigned count)
{
	o->count = count;
	atomic_store_explicit(o->kept, count, memory_order_release);
}

static void drop_first(struct outbox *o)
{
	struct letter *l = o->first;

	o->first = l->next;
	set_count(o, o->count - 1);
	free(l);
}

/* Returns false if it was not sent. If the kernel has no memory, the next call tries again. */
static bool send_first(struct outbox *o, int flags)
{
	ssize_t n;

	do
		n = send(o->socket, &o->first->news, sizeof(o->first->news), MSG_NOSIGNAL | flags);
	while (n < 0 && errno == EINTR);
	o->waits = n < 0 && errno == EAGAIN;
	if (n < 0) {
		o->is_over |= errno != EAGAIN && errno != ENOBUFS && errno != ENOMEM;
		return false;
	}
	drop_first(o);
	return true;
}

void outbox_flush(struct outbox *o)
{
	while (o->first && send_first(o, MSG_DONTWAIT))
		;
	o->waits &= !o->is_over;
}

void outbox_finish(struct outbox *o)
{
	while (o->first && send_first(o, 0))
		;
	while (o->first)
		drop_first(o);
}

void outbox_put_letter(struct outbox *o, struct letter *l)
{
	l->next = NULL;
	if (o->first)
		o->last->next = l;
	else
		o->first = l;
	o->last = l;
	set_count(o, o->count + 1);
	outbox_flush(o);
}

int outbox_put(struct outbox *o, const struct news *n)
{
	struct letter *l;

	if (o->is_over)
		return -EPIPE;
	if (outbox_is_full(o))
		return -EAGAIN;
	l = malloc(sizeof(*l));
	if (!l)
		return -ENOMEM;
	l->news = *n;
	outbox_put_letter(o, l);
	return o->is_over ? -EPIPE : 0;
}

bool outbox_is_busy(const struct outbox *o)
{
	return o->count >= OUTBOX_BUSY;
}

bool outbox_is_full(const struct outbox *o)
{
	return o->count >= OUTBOX_FULL;
}
