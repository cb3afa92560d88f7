/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Where bytes go: a file, a pipe or a function. It does not know what they mean. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/uio.h>

/*
 * Long pieces are written with O_DIRECT where they have the same offset modulo this in memory and
 * file, because the page cache costs more than all other work for a large packet.
 */
#define SINK_ALIGNMENT 4096u

/*
 * While a pipe is full, ask() is called several times a second with how long it has been. 0: wait
 * on; -errno: end the write with that. NULL: wait until the user has asked twice to end.
 */
struct patience {
	int (*ask)(void *arg, uint64_t idle_ns);
	void *arg;
};

struct lock_limit;

/* A function that gets whole blocks in place of a file. Returns 0 or -errno. */
struct sink_taker {
	int (*take)(void *arg, const struct iovec *iov, int n);
	void *arg;
};

struct sink {
	int fd;
	int direct;	  /* the same file, opened with O_DIRECT; 0: not possible */
	bool ours;	  /* we close fd; standard output is not ours */
	bool regular;	  /* a regular file, which can be truncated */
	bool synced;	  /* sink_sync() was called */
	bool waits;	  /* fd does not support RWF_NOWAIT: poll() comes first */
	uint64_t base;	  /* where our first byte went in a regular file */
	uint64_t written; /* bytes that the kernel took, less what was cut off again */
	struct patience patience;
	struct indexer *index;	 /* of what is written; ours; NULL: none */
	struct sink_taker taker; /* if take is not NULL, there is no fd */
};

/*
 * Open path, lock and empty it. -EBUSY: another xdpdump has it. fresh: only we use this name, so a
 * left-over is removed. limit: see lock.h. Returns 0 or -errno.
 */
int sink_open(struct sink *s, const char *path, bool fresh, const struct lock_limit *limit);
int sink_open_stdout(struct sink *s);
/* A pipe to one of our processes. The sink owns fd, also on failure. 0 or -errno. */
int sink_open_pipe(struct sink *s, int fd);
void sink_open_taker(struct sink *s, struct sink_taker taker);
/* Is it a pipe or a socket, whose reader may go away? */
bool sink_is_pipe(int fd);
/*
 * Write everything; changes iov. Returns 0 or -errno, and s->written tells how far it came. -EINTR:
 * the user has asked twice to end; patience may give other errors.
 */
int sink_write(struct sink *s, struct iovec *iov, int n);
/* Are bytes written at the offset s->written, so that lowering it overwrites what is there? */
bool sink_is_placed(const struct sink *s);
/* Truncate what was written to length. Where that cannot be done, it stays. */
void sink_cut(struct sink *s, uint64_t length);
/* Flush to the medium, which sink_close() does otherwise. Returns 0 or -errno. */
int sink_sync(struct sink *s);
/* Returns 0, or -errno of a write that the kernel reports only now. May be called again. */
int sink_close(struct sink *s);
