/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Messages to the service manager: the protocol of sd_notify(3), one datagram each. */
#pragma once

#include <stdint.h>

struct notify {
	int fd;		   /* -1: no service manager asked for messages */
	uint64_t watchdog; /* it wants a sign of life within this many ns; 0: none */
};

/*
 * Connect as NOTIFY_SOCKET and WATCHDOG_USEC of the environment say. They are removed from it,
 * because children are not the service. Call it while sockets may be made. Errors are told, and
 * otherwise ignored.
 */
void notify_open(struct notify *n);
/* May be called again, also if nothing was opened. */
void notify_close(struct notify *n);
/*
 * The capture has begun. Waits while the manager's queue is full, because a manager that does not
 * hear this ends us.
 */
void notify_ready(const struct notify *n);
/* Send "STATUS=..." or the like; it is dropped if it cannot be delivered at once. */
void notify_send(const struct notify *n, const char *text);
