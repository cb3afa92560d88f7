/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The interfaces of a network namespace, those that come and those that have gone, by number. */
#ifndef PCAP_AFXDP_LINKS_H
#define PCAP_AFXDP_LINKS_H

#include <net/if.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mnl_socket;

struct link_entry {
	unsigned ifindex;    /* 0: no entry */
	unsigned short type; /* ARPHRD_* */
	char name[IFNAMSIZ];
	bool gone;	  /* records of it may still be on their way */
	bool chosen;	  /* by its name */
	uint64_t gone_at; /* CLOCK_MONOTONIC ns */
	unsigned round;	  /* of answers, the last one it was in */
	unsigned number;  /* among all that came; another with each name */
	/* What was told of it last, as long as it holds; 0: nothing, or that it has gone. */
	unsigned told;
	char told_name[IFNAMSIZ];
};

struct links {
	struct mnl_socket *asks;
	struct link_entry *entry; /* a table by number, open addressed */
	unsigned room, used;	  /* room: a power of two, or 0 */
	bool incomplete;	  /* notices were lost: ask for all */
	uint64_t asked;		  /* when that was, CLOCK_MONOTONIC ns */
	unsigned rounds;	  /* of answers so far */
	unsigned numbers;	  /* given so far */
	const char *patterns; /* of the names that are wanted, with blanks in between; "": all */
	uint64_t *left_out;   /* the program's, of those that are not; NULL: it has none */
	bool changed;	      /* not all was told: */
	unsigned walk;	      /* ... from this place on */
};

/*
 * In the network namespace of the caller, whose notices are subscribed to before. patterns stay
 * the caller's, as does left_out. -errno.
 */
int links_open(struct links *l, const char *patterns, uint64_t *left_out);
void links_close(struct links *l);
/* What RTMGRP_LINK has sent. length 0: some of it was lost. */
void links_hear(struct links *l, const void *notices, size_t length);
/* NULL: none has that number. Good until the next call. */
const struct link_entry *links_find(struct links *l, unsigned ifindex);
/* Is an interface of this name wanted? */
bool links_choose(const struct links *l, const char *name);
/*
 * Of those that are wanted, one that came or went since it was told last: its number and name, into
 * *e. False: there is none.
 */
bool links_next_change(struct links *l, struct link_entry *e);

#endif
