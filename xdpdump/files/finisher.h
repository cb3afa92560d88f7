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

/* What is to be done with one file. */
struct finish {
	struct finish *next;
	struct sink sink;      /* fd -1: the file is to be removed */
	const char *temporary; /* behind the name; NULL: it has its name already */
	atomic_bool *held;     /* see finish_end(); NULL: nobody asks */
	char name[];
};

/* NULL: no memory. */
struct finish *finish_new(const char *name, const char *temporary);
/* All is done: *held becomes false, and the job is freed. */
static inline void finish_end(struct finish *job)
{
	if (job->held)
		atomic_store(job->held, false);
	free(job);
}

/* print_name as in struct file_plan; commands: what is run for each file; NULL: nothing. -errno,
 * and said. */
int finisher_open(struct finisher **f, const char *print_name, struct commands *commands);
/* This owns the job. */
void finisher_add(struct finisher *f, struct finish *job);
/* Nothing waits or is being worked on; of commands it is not asked. */
bool finisher_is_idle(struct finisher *f);
/* Do what is left, free; NULL is allowed. -1: something failed, and was told. */
int finisher_close(struct finisher *f);
