/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Messages to the service manager: the protocol of sd_notify(3), a datagram each. */
#pragma once

#include <stdint.h>

struct notify {
	int fd;		   /* -1: no service manager asked for messages */
	uint64_t watchdog; /* ns in which it wants a sign of life; 0: it wants none */
};

/*
 * By NOTIFY_SOCKET and WATCHDOG_USEC of the environment, which are taken out of it: children are
 * not the service. While sockets may be made. What is wrong with them is told, and no failure.
 */
void notify_open(struct notify *n);
/* Again is allowed, as is what was never open. */
void notify_close(struct notify *n);
/* The capture has begun. Waits for a manager that has much to read, as without this word it ends
 * us. */
void notify_ready(const struct notify *n);
/* "STATUS=..." and the like; what cannot be delivered at once is not. */
void notify_send(const struct notify *n, const char *text);
