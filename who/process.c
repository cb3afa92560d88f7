/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "process.h"

#define BUCKETS 4096 /* a power of two */

int processes_open(struct processes *all)
{
	*all = (struct processes){.bucket = calloc(BUCKETS, sizeof(*all->bucket))};
	return all->bucket ? 0 : -ENOMEM;
}

static void process_free(struct process *p)
{
	free(p->command_line);
	free(p);
}

void processes_close(struct processes *all)
{
	for (unsigned i = 0; i < BUCKETS && all->bucket; i++)
		while (all->bucket[i]) {
			struct process *p = all->bucket[i];

			all->bucket[i] = p->next;
			process_free(p);
		}
	free(all->bucket);
	all->bucket = NULL;
}

struct process *processes_find(const struct processes *all, uint32_t pid, uint64_t start)
{
	struct process *p = all->bucket[pid & (BUCKETS - 1)];

	while (p && (p->pid != pid || p->start != start))
		p = p->next;
	return p;
}

struct process *processes_running(const struct processes *all, uint32_t pid)
{
	struct process *p = all->bucket[pid & (BUCKETS - 1)];

	while (p && (p->pid != pid || p->ended))
		p = p->next;
	return p;
}

struct process *processes_get(struct processes *all, uint32_t pid, uint64_t start,
			      const char *command)
{
	struct process *p = processes_find(all, pid, start);
	struct process **bucket = &all->bucket[pid & (BUCKETS - 1)];

	if (p)
		return p;
	if (all->count < WHO_PROCESSES_MAX)
		p = calloc(1, sizeof(*p));
	if (!p) {
		all->refused++;
		return NULL;
	}
	p->pid = pid;
	p->start = start;
	strncpy(p->command[0], command, WHO_COMMAND_SIZE - 1);
	p->next = *bucket;
	*bucket = p;
	all->count++;
	return p;
}

void process_executed(struct process *p, uint64_t time, const char *command)
{
	memcpy(p->command[1], p->command[0], WHO_COMMAND_SIZE);
	strncpy(p->command[0], command, WHO_COMMAND_SIZE - 1);
	p->executed_before = p->executed;
	p->named_before = time;
	p->executed = p->named = time;
	p->asked = false;
}

void process_named(struct process *p, uint64_t time, const char *command)
{
	uint64_t named = p->named;

	if (time < named)
		return;
	if (named && strncmp(p->command[0], command, WHO_COMMAND_SIZE - 1)) {
		process_executed(p, time, command);
		p->named_before = named;
	}
	p->named = time;
}

const char *process_command(const struct process *p, uint64_t time)
{
	if (time >= p->executed)
		return p->command[0];
	return time >= p->executed_before && time <= p->named_before ? p->command[1] : NULL;
}

void processes_doubt(struct processes *all, uint64_t time)
{
	char command[WHO_COMMAND_SIZE];

	for (unsigned i = 0; i < BUCKETS; i++)
		for (struct process *p = all->bucket[i]; p; p = p->next) {
			memcpy(command, p->command[0], sizeof(command));
			process_executed(p, time, command);
			p->moved = time;
			p->group = (struct cgroup_names){.path = ""};
		}
}

/*
 * If events were lost, its end may not have been reported: then it was not seen. A process that
 * shares its descriptors counts before it has any socket.
 */
static bool is_old(const struct process *p, uint64_t before)
{
	if (p->holdings)
		return false;
	return p->ended ? p->ended < before : p->named < before && !p->shares_files;
}

void processes_forget(struct processes *all, uint64_t before)
{
	for (unsigned i = 0; i < BUCKETS; i++)
		for (struct process **at = &all->bucket[i]; *at;) {
			struct process *p = *at;

			if (!is_old(p, before)) {
				at = &p->next;
				continue;
			}
			*at = p->next;
			process_free(p);
			all->count--;
		}
}
