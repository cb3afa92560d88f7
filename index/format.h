/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The index of a file, as it is on disk: docs/index-format.md. Nothing else reads or writes one.
 * Whatever is in an index, reading it takes no more memory than its size, and what is damaged is
 * not believed.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#define INDEX_ENDING ".idx"
#define INDEX_PART   ".idx.part" /* until it is whole */

/* Of the file that it is for. */
struct index_identity {
	uint64_t size, changed; /* in ns */
	uint64_t head;		/* hash of its first bytes */
};

#define INDEX_ENTRIES  (1u << 24) /* of a file: 128 MiB, twice while they are sorted */
#define INDEX_GRANULES (1u << 20) /* 48 MiB; the last one has the rest of the file */

#define GRANULE_SCAN   1u /* its keys are not in the index */
#define GRANULE_OTHERS 2u /* it has blocks that are no packets: who reads on needs them */

/* Some MiB of whole blocks. Times are in ns, the earliest and the latest. */
struct index_granule {
	uint64_t position; /* of its first block, in what the file was before it was compressed */
	uint64_t start;	   /* where to begin to read in the file, and */
	uint64_t skip;	   /* how much of what is decompressed lies in front of it */
	uint64_t first, last;
	uint64_t flags;
};

struct index {
	struct index_identity of;
	uint64_t first, last, packets;
	struct index_granule *granule;
	uint64_t granules;
	uint64_t *page; /* the first entry of each */
	uint64_t pages;
	uint64_t entries; /* while it is made */
	int fd;		  /* -1: none */
};

/* An entry: key << 32 | number of the granule. */

/* Of an open file. 0 or -errno. */
int index_identify(struct index_identity *to, int fd, struct stat *st);
/*
 * The index of the file that has this identity: 0; -ENOENT: it has none; -ESTALE: it is of another
 * file, or of an older state; -EPERM: others may write it; -EPROTONOSUPPORT: of another version;
 * -EBADMSG: it is damaged; -errno.
 */
int index_open(struct index *x, const char *path, const struct index_identity *of,
	       const struct stat *st);
/* The same of a file that is open and of that size; fd becomes its own. */
int index_read(struct index *x, int fd, uint64_t size, const struct index_identity *of);
/* Calls with the number of each granule that has the key: 0, or -EBADMSG or -errno. */
typedef void index_hit(void *context, uint64_t granule);
int index_find(const struct index *x, uint32_t key, index_hit *hit, void *context);
void index_close(struct index *x);

/* How large an index of so many is. */
uint64_t index_bytes(uint64_t granules, uint64_t entries);
/* Writes x, of which fd is not used, with these entries, sorted. 0 or -errno. */
int index_write(const struct index *x, const uint64_t *entry, int fd);

/* 0: there is nothing of that name but an index. -EEXIST: there is something else; -errno. */
int index_may_take(const char *path);
/* Removes what has that name, if it is an index, or one that nobody has come to write. */
void index_unlink(const char *path);

/* For what is in memory: the same, for a test that makes up bytes. */
#define INDEX_HEADER_SIZE 128u
#define INDEX_PAGE_SIZE	  4096u
#define INDEX_PAGE	  (INDEX_PAGE_SIZE / sizeof(uint64_t) - 1) /* entries, and a checksum */
