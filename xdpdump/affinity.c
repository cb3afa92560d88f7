/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>

#include "affinity.h"
#include "report.h"

static cpu_set_t reader, others; /* of the process, as CPUs are */
static bool is_set;

/* "4" or "4-6" at *text, which goes on behind it. */
static bool parse_range(const char **text, int *from, int *to)
{
	char *end;

	if (**text < '0' || **text > '9')
		return false;
	*from = *to = (int)strtol(*text, &end, 10);
	if (*end == '-' && end[1] >= '0' && end[1] <= '9')
		*to = (int)strtol(end + 1, &end, 10);
	*text = end;
	return *from >= 0 && *from <= *to && *to < CPU_SETSIZE;
}

static bool parse_list(const char *text, cpu_set_t *all, int *first)
{
	int from, to;

	CPU_ZERO(all);
	*first = -1;
	for (;; text++) {
		if (!parse_range(&text, &from, &to))
			return false;
		if (*first < 0)
			*first = from;
		for (; from <= to; from++)
			CPU_SET(from, all);
		if (*text != ',')
			return *text == 0;
	}
}

int option_cpus(struct options *o, const char *name, const char *value)
{
	cpu_set_t all, allowed, both;
	int first;

	(void)o;
	if (!parse_list(value, &all, &first)) {
		complain("%s takes numbers and ranges, as in 2,4-6, not \"%s\"", name, value);
		return -1;
	}
	CPU_ZERO(&allowed);
	sched_getaffinity(0, sizeof(allowed), &allowed);
	CPU_AND(&both, &all, &allowed);
	if (!CPU_EQUAL(&both, &all)) {
		complain("%s %s: not all of these are there, or open to us (see: taskset -cp $$)",
			 name, value);
		return -1;
	}
	CPU_ZERO(&reader);
	CPU_SET(first, &reader);
	others = all;
	if (CPU_COUNT(&all) > 1)
		CPU_CLR(first, &others);
	is_set = true;
	return 0;
}

int affinity_reader(void)
{
	return is_set && sched_setaffinity(0, sizeof(reader), &reader) ? -errno : 0;
}

void affinity_others(pthread_attr_t *attributes)
{
	if (is_set)
		pthread_attr_setaffinity_np(attributes, sizeof(others), &others);
}
