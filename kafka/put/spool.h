/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Keeps sections on disk until the brokers take them: ordinary pcapng files, the oldest first. A
 * section counts as spooled when it is synchronised to disk. A file is removed when all of it is
 * acknowledged. What a run leaves in the folder is sent by the next one.
 */
#pragma once

#include <sys/types.h>

#include "util/buffer.h"
#include "kafka/label.h"

#define SPOOL_FILE_SIZE (32u << 20) /* approximate size of a file */

struct spool_file;

struct spool {
	int folder; /* -1: there is no spool */
	const char *name;
	uint64_t most, used; /* bytes: the limit for all files, and what they have now */
	struct spool_file *first, *last;
	uint64_t first_number; /* number of this run's first file */
	struct spool_file *writing;
	int written;	   /* descriptor of that file; -1: none */
	uint64_t packets;  /* packets of this run in files, not acknowledged */
	uint64_t earlier;  /* the same of earlier runs */
	uint64_t kept;	   /* packets in files, also acknowledged: a file goes as a whole */
	bool is_unclaimed; /* it has sections for a cluster that may not be ours */
	bool complained;
	bool is_damaged; /* part of a file could not be read */
};

/*
 * dir_size: DIR:SIZE; or DIR:SIZE/N for one of N spools that share the size: then DIR is created if
 * it is missing. Returns 0, or -1 after an error message.
 */
int spool_open(struct spool *s, const char *dir_size);
/* Does it have sections that spool_next() has not handed out? */
bool spool_has_unsent(const struct spool *s);
/*
 * Returns 0 if the section is on disk; negative if there is no room or the disk failed. order:
 * sections of this run, of all streams, are handed out in this order, whenever they are added.
 */
int spool_add(struct spool *s, const uint8_t *section, size_t length, uint64_t packets,
	      uint64_t order);
bool spool_has_room(const struct spool *s, size_t length);
/* The section just added counts as handed out; all before it must have been. Returns its file. */
struct spool_file *spool_taken(struct spool *s, size_t length);
/* Hands out the oldest section that has not been handed out. Returns its file, for spool_done(), or
 * NULL if there is none. */
struct spool_file *spool_next(struct spool *s, struct buffer *section, struct label *l);
/* When the oldest file was begun, monotonic; 0: there is none. */
uint64_t spool_since(const struct spool *s);
bool spool_is_earlier(const struct spool_file *f);
/* The section just handed out could not be sent: hand it out again. */
void spool_back(struct spool_file *f, size_t length);
/* A section is acknowledged. The file is removed with its last section. */
void spool_done(struct spool *s, struct spool_file *f, uint64_t packets);
void spool_close(struct spool *s);
/* Writes n bytes at that offset, and synchronises them to disk. Returns 0 or -errno. */
int spool_write(int fd, const uint8_t *p, size_t n, off_t at);
