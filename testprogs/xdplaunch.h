/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* xdplaunch's parts: what needs privilege (xdplaunch_open.c), what gives it up (xdplaunch.c). */
#pragma once

#include <stdbool.h>

#define LAUNCH_SOCKETS_MAX 64

/* What stays open for the command. */
struct launch {
	int sockets[LAUNCH_SOCKETS_MAX];
	unsigned count;
	int program;
	int link;	 /* where the program was attached here; else -1 */
	int promiscuity; /* a packet socket that holds it */
};

/*
 * A socket for each queue of the interface, in the map of a program that sends every frame to them.
 * On failure says why and ends the process.
 */
void launch_open(struct launch *l, const char *interface, bool attach);
