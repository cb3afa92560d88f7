/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Sections on disk, until the brokers take them: ordinary pcapng files, the oldest first. A section
 * is spooled once it has been synchronised. A file goes when all of it is acknowledged; what a
 * program that ended left in the folder is sent by the next one.
 */
#pragma once

#include <sys/types.h>

#include "util/buffer.h"
#include "kafka/label.h"

#define SPOOL_FILE_SIZE (32u << 20) /* of one file, about */

struct spool_file;

struct spool {
	int folder; /* -1: there is no spool */
	const char *name;
	uint64_t most, used; /* bytes of files */
	struct spool_file *first, *last;
	uint64_t first_number; /* of files of this run */
	struct spool_file *writing;
	int written;	   /* that file; -1: none */
	uint64_t packets;  /* in files, of this run, not acknowledged */
	uint64_t earlier;  /* the same of runs before */
	uint64_t kept;	   /* in files, also acknowledged: a file goes as a whole */
	bool is_unclaimed; /* it has sections for a cluster, which may be another one than ours */
	bool complained;
	bool is_damaged; /* something of a file could not be read again */
};

/*
 * dir_size: DIR:SIZE, or DIR:SIZE/N for one of N that share the size, whose folder is made where it
 * is missing. 0, or -1 after a complaint.
 */
int spool_open(struct spool *s, const char *dir_size);
/* Whether sections wait in it that have not been handed out. */
bool spool_has_unsent(const struct spool *s);
/*
 * 0: it is on disk. Negative: it is not, as there is no room, or the disk failed. order: sections
 * of this run, of all streams, are handed out by it, whenever they come.
 */
int spool_add(struct spool *s, const uint8_t *section, size_t length, uint64_t packets,
	      uint64_t order);
bool spool_has_room(const struct spool *s, size_t length);
/*
 * The section that was just added, all in front of it having been handed out, counts as handed out,
 * too: its file.
 */
struct spool_file *spool_taken(struct spool *s, size_t length);
/* The oldest section that has not been handed out: its file, which spool_done() wants; NULL: none.
 */
struct spool_file *spool_next(struct spool *s, struct buffer *section, struct label *l);
/* When its oldest file was begun, monotonic; 0: there is none. */
uint64_t spool_since(const struct spool *s);
bool spool_is_earlier(const struct spool_file *f);
/* It could not be sent: hand it out again. */
void spool_back(struct spool_file *f, size_t length);
/* Acknowledged. The file is gone with its last section. */
void spool_done(struct spool *s, struct spool_file *f, uint64_t packets);
void spool_close(struct spool *s);
/* All of it, from there on in the file, is on the disk: 0, or -errno. */
int spool_write(int fd, const uint8_t *p, size_t n, off_t at);
