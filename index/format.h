/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The index of a file as it is on disk: docs/index-format.md. Nothing else reads or writes one.
 * Reading an index takes no more memory than its size, and damage in it is noticed.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#define INDEX_ENDING ".idx"
#define INDEX_PART   ".idx.part" /* until it is complete */

/* Identifies the file that an index is for. */
struct index_identity {
	uint64_t size, changed; /* changed: in ns */
	uint64_t head;		/* hash of the file's first bytes */
};

#define INDEX_ENTRIES  (1u << 24) /* per file; 128 MiB of memory, twice that while sorting */
#define INDEX_GRANULES (1u << 20) /* per file; 48 MiB. The last one has the rest of the file */

#define GRANULE_SCAN   1u /* its keys are not in the index */
#define GRANULE_OTHERS 2u /* it has other blocks than packets, which later granules need */

/* Whole blocks of about a MiB. first and last: times in ns. */
struct index_granule {
	uint64_t position; /* offset of its first block in the uncompressed file */
	uint64_t start;	   /* where to begin to read in the file */
	uint64_t skip;	   /* how many uncompressed bytes to skip from there */
	uint64_t first, last;
	uint64_t flags;
};

struct index {
	struct index_identity of;
	uint64_t first, last, packets;
	struct index_granule *granule;
	uint64_t granules;
	uint64_t *page; /* the first entry of each page */
	uint64_t pages;
	uint64_t entries; /* number of entries, while the index is built */
	int fd;		  /* of the index file; -1: none */
};

/* An entry is key << 32 | number of the granule. */

/* Identifies an open file. Returns 0 or -errno. */
int index_identify(struct index_identity *to, int fd, struct stat *st);
/*
 * Opens the index of the file that has this identity. Returns 0; -ENOENT: it has no index; -ESTALE:
 * the index is for another file, or an older state of it; -EPERM: others may write the index;
 * -EPROTONOSUPPORT: it has another version; -EBADMSG: it is damaged; or another -errno.
 */
int index_open(struct index *x, const char *path, const struct index_identity *of,
	       const struct stat *st);
/* The same for an index that is open and of that size; the index owns fd from now on. */
int index_read(struct index *x, int fd, uint64_t size, const struct index_identity *of);
/* Calls hit() with the number of each granule that has the key. Returns 0, -EBADMSG or another
 * -errno. */
typedef void index_hit(void *context, uint64_t granule);
int index_find(const struct index *x, uint32_t key, index_hit *hit, void *context);
void index_close(struct index *x);

/* Size in bytes of an index with so many granules and entries. */
uint64_t index_bytes(uint64_t granules, uint64_t entries);
/* Writes the index x (its fd is not used) with these sorted entries to fd. Returns 0 or -errno. */
int index_write(const struct index *x, const uint64_t *entry, int fd);

/* May an index get that name? Returns 0 if nothing else has it; -EEXIST if something has; or
 * another -errno. */
int index_may_take(const char *path);
/* Removes the file of that name if it is an index or empty. */
void index_unlink(const char *path);

/* Sizes on disk, and for a test that makes up bytes. */
#define INDEX_HEADER_SIZE 128u
#define INDEX_PAGE_SIZE	  4096u
#define INDEX_PAGE	  (INDEX_PAGE_SIZE / sizeof(uint64_t) - 1) /* entries; then a checksum */
