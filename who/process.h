/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Processes that hold or held sockets. Pids are reused: pid and start time together identify
 * one. */
#pragma once

#include <linux/types.h>
#include <stdbool.h>
#include <stdint.h>

#include "container.h"
#include "event.h"

#define WHO_COMMAND_LINE_SIZE 4096
#define WHO_PROCESSES_MAX     65536

struct holding;

struct process {
	uint32_t pid;
	uint64_t start; /* CLOCK_BOOTTIME ns */
	uint64_t ended; /* CLOCK_MONOTONIC ns; 0: it is running */
	/* Since the last exec, and before it; the times of that exec and of the previous one. */
	char command[2][WHO_COMMAND_SIZE];
	uint64_t executed, executed_before;
	uint64_t named, named_before; /* when each of the two commands was last seen */
	uint64_t forked, moved;	      /* the last times; moved: to another control group */
	bool shares_files; /* with another process: a descriptor that one opens, both hold */
	bool asked;	   /* the following were asked for */
	struct cgroup_names group;
	char *command_line; /* arguments, separated by blanks; NULL: not known */
	struct holding *holdings;
	struct process *next;
};

struct processes {
	struct process **bucket;
	unsigned count;
	uint64_t refused; /* how many did not fit */
};

int processes_open(struct processes *all);
void processes_close(struct processes *all);
struct process *processes_find(const struct processes *all, uint32_t pid, uint64_t start);
/* Finds the process with this pid that has not ended. */
struct process *processes_running(const struct processes *all, uint32_t pid);
/* As processes_find(), but creates it if it is not there. NULL: there is no room. */
struct process *processes_get(struct processes *all, uint32_t pid, uint64_t start,
			      const char *command);
/* It has this command at that time. Call it because an event about that may be lost, or there is
 * none. */
void process_named(struct process *p, uint64_t time, const char *command);
/* It has executed another program. */
void process_executed(struct process *p, uint64_t time, const char *command);
/* Its command at that time; NULL: not known. */
const char *process_command(const struct process *p, uint64_t time);
/* Events before that time were lost: since then, each process may have executed another program, or
 * moved to another group. */
void processes_doubt(struct processes *all, uint64_t time);
/* Forget those that hold nothing, and have ended before that time, or were not seen since. */
void processes_forget(struct processes *all, uint64_t before);
