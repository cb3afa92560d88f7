/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Messages from the keeper of network namespaces. */
#pragma once

#include <net/if.h>
#include <stdint.h>

#define NEWS_NAME_SIZE 256

enum news_kind {
	NEWS_JOIN,  /* the namespace is captured since this time: name, time */
	NEWS_LEAVE, /* it is no longer captured, and its interfaces have gone with it: time. Another
		       namespace may get its inode from then on */
	NEWS_LINK,  /* an interface exists, or has a new name: index, type, ifname, round, time */
	NEWS_UNLINK, /* an interface has gone: index, time */
	NEWS_LISTED, /* all existing interfaces have been reported in this round: round, time */
	NEWS_READY,  /* everything that existed at first was reported; netns is 0 */
	NEWS_WORDS,  /* a message for the user: name has the text; netns is 0 */
};

struct news {
	uint32_t kind;
	uint32_t netns; /* the inode of the namespace */
	uint32_t index, round;
	uint16_t type; /* ARPHRD_* */
	char ifname[IFNAMSIZ];
	uint64_t time;		   /* when the keeper heard of it; ns since 1970 */
	char name[NEWS_NAME_SIZE]; /* of the namespace; "": the capturing process is in it */
};
