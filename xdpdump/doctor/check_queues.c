/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <dirent.h>
#include <errno.h>
#include <linux/ethtool.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "measure.h"
#include "patient.h"
#include "util/line.h"
#include "xdpdump/os/affinity.h"

#define TABLE_MAX  4096 /* entries of an indirection table; devices have 128 to 2048 */
#define QUEUES_MAX 1024
#define LIST_SIZE  256

enum result check_queues(const struct patient *p, struct finding *f)
{
	const struct queues *q = &p->queues;
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	unsigned useful = (long)q->most > cpus && cpus > 0 ? (unsigned)cpus : q->most;
	bool is_virtual = p->plan.interface.kind[0]; /* these do not spread a load */

	if (q->now >= useful || is_virtual)
		return say(RESULT_OK, f, "%u for reception%s", q->now,
			   q->now < q->most ? ", more are possible" : "");
	remedy(p, f, "ethtool -L %s %s %u", p->name, q->kind, useful);
	return say(RESULT_WARNING, f, "%u for reception; %u would let all CPUs work on what comes",
		   q->now, useful);
}

struct table {
	struct ethtool_rxfh_indir head;
	uint32_t queue[TABLE_MAX];
};

/* Entries of the table for each queue. Returns false where the device has no table. */
static bool count_entries(const struct patient *p, unsigned entries[QUEUES_MAX], unsigned *total)
{
	struct table t = {.head = {.cmd = ETHTOOL_GRXFHINDIR}};

	if (patient_ethtool(p, &t) || !t.head.size || t.head.size > TABLE_MAX)
		return false; /* asked with a size of 0, it tells the size */
	t.head.cmd = ETHTOOL_GRXFHINDIR;
	if (patient_ethtool(p, &t) || t.head.size > TABLE_MAX)
		return false;
	memset(entries, 0, QUEUES_MAX * sizeof(*entries));
	for (unsigned i = 0; i < t.head.size; i++)
		if (t.queue[i] < QUEUES_MAX)
			entries[t.queue[i]]++;
	*total = t.head.size;
	return true;
}

enum result check_spread(const struct patient *p, struct finding *f)
{
	unsigned queues = p->queues.now, entries[QUEUES_MAX], total, least = UINT32_MAX, most = 0;

	if (queues < 2)
		return say(RESULT_OK, f, "one queue: nothing to spread");
	if (queues > QUEUES_MAX || !count_entries(p, entries, &total))
		return say(RESULT_OK, f, "the driver has no table of it");
	for (unsigned i = 0; i < queues; i++) {
		least = entries[i] < least ? entries[i] : least;
		most = entries[i] > most ? entries[i] : most;
	}
	/* A table that is no multiple of the queues differs by one. */
	if (most - least <= 1)
		return say(RESULT_OK, f, "even over %u queues", queues);
	remedy(p, f, "ethtool -X %s equal %u", p->name, queues);
	return say(RESULT_WARNING, f,
		   "uneven: of %u entries a queue has %u to %u, and so of the flows", total, least,
		   most);
}

static void add_list(const char *list, cpu_set_t *set)
{
	cpu_set_t these;
	int first;

	if (affinity_parse(list, &these, &first))
		CPU_OR(set, set, &these);
}

static void print_list(const cpu_set_t *set, char *list, size_t size)
{
	list[0] = 0;
	for (int i = 0; i < CPU_SETSIZE; i++) {
		int from = i;

		if (!CPU_ISSET(i, set))
			continue;
		while (i + 1 < CPU_SETSIZE && CPU_ISSET(i + 1, set))
			i++;
		snprintf(list + strlen(list), size - strlen(list), i > from ? "%s%d-%d" : "%s%d",
			 list[0] ? "," : "", from, i);
	}
}

/* Excludes interrupts known to be for other things than received frames, because drivers have no
 * common names for those that are. */
static bool is_for_reception(const char *names)
{
	static const char *const others[] = {"config",	  "output", "-tx-",   "control",
					     "async",	  "event",  "mbx",    "fdir",
					     "-mgmnt@",	  ":misc",  "-misc-", ":ctrl",
					     ":ll_ts",	  " Mbox",  "_hwc@",  "-Mailbox-",
					     "-qset-err", "-rbdr-", "-sq-",   "-qerr",
					     "-lsc",	  "-exn",   "-vfmsg", "-adminq",
					     "hinic_aeq"};

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (strstr(names, others[i]))
			return false;
	return names[0] != 0;
}

/*
 * Add the CPUs that take interrupts of the device. For virtio, the interrupts belong to the parent
 * device. If others are for its queues, an interrupt with just the interface's name is for its link
 * (igb).
 */
static void add_interrupts(const char *folder, const char *ifname, cpu_set_t *set)
{
	DIR *d = opendir(folder);
	struct dirent *e;
	cpu_set_t plain;

	CPU_ZERO(&plain);
	while (d && (e = readdir(d))) {
		char path[300], names[256], list[LIST_SIZE];

		snprintf(path, sizeof(path), "/sys/kernel/irq/%s/actions", e->d_name);
		if (e->d_name[0] == '.' || !line_of(path, NULL, names, sizeof(names)) ||
		    !is_for_reception(names))
			continue;
		snprintf(path, sizeof(path), "/proc/irq/%s/effective_affinity_list", e->d_name);
		if (line_of(path, NULL, list, sizeof(list)))
			add_list(list, strcmp(names, ifname) == 0 ? &plain : set);
	}
	if (d)
		closedir(d);
	if (CPU_COUNT(set) == 0)
		*set = plain;
}

static void find_interrupts(const struct patient *p, cpu_set_t *set)
{
	char folder[128];

	CPU_ZERO(set);
	snprintf(folder, sizeof(folder), "/sys/class/net/%s/device/msi_irqs", p->name);
	add_interrupts(folder, p->name, set);
	if (CPU_COUNT(set))
		return;
	snprintf(folder, sizeof(folder), "/sys/class/net/%s/device/../msi_irqs", p->name);
	add_interrupts(folder, p->name, set);
}

/* Among the CPUs that the reader may run on there should be one that handles no frames. */
static enum result judge_cpus(const struct patient *p, struct finding *f, const cpu_set_t *busy,
			      const cpu_set_t *allowed)
{
	cpu_set_t all, both, left;
	char busy_list[LIST_SIZE], list[LIST_SIZE];

	CPU_ZERO(&all);
	if (line_of("/sys/devices/system/cpu/online", NULL, list, sizeof(list)))
		add_list(list, &all);
	print_list(busy, busy_list, sizeof(busy_list));
	CPU_AND(&both, allowed, busy);
	CPU_XOR(&left, allowed, &both);
	print_list(&left, list, sizeof(list));
	if (list[0])
		return say(RESULT_OK, f, "frames are handled on %s; the reader has %s for itself",
			   busy_list, list);
	CPU_AND(&both, &all, busy);
	CPU_XOR(&left, &all, &both);
	print_list(&left, list, sizeof(list));
	if (list[0])
		remedy(p, f, "taskset -c %s %s -i %s", list, program_invocation_short_name,
		       p->name);
	else
		remedy(p, f, "ethtool -L %s %s 1", p->name, p->queues.kind);
	return say(RESULT_WARNING, f,
		   "frames are handled on %s, and the reader may run nowhere else: they take turns",
		   busy_list);
}

enum result check_cpus(const struct patient *p, struct finding *f)
{
	cpu_set_t busy, allowed;
	uint64_t n;

	if (!measure_interface(p, "ifindex", &n))
		return say(RESULT_OK, f, "not known: /sys is not of this network namespace");
	if (measure_interface(p, "threaded", &n) && n == 1)
		return say(RESULT_OK, f,
			   "frames are handled by threads of the kernel, which the scheduler places");
	find_interrupts(p, &busy);
	if (CPU_COUNT(&busy) == 0)
		return say(RESULT_OK, f,
			   "no interrupts of its own: frames are handled where they are sent");
	CPU_ZERO(&allowed);
	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		return RESULT_NOT_APPLICABLE;
	return judge_cpus(p, f, &busy, &allowed);
}
