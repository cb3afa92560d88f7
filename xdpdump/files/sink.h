/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Where bytes go: a file or standard output. What the bytes mean is not known here. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/uio.h>

/*
 * Of long pieces, what begins at a multiple of this in memory as well as in the file goes past the
 * page cache, which costs more than all else that is done for a large packet.
 */
#define SINK_ALIGNMENT 4096u

/*
 * Asked several times a second while the reader of a pipe leaves no room: for so long it has taken
 * nothing. 0: wait on, or -errno, with which the write ends. NULL: wait.
 */
struct patience {
	int (*ask)(void *arg, uint64_t idle_ns);
	void *arg;
};

struct lock_limit;

/* A function that gets what is written, in place of a file: whole blocks at a time. -errno. */
struct sink_taker {
	int (*take)(void *arg, const struct iovec *iov, int n);
	void *arg;
};

struct sink {
	int fd;
	int direct;	  /* the same file for that; 0: not possible */
	bool ours;	  /* to close; standard output is not */
	bool regular;	  /* can be cut */
	bool synced;	  /* sink_sync() was called */
	bool waits;	  /* RWF_NOWAIT is not known to it: poll() is asked */
	uint64_t base;	  /* where in a regular file our first byte went */
	uint64_t written; /* bytes of ours the kernel took, and that were not cut off again */
	struct patience patience;
	struct indexer *index;	 /* of what was written, whose owner this is; NULL: none is made */
	struct sink_taker taker; /* where take is not NULL there is no fd */
};

/*
 * Open path, emptied, and locked: -EBUSY: another xdpdump has it. fresh: a name that is ours
 * alone; what an ended xdpdump has left there is removed. -errno.
 */
int sink_open(struct sink *s, const char *path, bool fresh, const struct lock_limit *limit);
int sink_open_stdout(struct sink *s);
/* A pipe to a process of ours. The sink owns it, also on failure. */
int sink_open_pipe(struct sink *s, int fd);
void sink_open_taker(struct sink *s, struct sink_taker taker);
/* Or a socket, whose reader may go. */
bool sink_is_pipe(int fd);
/*
 * Write it all, or -errno, with s->written telling how far it came. -EINTR: the user has asked
 * twice to end; patience may give other reasons. Changes iov.
 */
int sink_write(struct sink *s, struct iovec *iov, int n);
/* Are bytes written where s->written says, so that who lowers it writes over what is there? */
bool sink_is_placed(const struct sink *s);
/* Take bytes back from the end, so that length are left. Where that cannot be done, they stay. */
void sink_cut(struct sink *s, uint64_t length);
/* Write back to the medium, which sink_close() does otherwise. -errno. */
int sink_sync(struct sink *s);
/* Errors of writing that the kernel has put off until now: -errno. May be called again. */
int sink_close(struct sink *s);
