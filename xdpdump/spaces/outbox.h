/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * A queue of news for a capturing process that may not read for a while: it keeps them in order,
 * and the keeper does not wait for the reader.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

#include "news.h"

#define OUTBOX_BUSY 1024 /* from this count on the keeper asks for nothing that can wait */
#define OUTBOX_FULL 8192 /* from this count on only letters are accepted */

/* A message whose memory is allocated early, so that sending it later cannot fail. */
struct letter {
	struct letter *next;
	struct news news;
};

struct outbox {
	int socket;	   /* SOCK_SEQPACKET; not owned */
	atomic_uint *kept; /* shows count to the reader; not owned */
	struct letter *first, *last;
	unsigned count;
	bool waits;   /* the socket is full */
	bool is_over; /* the reader has gone, or wants no more */
};

/*
 * Send the news, or keep them until there is room. Returns 0; -EAGAIN: the outbox is full; -EPIPE:
 * it is over; -ENOMEM.
 */
int outbox_put(struct outbox *o, const struct news *n);
/* The same for a letter, which the outbox owns from now on, and always accepts. */
void outbox_put_letter(struct outbox *o, struct letter *l);
/* Send as much as the socket has room for. */
void outbox_flush(struct outbox *o);
/* Send everything and wait for the reader, as long as there is one. Leaves the outbox empty. */
void outbox_finish(struct outbox *o);
bool outbox_is_busy(const struct outbox *o);
bool outbox_is_full(const struct outbox *o);
