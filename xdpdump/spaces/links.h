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
	uint32_t round; /* of answers, the present one */
	bool asking;	/* its end has not come */
	bool again;	/* it is not of one moment, or something was lost meanwhile */
};

/* In the namespace of the caller. -errno. */
int space_links_open(struct space_links *l, uint32_t netns);
void space_links_close(struct space_links *l);
/* Ask for all of them. -errno: there is no answer. */
int space_links_ask(struct space_links *l);
/* Was there no answer? Then it is time to ask again. */
bool space_links_are_unknown(const struct space_links *l);
/* What has come goes to tell(). -errno, also that of tell(). */
int space_links_hear(struct space_links *l, int (*tell)(void *to, const struct news *n), void *to);
