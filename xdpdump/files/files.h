/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The files of a capture. Where there can be several, each has a temporary name until it is
 * complete. Other threads do what takes long then, writing back to the medium and the user's
 * command, so that the reader of packets is not held up. It complains itself.
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

/* Returns 0, or -errno after a complaint. */
int files_open(struct files **f, const struct file_plan *p);
/*
 * A file begins. *path is where to write it, and is valid until the next file begins. Makes room by
 * removing the oldest files whose commands have ended. bytes: the size, with its index, of the file
 * that is still being written. Returns 0; -EBUSY: there is no room before a command has ended; or
 * another -errno after a complaint.
 */
int files_begin(struct files *f, uint64_t time, uint64_t bytes, const char **path);
/* Wait until a command ends, but no longer than ms. Only if there are commands. */
void files_wait(struct files *f, unsigned ms);
/* The first call tells how many commands still run or wait, if any. Only if there are commands. */
void files_tell_commands(struct files *f);
/* The last block of the older of the open files was written. Takes over *s, whose fd becomes -1. */
void files_end(struct files *f, struct sink *s, uint64_t packets);
/* Forget the file that began last. made: it exists, and is removed. */
void files_drop(struct files *f, bool made);
/* bytes, and the largest index that a file of length bytes before compression can have. */
uint64_t files_with_index(const struct file_plan *p, uint64_t bytes, uint64_t length);
/*
 * Remove old files until the files take no more of the disk than is allowed. bytes: the size, with
 * its index, of the file being written. Returns 0; -EBUSY: one can be removed once its command has
 * ended; -ENOSPC: there is none to remove.
 */
int files_fit_disk(struct files *f, uint64_t bytes);
void files_stats(const struct files *f, struct files_stats *s);
/* Free bytes on the file system of the file with this name, which need not exist; 0: not known. */
uint64_t files_disk_left(const char *name);
/* The name that the file being written will have. */
const char *files_name(const struct files *f);
/*
 * Wait until all files are finished and their commands have ended; NULL is allowed. Tells of
 * commands and ends them as commands_close() does. Returns 0, or -1 if something failed.
 */
int files_close(struct files *f);
