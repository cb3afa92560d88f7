/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* libuv counts a device's packets, while a timer measures whether a read holds the loop up. */
#include <uv.h>

#include "loop.h"

static void on_readable(uv_poll_t *handle, int status, int events)
{
	(void)status;
	(void)events;
	loop_read(handle->data);
}

static void on_tick(uv_timer_t *handle)
{
	if (loop_tick(handle->data))
		uv_stop(handle->loop);
}

int main(int count, char **words)
{
	struct loop loop;
	uv_timer_t tick;
	uv_poll_t poll;

	if (count != 5)
		errx(1, "DEVICE TO_MS block|nonblock FRAMES");
	uv_poll_init(uv_default_loop(), &poll, loop_open(&loop, words));
	uv_timer_init(uv_default_loop(), &tick);
	poll.data = tick.data = &loop;
	uv_poll_start(&poll, UV_READABLE, on_readable);
	uv_timer_start(&tick, on_tick, TICK_MS, TICK_MS);
	uv_run(uv_default_loop(), UV_RUN_DEFAULT);
	loop_end(&loop);
	return 0;
}
