/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The interfaces of a source that has many: `any', or those whose names match patterns. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct afxdp_member;

struct member {
	unsigned index;	 /* of the interface; 0: no member */
	uint32_t netns;	 /* the inode of its namespace, where there are several; or 0 */
	unsigned number; /* among all that came, the latest is the highest: struct afxdp_member */
	unsigned file;	 /* that has its block, by the count in struct members; 0: none */
	uint32_t id;	 /* of that block */
	uint64_t delivered, begun; /* packets in that file; since when, in ns since 1970 */
	uint64_t gone_time;	   /* CLOCK_MONOTONIC ns; 0: it is there */
	uint64_t gone_wall;	   /* the same in ns since 1970 */
	char name[16];
	/* Where there are several namespaces: */
	char *space;	/* what it is called, or NULL; the member's */
	uint64_t since; /* records that are older are another's; ns since 1970 */
	uint64_t left;	/* when its namespace has; likewise, 0: it has not */
	unsigned round; /* of answers, the last one it was in */
	uint16_t type;	/* ARPHRD_* */
	bool unwanted;	/* by its name */
};

/* Those that have a block; an old one stays until the table is made anew. */
struct member_block {
	uint32_t id, netns;
	unsigned index, number; /* index 0: none */
};

struct members {
	/* A table by namespace and index, open addressed. One that has gone is there beside one
	 * that has its index now. */
	struct member *at;
	unsigned room, used; /* room: a power of two, or 0 */
	unsigned present;    /* that are there */
	unsigned leaving;    /* that have gone, and are still in the table */
	unsigned numbers;    /* given so far, where there are several namespaces */
	bool ready;	     /* ... and all that were there first are in the table */
	uint64_t heard;	     /* ... all news of until then are known; ns since 1970, 0: not all */
	unsigned file;	     /* the present one, from 1 on */
	struct member_block *block; /* a table by id, open addressed, too */
	unsigned block_room, block_used;
	unsigned blocks;  /* in that file, of members in the table */
	uint64_t read;	  /* time stamp of the record that was read last; ns since 1970 */
	int error;	  /* -errno of news that were heard for a record; told by who hears next */
	bool has_grown;	  /* then blocks came */
	uint64_t unknown; /* packets in that file of interfaces that nothing is known of */
};

/* NULL: out of memory. */
struct members *members_new(void);
void members_free(struct members *m);
/* The latest of that index. NULL: there is none. */
struct member *members_find(const struct members *all, uint32_t netns, unsigned index);
/* All of that index, one after the other, in no order; after: NULL at first. NULL: no more. */
struct member *members_next(const struct members *all, uint32_t netns, unsigned index,
			    const struct member *after);
/* It has this block in the present file. -ENOMEM. */
int members_set_block(struct members *all, struct member *m, uint32_t id);
/* NULL: there is none with this block. */
struct member *members_with_id(const struct members *all, uint32_t id);
/* The one of its index and number, which is made if there is none. NULL: out of memory. Good until
 * the next. */
struct member *members_get(struct members *all, uint32_t netns, const struct afxdp_member *from);
void members_remove(struct members *all, struct member *m);
/* Another file begins, without blocks of theirs. */
void members_begin_file(struct members *all);
static inline bool members_have_block(const struct members *all, const struct member *m)
{
	return m->index && m->file == all->file;
}
