/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Decides who held a socket at a time. What is not known for sure is unknown. */
#pragma once

#include "table.h"

#define WHO_HOLDERS_MAX 16

enum who_class {
	WHO_UNKNOWN,
	WHO_EXACT,     /* one process holds the socket */
	WHO_SHARED,    /* several processes hold it; all of them are listed */
	WHO_LISTENER,  /* a connection begins, or waits to be accepted: these processes hold the
			  listener */
	WHO_CLOSED,    /* no process holds it any more; the last holder is listed, if it is known */
	WHO_FORWARDED, /* not for this host, or for a host behind its NAT */
	WHO_CLASSES
};

struct who_holders {
	enum who_class class;
	unsigned n;
	struct process *process[WHO_HOLDERS_MAX];
};

/*
 * Decides by what the table knows. It must include a look that began after that time, and all
 * events up to the end of that look.
 */
void decide(struct sockets *t, uint64_t cookie, uint64_t time, struct who_holders *to);
/* For a connection that did not exist yet: who holds all listeners there, and got it. */
void decide_request(struct sockets *t, uint64_t cookie, uint64_t time, struct who_holders *to);
/* For one that was not accepted yet: who has held its listeners since it came. */
void decide_waiting(struct sockets *t, uint64_t cookie, uint64_t time, struct who_holders *to);
