/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The interfaces of a network namespace, by a netlink socket that was opened in it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "news.h"

struct space_links {
	int fd; /* -1: none */
	uint32_t netns;
	uint32_t round; /* number of the last request for all interfaces */
	bool asking;	/* its answer is not complete yet */
	bool again;	/* ask again: the answer is inconsistent, or something was lost */
};

/* Open in the caller's namespace. Returns 0 or -errno. */
int space_links_open(struct space_links *l, uint32_t netns);
void space_links_close(struct space_links *l);
/* Ask for all interfaces. Returns 0, or -errno if there will be no answer. */
int space_links_ask(struct space_links *l);
/* Is there no complete answer, nor one under way? Then it is time to ask again. */
bool space_links_are_unknown(const struct space_links *l);
/* Pass what has arrived to tell(). Returns 0 or -errno, also that of tell(). */
int space_links_hear(struct space_links *l, int (*tell)(void *to, const struct news *n), void *to);
