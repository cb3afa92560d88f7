/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * News on their way to a capturing process that may stand still: they are kept in order, and nobody
 * waits for it.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

#include "news.h"

#define OUTBOX_BUSY 1024 /* from here on the keeper asks for nothing that can wait */
#define OUTBOX_FULL 8192 /* from here on only letters are accepted */

/* Made before it is known that there will be memory. */
struct letter {
	struct letter *next;
	struct news news;
};

struct outbox {
	int socket;	   /* another's; of SOCK_SEQPACKET */
	atomic_uint *kept; /* by this the reader sees count; another's */
	struct letter *first, *last;
	unsigned count;
	bool waits;   /* for room in the socket */
	bool is_over; /* nobody listens any more, or wants more than there is */
};

/* Sent, or kept until there is room. -EAGAIN: it is full; -EPIPE: it is over; -ENOMEM. */
int outbox_put(struct outbox *o, const struct news *n);
/* This is accepted in any case, and freed. */
void outbox_put_letter(struct outbox *o, struct letter *l);
/* As much as there is room for. */
void outbox_flush(struct outbox *o);
/* All, as long as somebody reads it; waits for that. Nothing is left here. */
void outbox_finish(struct outbox *o);
bool outbox_is_busy(const struct outbox *o);
bool outbox_is_full(const struct outbox *o);
