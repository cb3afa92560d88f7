/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/afxdpcapture.h"
#include "xdpdump/os/complain.h"
#include "option_values.h"
#include "options.h"
#include "row.h"
#include "util/clock.h"

#define SECONDS_MAX 1000000000u /* 31 years; in ns this fits into 64 bits */

static void *member(struct options *o, const struct row *row)
{
	return (char *)o + row->at;
}

int row_call(struct options *o, const struct row *row, const char *name, const char *value)
{
	return row->call(o, name, value);
}

int row_flag(struct options *o, const struct row *row, const char *name, const char *value)
{
	(void)name;
	(void)value;
	*(bool *)member(o, row) = true;
	return 0;
}

int row_action(struct options *o, const struct row *row, const char *name, const char *value)
{
	(void)name;
	(void)value;
	o->action = (enum action)row->value;
	return 0;
}

/* Write "in|out|inout" as "in, out or inout". */
static void name_words(char *to, size_t room, const char *words)
{
	size_t used = 0;

	while (*words && used < room) {
		size_t n = strcspn(words, "|");
		const char *rest = words + n;
		const char *between = !*rest ? "" : strchr(rest + 1, '|') ? ", " : " or ";

		used += (size_t)snprintf(to + used, room - used, "%.*s%s", (int)n, words, between);
		words = *rest ? rest + 1 : rest;
	}
}

int row_choice(struct options *o, const struct row *row, const char *name, const char *value)
{
	const char *words = row->takes;
	char known[128];

	for (int i = 0;; i++) {
		size_t n = strcspn(words, "|");

		if (n == strlen(value) && strncmp(words, value, n) == 0) {
			*(int *)member(o, row) = i;
			return 0;
		}
		if (!words[n])
			break;
		words += n + 1;
	}
	name_words(known, sizeof(known), row->takes);
	return refuse(-1, "%s takes %s, not \"%s\"", name, known, value);
}

int row_text(struct options *o, const struct row *row, const char *name, const char *value)
{
	if (row->what && !*value)
		return refuse(-1, "%s needs %s", name, row->what);
	*(const char **)member(o, row) = value;
	return 0;
}

int row_count(struct options *o, const struct row *row, const char *name, const char *value)
{
	return value_number(member(o, row), name, value, 1, row->most);
}

int row_size(struct options *o, const struct row *row, const char *name, const char *value)
{
	return value_size(member(o, row), name, value, (uint64_t)row->value);
}

int row_seconds(struct options *o, const struct row *row, const char *name, const char *value)
{
	bool plain = strpbrk(value, "0123456789") && !value[strspn(value, "0123456789.")];
	uint64_t *ns = member(o, row);
	char *end;
	double s = plain ? strtod(value, &end) : 0;

	*ns = 0;
	if (plain && !*end && s >= 0.001 && s <= SECONDS_MAX) {
		*ns = (uint64_t)(s * NS_PER_SEC);
		return 0;
	}
	return refuse(-1, "%s takes seconds from 0.001 to %u, not \"%s\"", name, SECONDS_MAX,
		      value);
}

int row_whole_seconds(struct options *o, const struct row *row, const char *name, const char *value)
{
	uint64_t *ns = member(o, row);
	int e = value_number(ns, name, value, 1, SECONDS_MAX);

	*ns *= NS_PER_SEC;
	return e;
}

/* Is this a valid value of the option? Checked here, so that the message has the option as it was
 * typed. */
static int check_device(const struct row *row, const char *name, const char *value)
{
	struct afxdp_options *unused = afxdp_options_new();
	char err[AFXDP_ERROR_SIZE] = "out of memory";
	int e = unused ? afxdp_options_set(unused, row->name, value, err, sizeof(err)) : -ENOMEM;

	afxdp_options_free(unused);
	if (e)
		complain("%s %.64s%s: %s", name, value, strlen(value) > 64 ? "..." : "", err);
	return e;
}

int row_device(struct options *o, const struct row *row, const char *name, const char *value)
{
	if (check_device(row, name, value))
		return -1;
	if (o->source.device_count == DEVICE_OPTIONS_MAX)
		return refuse(-1, "%s %s: there are more than %d options of this kind", name, value,
			      DEVICE_OPTIONS_MAX);
	o->source.device[o->source.device_count++] = (struct device_option){row->name, value};
	return 0;
}

int habit_accepted(struct options *o, const struct row *row, const char *name, const char *value)
{
	(void)o;
	if (!row->takes || isupper((unsigned char)row->takes[0]) || strcmp(row->takes, value) == 0)
		return 0;
	return refuse(-1, "%s takes %s alone, not \"%s\": %s", name, row->takes, value, row->help);
}

int habit_answered(struct options *o, const struct row *row, const char *name, const char *value)
{
	(void)o;
	(void)value;
	return refuse(-1, "%s: %s", name, row->help);
}
