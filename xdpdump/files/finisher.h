/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* A thread that brings finished files to the medium, and then gives them their names. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "sink.h"

struct commands;
struct finisher;

/* A finished file, and what is to be done with it. */
struct finish {
	struct finish *next, *next_kept; /* in the queue of a crew; in the list of files.c */
	struct sink sink;
	const char *temporary; /* its present name, stored behind name; NULL: name */
	uint64_t packets, bytes;
	atomic_bool done;  /* its command has ended, too */
	bool goes;	   /* to be removed once it is done; under the lock of the finisher */
	atomic_uint users; /* how many hold this; the last one frees it */
	char name[];
};

/* Returns a job with one user, or NULL without memory. */
struct finish *finish_new(const char *name, const char *temporary);
static inline void finish_leave(struct finish *job)
{
	if (atomic_fetch_sub(&job->users, 1) == 1)
		free(job);
}
/* All work on the file is done, and this user lets go of it. */
static inline void finish_end(struct finish *job)
{
	atomic_store(&job->done, true);
	finish_leave(job);
}

/*
 * print_name: as in struct file_plan. commands: run for each file; NULL: none. Returns 0, or -errno
 * after a complaint.
 */
int finisher_open(struct finisher **f, const char *print_name, struct commands *commands);
/* Takes over the job from the caller. */
void finisher_add(struct finisher *f, struct finish *job);
/* Remove the file of a job that was added before. If it has a command, that must have ended. */
void finisher_remove(struct finisher *f, struct finish *job);
/* Is no job waiting or being worked on? Commands that still run do not count. */
bool finisher_is_idle(struct finisher *f);
/* Finish all jobs and free; NULL is allowed. Returns 0, or -1 if anything failed, and was told. */
int finisher_close(struct finisher *f);
