/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The interfaces of a source that has many: `any', or those whose names match patterns. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct afxdp_member;

struct member {
	unsigned index;		   /* of the interface; 0: this entry is empty */
	uint32_t netns;		   /* inode of its namespace, if there are several; else 0 */
	unsigned number;	   /* the latest has the highest: see struct afxdp_member */
	unsigned file;		   /* number of the last file with its block; 0: none */
	uint32_t id;		   /* number of that block */
	uint64_t delivered, begun; /* packets in that file; since this time, in ns since 1970 */
	uint64_t gone_time;	   /* CLOCK_MONOTONIC ns; 0: it has not gone */
	uint64_t gone_wall;	   /* the same time in ns since 1970 */
	char name[16];
	/* Used if there are several namespaces: */
	char *space;	/* the namespace's name, or NULL; the member owns it */
	uint64_t since; /* older records are of another interface; ns since 1970 */
	uint64_t left;	/* when its namespace ended; likewise, 0: it has not */
	unsigned round; /* the last round of answers that listed it */
	uint16_t type;	/* ARPHRD_* */
	bool unwanted;	/* its name matches no pattern */
};

/* Finds the member of a block. Entries of former files stay until the table is rebuilt. */
struct member_block {
	uint32_t id, netns;
	unsigned index, number; /* index 0: this entry is empty */
};

struct members {
	/* A hash table by namespace and index, with open addressing. A member that has gone can be
	 * in it beside the one that has its index now. */
	struct member *at;
	unsigned room, used; /* room: a power of 2, or 0 */
	unsigned present;    /* members that exist and are wanted */
	unsigned leaving;    /* members that have gone, and are still in the table */
	unsigned numbers;    /* numbers given so far, if there are several namespaces */
	bool ready;	     /* ... and all that existed at first are in the table */
	uint64_t heard;	     /* ... all news until then is known; ns since 1970, 0: not all */
	unsigned file;	     /* number of the present file, from 1 on */
	struct member_block *block; /* a hash table by id, with open addressing */
	unsigned block_room, block_used;
	unsigned blocks;  /* of members, in the present file */
	uint64_t read;	  /* time stamp of the last record read; ns since 1970 */
	int error;	  /* -errno of news read early for a record, to be returned later */
	bool has_grown;	  /* that news brought blocks */
	uint64_t unknown; /* packets of unknown interfaces in the present file */
};

/* NULL: out of memory. */
struct members *members_new(void);
void members_free(struct members *m);
/* Find the latest member with this index. NULL: there is none. */
struct member *members_find(const struct members *all, uint32_t netns, unsigned index);
/* Walk all members with this index, in no order. after: the previous one, NULL at first. Returns
 * NULL at the end. */
struct member *members_next(const struct members *all, uint32_t netns, unsigned index,
			    const struct member *after);
/* Note that m has this block in the present file. Returns 0 or -ENOMEM. */
int members_set_block(struct members *all, struct member *m, uint32_t id);
/* Find the member with this block. NULL: there is none. */
struct member *members_with_id(const struct members *all, uint32_t id);
/* Find the member with this index and number, or add it. NULL: out of memory. The pointer is valid
 * until the next call of this or members_remove(). */
struct member *members_get(struct members *all, uint32_t netns, const struct afxdp_member *from);
void members_remove(struct members *all, struct member *m);
/* Another file begins, without blocks of members. */
void members_begin_file(struct members *all);
static inline bool members_have_block(const struct members *all, const struct member *m)
{
	return m->index && m->file == all->file;
}
