/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* xdplaunch's parts: xdplaunch_open.c needs privilege, xdplaunch.c gives it up. */
#pragma once

#include <stdbool.h>

#define LAUNCH_SOCKETS_MAX 64

/* What stays open for the command. */
struct launch {
	int sockets[LAUNCH_SOCKETS_MAX];
	unsigned count;
	int program;
	int link;	 /* the link, if we attached the program; else -1 */
	int promiscuity; /* a packet socket that keeps promiscuous mode on */
};

/*
 * Opens a socket for each queue of the interface, in the map of a program that sends every frame to
 * them. On failure prints why and ends the process.
 */
void launch_open(struct launch *l, const char *interface, bool attach);
