/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <stdio.h>
#include <string.h>

#include "xdpdump/os/complain.h"
#include "option_output.h"
#include "option_values.h"
#include "options.h"
#include "xdpdump/files/zstd_file.h"

#define PRE_TRIGGER_MIN (1u << 20) /* holds any record several times */

/* LEVEL, seekable, or both with a comma in between. */
int option_zstd(struct options *o, const char *name, const char *value)
{
	static const char word[] = "seekable";
	uint64_t level = ZSTD_LEVEL_DEFAULT;
	char number[32];
	const char *comma = value ? strchr(value, ',') : NULL;

	if (!zstd_is_built()) {
		complain("%s: this xdpdump was built without libzstd", name);
		return -1;
	}
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

int option_decode(struct options *o, const char *name, const char *value)
{
	(void)name;
	o->decode = value ? value : "tcpdump";
	return 0;
}

int option_pre_trigger(struct options *o, const char *name, const char *value)
{
	if (value_size(&o->pre_trigger, name, value, 1))
		return -1;
	if (o->pre_trigger >= PRE_TRIGGER_MIN)
		return 0;
	complain("%s takes a size from 1M on, not \"%s\"", name, value);
	return -1;
}

int option_trigger(struct options *o, const char *name, const char *value)
{
	if (value[strspn(value, " \t")]) {
		o->trigger = value;
		return 0;
	}
	complain("%s needs a filter expression", name);
	return -1;
}

static int check_decode(const struct options *o)
{
	const char *other = o->write			   ? "--write"
			    : o->json			   ? "--json"
			    : o->hex			   ? "--hex"
			    : o->format != FORMAT_NOT_SAID ? "--format"
			    : o->time_style		   ? "-t"
							   : NULL;

	if (!o->decode || !other)
		return 0;
	complain("%s and --decode do not go together: the program that prints has its own options, as in --decode='tcpdump -nn -x'",
		 other);
	return -1;
}

static int check_print(const struct options *o)
{
	if (!o->print || !o->write)
		return 0;
	if (strcmp(o->write, "-") == 0)
		complain("--print and --write - do not go together: both are standard output");
	else if (o->files_per_queue)
		complain(
			"--print and --files-per-queue do not go together, as there is no order between files");
	else
		return 0;
	return -1;
}

int check_text(struct options *o)
{
	const char *given = o->format != FORMAT_NOT_SAID ? "--format" : o->time_style ? "-t" : NULL;

	if (check_decode(o) || check_print(o))
		return -1;
	if (given && o->json) {
		complain("%s is about lines, and --json prints none", given);
		return -1;
	}
	if (o->format == FORMAT_NOT_SAID) /* scripts that know these options look for its lines */
		o->format = o->programs || o->rx_capture ? FORMAT_XDP_TOOLS : FORMAT_LINE;
	if (o->format == FORMAT_LINE || !o->time_style)
		return 0;
	complain("the lines of xdp-tools have their own time: leave out -t, or give --format line");
	return -1;
}
