/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Where no frame comes to the XDP program though the interface receives some (proof.h), the loader
 * attaches one at tc in its place, or says that none come.
 */
#pragma once

#include "capture/attach/proof.h"
#include "capture/loader/loader_protocol.h"
#include "capture/ring/ring.h"

struct change {
	enum plan_proof plan; /* PLAN_PROVES_NOTHING: it is over, or was not asked for */
	struct proof proof;
	struct ring_set rings; /* control pages */
	unsigned ifindex;
	struct image spare; /* PLAN_CHANGES: the program for tc */
	/* The last filter that the programs have, and its generation; n: 0: none. */
	struct sock_filter *filter;
	unsigned n;
	uint32_t generation;
};

/* Map and open what is needed, while that is allowed. What cannot be had ends it. */
void change_prepare(struct change *c, const struct loader_proof *p);
/* The programs have this filter from now on. */
void change_remember(struct change *c, const struct sock_filter *f, unsigned n,
		     uint32_t generation);
/*
 * Once a second. received, link: the image of the XDP program and its link, which are exchanged for
 * those at tc. news: the pipe.
 */
void change_look(struct change *c, struct image *received, int *link, int news);
/* Say this by the pipe. */
void change_tell(int news, const struct loader_news *n);
