/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* A thread that brings finished files to the medium and to their names, one after the other. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "sink.h"

struct commands;
struct finisher;

/* A finished file, and what is to be done with it. */
struct finish {
	struct finish *next, *next_kept; /* for who works on it; of those that files.c keeps */
	struct sink sink;
	const char *temporary; /* its name so far, behind the other; NULL: it has that */
	uint64_t packets, bytes;
	atomic_bool done;  /* and so is its command */
	bool goes;	   /* it is removed then: under the lock of the finisher */
	atomic_uint users; /* who have this */
	char name[];
};

/* With one user. NULL: no memory. */
struct finish *finish_new(const char *name, const char *temporary);
static inline void finish_leave(struct finish *job)
{
	if (atomic_fetch_sub(&job->users, 1) == 1)
		free(job);
}
/* All is done by this user. */
static inline void finish_end(struct finish *job)
{
	atomic_store(&job->done, true);
	finish_leave(job);
}

/* print_name as in struct file_plan; commands: what is run for each file; NULL: nothing. -errno,
 * and said. */
int finisher_open(struct finisher **f, const char *print_name, struct commands *commands);
/* This is its user from now on. */
void finisher_add(struct finisher *f, struct finish *job);
/* Of one that was added, whose command, if it has one, has ended: the file is to be removed. */
void finisher_remove(struct finisher *f, struct finish *job);
/* Nothing waits or is being worked on; of commands it is not asked. */
bool finisher_is_idle(struct finisher *f);
/* Do what is left, free; NULL is allowed. -1: something failed, and was told. */
int finisher_close(struct finisher *f);
