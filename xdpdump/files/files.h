/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The files of a capture. Where there can be several, each has a temporary name until it is whole;
 * what takes long then, writing back to the medium and the user's command, is done by other
 * threads, so that the reader of packets goes on. Complains itself.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "xdpdump/plan/plan.h"

struct files;
struct sink;

struct files_stats {
	uint64_t begun, removed, removed_packets;
};

/* -errno, and said. */
int files_open(struct files **f, const struct file_plan *p);
/*
 * A file begins: *path is where to write it, good until the next one begins. Makes room for it by
 * the removal of the oldest files whose command has ended; so many bytes has the file that is being
 * written and has not ended, with its index. -EBUSY: there is no room before a command has ended;
 * else -errno if there is no name for it, and said.
 */
int files_begin(struct files *f, uint64_t time, uint64_t bytes, const char **path);
/* Until a command has ended, or for so long. */
void files_wait(struct files *f, unsigned ms);
/* Once: how many commands are waited for, unless it is none. */
void files_tell_commands(struct files *f);
/* The file that began before the newest has its last block. This owns the sink from now on. */
void files_end(struct files *f, struct sink *s, uint64_t packets);
/* The file that has begun last is not to be; made: there is one, to be removed. */
void files_drop(struct files *f, bool made);
/* Of a file: with the most that its index can have; length: before compression. */
uint64_t files_with_index(const struct file_plan *p, uint64_t bytes, uint64_t length);
/*
 * Removes old files until the disk holds no more than is allowed, bytes of the file being written,
 * and of its index, among it. -EBUSY: there will be one to remove when its command has ended;
 * -ENOSPC: there is none.
 */
int files_fit_disk(struct files *f, uint64_t bytes);
void files_stats(const struct files *f, struct files_stats *s);
/* Of the file system that a file of this name is on, or goes to; 0: not known. */
uint64_t files_disk_left(const char *name);
/* The name the file being written will have. */
const char *files_name(const struct files *f);
/*
 * Wait until all is done, commands are told of and ended as command.h says; NULL is allowed.
 * -1: something failed.
 */
int files_close(struct files *f);
