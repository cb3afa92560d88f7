/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Which interfaces take VLAN tags off the frames that they receive. Asking changes nothing. */
#pragma once

#include <stdbool.h>

struct tags {
	bool stripped; /* off the frame, and beside it: 802.1Q's, 802.1ad's or both */
	char keep[48]; /* what `ethtool -K NAME` leaves them in with; "": nothing does */
};

/*
 * s: any socket. kind: of `ip -d link`, or "". A bond is judged by its slaves, whose drivers
 * receive the frames; of a team it is taken for granted.
 */
void tags_look(int s, const char *ifname, const char *kind, struct tags *t);
