/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The interfaces of a network namespace, including those that have gone, by number. */
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
	bool gone;	  /* removed; the rings may still have its records */
	bool chosen;	  /* its name matches the patterns */
	uint64_t gone_at; /* CLOCK_MONOTONIC ns */
	unsigned round;	  /* number of the kernel's last answer that had it */
	unsigned number;  /* unique; a new one whenever the name changes */
	/* What links_next_change() last said: it is present, with this number and name. 0: it is
	 * gone, or nothing was said. */
	unsigned told;
	char told_name[IFNAMSIZ];
};

struct links {
	struct mnl_socket *asks;  /* to ask the kernel for all interfaces */
	struct link_entry *entry; /* hash table by ifindex, open addressing */
	unsigned room, used;	  /* room: a power of two, or 0 */
	bool incomplete;	  /* notices were lost: ask for all again */
	uint64_t asked;		  /* CLOCK_MONOTONIC ns when the kernel was last asked for all */
	unsigned rounds;	  /* answers so far */
	unsigned numbers;	  /* numbers given so far */
	const char *patterns;	  /* shell patterns of names, separated by blanks; "": all */
	uint64_t *left_out;	  /* the program's map of interfaces to leave out; NULL: none */
	bool changed;		  /* links_next_change() has something to say */
	unsigned walk;		  /* where it goes on in the table */
};

/*
 * List the interfaces of the caller's network namespace. The caller has subscribed to RTMGRP_LINK
 * before, and keeps patterns and left_out until links_close(), which it calls even after an error.
 * Returns 0 or -errno.
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
 * Copy to *e one of the chosen interfaces that has come or gone since it was last returned. An
 * interface with a new name is returned twice: as gone, then as present. False: there is none.
 */
bool links_next_change(struct links *l, struct link_entry *e);
