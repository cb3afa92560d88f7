/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* libevent counts a device's packets, while a timer measures whether a read holds the loop up. */
#include <event2/event.h>

#include "loop.h"

static struct event_base *base;

static void on_readable(evutil_socket_t fd, short what, void *loop)
{
	(void)fd;
	(void)what;
	loop_read(loop);
}

static void on_tick(evutil_socket_t fd, short what, void *loop)
{
	(void)fd;
	(void)what;
	if (loop_tick(loop))
		event_base_loopbreak(base);
}

int main(int count, char **words)
{
	struct timeval tick = {0, TICK_MS * 1000};
	struct loop loop;

	if (count != 5)
		errx(1, "DEVICE TO_MS block|nonblock FRAMES");
	base = event_base_new();
	event_add(event_new(base, loop_open(&loop, words), EV_READ | EV_PERSIST, on_readable,
			    &loop),
		  NULL);
	event_add(event_new(base, -1, EV_PERSIST, on_tick, &loop), &tick);
	event_base_dispatch(base);
	loop_end(&loop);
	return 0;
}
