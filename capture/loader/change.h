/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * If no frame comes to the XDP program although the interface receives some (proof.h), the loader
 * attaches a program at tc in its place, or says that no frames come.
 */
#pragma once

#include "capture/attach/proof.h"
#include "capture/loader/loader_protocol.h"
#include "capture/ring/ring.h"

struct change {
	enum plan_proof plan; /* PLAN_PROVES_NOTHING: it has ended, or was not asked for */
	struct proof proof;
	struct ring_set rings; /* control pages only */
	unsigned ifindex;
	struct image spare; /* PLAN_CHANGES: the program for tc */
	/* The filter that the programs have, and its generation; n == 0: none. */
	struct sock_filter *filter;
	unsigned n;
	uint32_t generation;
};

/* Map and open what is needed, while that is still allowed. If something is not available, frames
 * are not checked. */
void change_prepare(struct change *c, const struct loader_proof *p);
/* The programs have this filter from now on. */
void change_remember(struct change *c, const struct sock_filter *f, unsigned n,
		     uint32_t generation);
/*
 * Call it once a second. received, link: the image of the XDP program and its link, which this
 * exchanges for those at tc. news: the pipe.
 */
void change_look(struct change *c, struct image *received, int *link, int news);
/* Write this into the pipe. */
void change_tell(int news, const struct loader_news *n);
