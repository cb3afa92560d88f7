/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Messages from the keeper of network namespaces. */
#pragma once

#include <net/if.h>
#include <stdint.h>

#define NEWS_NAME_SIZE 256

enum news_kind {
	NEWS_JOIN,   /* the namespace is captured, since this time: name, time */
	NEWS_LEAVE,  /* it is no longer, and its interfaces have gone with it: time. Its inode may
			be another's from then on */
	NEWS_LINK,   /* an interface is there, or has another name: index, type, ifname, round,
			time */
	NEWS_UNLINK, /* it has gone: index, time */
	NEWS_LISTED, /* all that exist have been reported in this round: round, time */
	NEWS_READY,  /* the first look is over; of no namespace */
	NEWS_WORDS,  /* for the user: name; of no namespace */
};

struct news {
	uint32_t kind;
	uint32_t netns; /* the inode of the namespace */
	uint32_t index, round;
	uint16_t type; /* ARPHRD_* */
	char ifname[IFNAMSIZ];
	uint64_t time;		   /* when the keeper heard of it; ns since 1970 */
	char name[NEWS_NAME_SIZE]; /* of the namespace; "": it is that of the capturing process */
};
