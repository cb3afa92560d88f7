/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* A thread that brings finished files to the medium and to their names, one after the other. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

#include "sink.h"

struct commands;
struct finisher;

/* One file; it owns the strings, and frees them. */
struct finish {
	struct sink sink; /* fd -1: the file is to be removed */
	char *temporary;  /* NULL: it has its name already */
	char *name;
	atomic_bool *held; /* becomes false once it is whole and its command has ended; NULL: nobody
			      asks */
};

/* print_name as in struct file_plan; commands: what is run for each file; NULL: nothing. -errno,
 * and said. */
int finisher_open(struct finisher **f, const char *print_name, struct commands *commands);
void finisher_add(struct finisher *f, const struct finish *job);
/* Nothing waits or is being worked on; of commands it is not asked. */
bool finisher_is_idle(struct finisher *f);
/* Do what is left, free; NULL is allowed. -1: something failed, and was told. */
int finisher_close(struct finisher *f);
