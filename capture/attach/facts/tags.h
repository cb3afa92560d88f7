/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Does an interface take VLAN tags off the frames that it receives? Asking changes nothing. */
#pragma once

#include <stdbool.h>

struct tags {
	bool stripped; /* tags of 802.1Q, 802.1ad or both are taken off the frame and kept beside it
			*/
	char keep[48]; /* the setting of `ethtool -K NAME` that leaves tags in the frame; "": there
			  is none */
};

/*
 * s: any socket. kind: as `ip -d link` names it, or "". For a bond the slaves are asked, because
 * their drivers receive the frames; a team is assumed to take tags off.
 */
void tags_look(int s, const char *ifname, const char *kind, struct tags *t);
