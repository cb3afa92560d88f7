/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Processes that hold sockets, or held them. Numbers are used again: the start tells which. */
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
	uint64_t ended; /* CLOCK_MONOTONIC ns; 0: it runs */
	/* Since the last exec, and before that; times of it and of the one before. */
	char command[2][WHO_COMMAND_SIZE];
	uint64_t executed, executed_before;
	uint64_t named, named_before; /* the last times that either was seen */
	uint64_t forked, moved;	      /* the last times; moved: to another control group */
	bool shares_files;	      /* with another: what one opens both hold */
	bool asked;		      /* for what follows */
	struct cgroup_names group;
	char *command_line; /* arguments with spaces between; NULL: not known */
	struct holding *holdings;
	struct process *next;
};

struct processes {
	struct process **bucket;
	unsigned count;
	uint64_t refused; /* there was no room */
};

int processes_open(struct processes *all);
void processes_close(struct processes *all);
struct process *processes_find(const struct processes *all, uint32_t pid, uint64_t start);
/* The one of this number that has not ended. */
struct process *processes_running(const struct processes *all, uint32_t pid);
/* As processes_find(), and makes it. NULL: there is no room. */
struct process *processes_get(struct processes *all, uint32_t pid, uint64_t start,
			      const char *command);
/* It has this command at that time: what tells of another one may be lost, or there is nothing. */
void process_named(struct process *p, uint64_t time, const char *command);
/* It has become another program. */
void process_executed(struct process *p, uint64_t time, const char *command);
/* Its command at that time; NULL: not known. */
const char *process_command(const struct process *p, uint64_t time);
/* Events were lost before that time: each may be another program in another group since. */
void processes_doubt(struct processes *all, uint64_t time);
/* Those that hold nothing, and have ended or were not seen since before that time, are forgotten. */
void processes_forget(struct processes *all, uint64_t before);
