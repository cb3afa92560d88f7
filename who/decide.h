/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Who held a socket when. What is not known for sure is unknown. */
#pragma once

#include "table.h"

#define WHO_HOLDERS_MAX 16

enum who_class {
	WHO_UNKNOWN,
	WHO_EXACT,     /* one process holds the socket */
	WHO_SHARED,    /* several do: all of them are listed */
	WHO_LISTENER,  /* a connection begins, or waits to be accepted: these hold the listener */
	WHO_CLOSED,    /* nobody holds it any more; who held it last is listed, if that is known */
	WHO_FORWARDED, /* not for this host, or for what stands behind its NAT */
	WHO_CLASSES
};

struct who_holders {
	enum who_class class;
	unsigned n;
	struct process *process[WHO_HOLDERS_MAX];
};

/*
 * What the table knows. A look that began after that time has to be in it, and the events up to its
 * end.
 */
void decide(struct sockets *t, uint64_t cookie, uint64_t time, struct who_holders *to);
/* Of a connection that was not there yet: who holds all that listens there, and got it. */
void decide_request(struct sockets *t, uint64_t cookie, uint64_t time, struct who_holders *to);
/* Of one that nobody has accepted yet: who holds what listens there since it came. */
void decide_waiting(struct sockets *t, uint64_t cookie, uint64_t time, struct who_holders *to);
