/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * What the event loops in C share: see ../../README.md for what such a driver does and prints. It
 * knows nothing of this tree, and is compiled with the distribution's headers.
 */
#pragma once

#include <err.h>
#include <pcap/pcap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TICK_MS	 10
#define TAIL_MS	 1000  /* after the last frame that is awaited */
#define LIMIT_MS 30000 /* of all */

struct loop {
	pcap_t *handle;
	unsigned wanted, counted, wakes, vain;
	double begun, complete, last_tick, late; /* in ms; complete: 0 until all were counted */
};

static inline double loop_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* DEVICE TO_MS block|nonblock FRAMES. Its descriptor. */
static inline int loop_open(struct loop *l, char **words)
{
	char error[PCAP_ERRBUF_SIZE];

	*l = (struct loop){.wanted = (unsigned)atoi(words[4])};
	l->handle = pcap_open_live(words[1], 65535, 1, atoi(words[2]), error);
	if (!l->handle || pcap_setnonblock(l->handle, strcmp(words[3], "nonblock") == 0, error))
		errx(1, "%s", error);
	printf("ready\n");
	fflush(stdout);
	l->begun = l->last_tick = loop_now();
	return pcap_get_selectable_fd(l->handle);
}

static inline void loop_count(u_char *loop, const struct pcap_pkthdr *header, const u_char *data)
{
	(void)header;
	(void)data;
	((struct loop *)(void *)loop)->counted++;
}

/* The descriptor is readable: one read. */
static inline void loop_read(struct loop *l)
{
	int n = pcap_dispatch(l->handle, -1, loop_count, (u_char *)l);

	if (n < 0)
		errx(1, "%s", pcap_geterr(l->handle));
	l->wakes++;
	l->vain += n == 0;
}

/* Each TICK_MS: is it the end? */
static inline int loop_tick(struct loop *l)
{
	double now = loop_now(), late = now - l->last_tick - TICK_MS;

	if (late > l->late)
		l->late = late;
	l->last_tick = now;
	if (l->counted >= l->wanted && !l->complete)
		l->complete = now;
	return (l->complete && now - l->complete > TAIL_MS) || now - l->begun > LIMIT_MS;
}

static inline void loop_end(struct loop *l)
{
	printf("counted %u wakes %u vain %u late %.0f\n", l->counted, l->wakes, l->vain, l->late);
	pcap_close(l->handle);
}
