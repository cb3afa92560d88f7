/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The interfaces of a network namespace, present and gone, by number. */
#pragma once

#include <net/if.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mnl_socket;

struct link_entry {
	unsigned ifindex;    /* 0: no entry */
	unsigned short type; /* ARPHRD_* */
	char name[IFNAMSIZ];
	bool gone;	  /* removed; the rings may still have records of it */
	bool chosen;	  /* its name matches the patterns */
	uint64_t gone_at; /* CLOCK_MONOTONIC ns */
	unsigned round;	  /* the last answer of the kernel that had it */
	unsigned number;  /* unique; a new one with each name */
	/* What links_next_change() last said: present, by this number and name. 0: gone, or
	 * nothing. */
	unsigned told;
	char told_name[IFNAMSIZ];
};

struct links {
	struct mnl_socket *asks;  /* to ask the kernel for all interfaces */
	struct link_entry *entry; /* hash table by ifindex, open addressing */
	unsigned room, used;	  /* room: a power of two, or 0 */
	bool incomplete;	  /* notices were lost: ask for all again */
	uint64_t asked;		  /* CLOCK_MONOTONIC ns of the last time */
	unsigned rounds;	  /* answers so far */
	unsigned numbers;	  /* numbers given so far */
	const char *patterns;	  /* shell patterns of names, with blanks in between; "": all */
	uint64_t *left_out;	  /* the program's map of interfaces to leave out; NULL: none */
	bool changed;		  /* links_next_change() has something to say, */
	unsigned walk;		  /* ... in this entry or behind it */
};

/*
 * List the interfaces of the caller's network namespace. The caller subscribes to RTMGRP_LINK
 * before, and keeps patterns and left_out until links_close(), also after -errno.
 */
int links_open(struct links *l, const char *patterns, uint64_t *left_out);
void links_close(struct links *l);
/* Read notices of RTMGRP_LINK. length 0: some were lost. */
void links_hear(struct links *l, const void *notices, size_t length);
/* The entry of an interface; NULL: none. Valid until the next call of any of these. */
const struct link_entry *links_find(struct links *l, unsigned ifindex);
/* Does this name match the patterns? */
bool links_choose(const struct links *l, const char *name);
/*
 * Copy to *e one of the chosen interfaces that has come or gone and was not returned yet. One with
 * a new name is returned twice: gone, then present. False: there is none.
 */
bool links_next_change(struct links *l, struct link_entry *e);
