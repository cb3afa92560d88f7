/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <stdio.h>
#include <string.h>

#include "xdpdump/os/complain.h"
#include "capture/afxdpcapture.h"
#include "option_values.h"
#include "options.h"
#include "row.h"
#include "who/choice.h"
#include "xdpdump/files/zstd_file.h"

/* The limits of the library's option. */
#define PRE_TRIGGER_MIN (1u << 20)
#define PRE_TRIGGER_MAX (240u << 20)

#define FILES_MAX 100000u

/* The value is LEVEL, "seekable", or both with a comma between them. */
int option_zstd(struct options *o, const char *name, const char *value)
{
	static const char word[] = "seekable";
	uint64_t level = ZSTD_LEVEL_DEFAULT;
	char number[32];
	const char *comma = value ? strchr(value, ',') : NULL;

	if (!zstd_is_built())
		return refuse(-1, "%s: this xdpdump was built without libzstd", name);
	o->zstd_seekable = value && strcmp(comma ? comma + 1 : value, word) == 0;
	if (o->zstd_seekable && comma) {
		snprintf(number, sizeof(number), "%.*s", (int)(comma - value), value);
		value = number;
	}
	if (value && (comma || !o->zstd_seekable) &&
	    value_number(&level, name, value, 1, ZSTD_LEVEL_MAX))
		return -1;
	o->zstd_level = (int)level;
	return 0;
}

int option_who(struct options *o, const char *name, const char *value)
{
	if (value && strcmp(value, "cmdline") != 0)
		return refuse(-1, "%s takes nothing or =cmdline, not \"%s\"", name, value);
	o->who = value ? WHO_COMMAND_LINES : WHO_NAMES;
	return 0;
}

/* A choice of processes includes --who. If the choice is not valid, tell the user. */
static int choose(struct options *o, const char *name, struct choice *c, int e, const char *err)
{
	if (e)
		complain("%s: %s", name, err);
	else
		choice_free(c);
	if (o->who == WHO_NOT)
		o->who = WHO_NAMES;
	return e ? -1 : 0;
}

int option_process(struct options *o, const char *name, const char *value)
{
	char err[AFXDP_ERROR_SIZE];
	struct choice *c = NULL;
	int e;

	if (o->processes)
		return refuse(-1,
			      "%s is given twice: give all names and numbers at once, as in %s nginx,1234",
			      name, name);
	e = choice_of_processes(&c, value, false, err, sizeof(err));
	o->processes = value;
	return choose(o, name, c, e, err);
}

int option_cgroup(struct options *o, const char *name, const char *value)
{
	char err[AFXDP_ERROR_SIZE];
	struct choice *c = NULL;
	int e;

	if (o->cgroup)
		return refuse(-1,
			      "%s is given twice, and takes one group: give one that is above both",
			      name);
	e = choice_of_group(&c, value, err, sizeof(err));
	o->cgroup = value;
	return choose(o, name, c, e, err);
}

int option_drops(struct options *o, const char *name, const char *value)
{
	o->drops_summary = value && strcmp(value, "summary") == 0;
	if (value && !o->drops_summary && strcmp(value, "only") != 0)
		return refuse(-1, "%s takes nothing, =only or =summary, not \"%s\"", name, value);
	o->drops = value ? DROPS_ONLY : DROPS_TOO;
	return 0;
}

/* The kernel's type information tells if it has these reasons; all users may read it. */
int option_drop_reasons(struct options *o, const char *name, const char *value)
{
	char list[16384] = "", err[AFXDP_ERROR_SIZE];

	o->source.drop_reasons = value;
	if (afxdp_check_drop_reasons(value, list, sizeof(list), err, sizeof(err)) == 0)
		return 0;
	return refuse(-1, "%s: %s%s%s", name, err, list[0] ? "; it has " : "", list);
}

int option_decode(struct options *o, const char *name, const char *value)
{
	(void)name;
	o->decode = value ? value : "tcpdump";
	return 0;
}

int option_pre_trigger(struct options *o, const char *name, const char *value)
{
	if (value_size(&o->source.pre_trigger, name, value, 1))
		return -1;
	if (o->source.pre_trigger >= PRE_TRIGGER_MIN && o->source.pre_trigger <= PRE_TRIGGER_MAX)
		return 0;
	return refuse(-1, "%s takes a size from 1M to 240M, of each CPU, not \"%s\"", name, value);
}

int option_trigger(struct options *o, const char *name, const char *value)
{
	if (value[strspn(value, " \t")]) {
		o->source.trigger = value;
		return 0;
	}
	return refuse(-1, "%s needs a filter expression", name);
}

#define TO(member) .at = offsetof(struct limits, member)
/* The conditions that end a file. All but the last can also end a capture. */
static const struct row conditions[] = {
	{.name = "duration", .set = row_seconds, TO(duration)},
	{.name = "filesize", .set = row_size, .value = 1000, TO(bytes)},
	{.name = "files", .set = row_count, .most = FILES_MAX, TO(files)},
	{.name = "packets", .set = row_count, .most = INT64_MAX, TO(packets)},
	{.name = "interval", .set = row_whole_seconds, TO(interval)},
};
#define CONDITIONS (sizeof(conditions) / sizeof(conditions[0]))

/* Set a condition such as "duration:10" from the first rows of the table. at: the offset of the
 * struct limits. */
static int set_condition(struct options *o, size_t at, size_t rows, const char *known,
			 const char *name, const char *value)
{
	size_t n = strcspn(value, ":");
	char full[64];

	for (size_t i = 0; i < rows && value[n]; i++) {
		struct row c = conditions[i];

		if (strlen(c.name) != n || strncmp(c.name, value, n) != 0)
			continue;
		snprintf(full, sizeof(full), "%s %s", name, c.name);
		c.at += at;
		return c.set(o, &c, full, value + n + 1);
	}
	return refuse(-1, "%s takes %s, a colon and a value, not \"%s\"", name, known, value);
}

int option_stop(struct options *o, const char *name, const char *value)
{
	return set_condition(o, offsetof(struct options, stop), CONDITIONS - 1,
			     "duration, filesize, files or packets", name, value);
}

int option_rotation(struct options *o, const char *name, const char *value)
{
	static const char printname[] = "printname:";

	o->files.dumpcap_names = true;
	if (strncmp(value, printname, sizeof(printname) - 1) != 0)
		return set_condition(o, offsetof(struct options, files.each), CONDITIONS,
				     "duration, filesize, files, packets, interval or printname",
				     name, value);
	o->files.print_name = value + sizeof(printname) - 1;
	if (*o->files.print_name)
		return 0;
	return refuse(-1, "%s printname needs a file, or - for standard output", name);
}
