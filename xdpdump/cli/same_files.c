/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "index/format.h"
#include "options.h"
#include "same_files.h"
#include "xdpdump/files/names.h"
#include "xdpdump/os/complain.h"

/* A file that an option names, or that is written beside one. */
struct use {
	const char *option;	   /* without the two dashes */
	const char *path;	   /* NULL: none */
	const char *ending, *says; /* if beside it: its suffix (NULL: a number), and the message */
	bool is_written;
};

#define NAMED(option, path, is_written)                                                            \
	{                                                                                          \
		option, path, "", NULL, is_written                                                 \
	}
#define BESIDE(option, path, ending, says)                                                         \
	{                                                                                          \
		option, path, ending, "--" says, true                                              \
	}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Get the folder that a file is in, or will be in. */
static bool folder_stat(const char *path, struct stat *st)
{
	char folder[PATH_MAX + 1];

	snprintf(folder, sizeof(folder), "%.*s.", (int)(base_name(path) - path), path);
	return stat(folder, st) == 0;
}

/* Are these the same file? A terminal and /dev/null may be named twice. */
static bool is_one(const char *a, const char *b)
{
	struct stat x, y;
	bool has_a = stat(a, &x) == 0, has_b = stat(b, &y) == 0;

	if (has_a && has_b)
		return x.st_dev == y.st_dev && x.st_ino == y.st_ino && !S_ISCHR(x.st_mode);
	if (has_a || has_b || strcmp(base_name(a), base_name(b)) != 0)
		return false;
	return folder_stat(a, &x) && folder_stat(b, &y) && x.st_dev == y.st_dev &&
	       x.st_ino == y.st_ino;
}

static bool put_path(const struct use *u, char path[PATH_MAX])
{
	return u->path && strcmp(u->path, "-") != 0 &&
	       snprintf(path, PATH_MAX, "%s%s", u->path, u->ending ? u->ending : "") < PATH_MAX;
}

/* If of_b is of_a with a number after it, append the number to of_a. */
static void put_number(const struct use *a, char of_a[PATH_MAX], const char *of_b)
{
	const char *b = base_name(of_b);
	size_t n = strlen(base_name(of_a)), digits;

	if (a->ending || strncmp(base_name(of_a), b, n) != 0)
		return;
	digits = strspn(b + n, "0123456789");
	if (digits && !b[n + digits] && strlen(of_a) + digits < PATH_MAX)
		strcat(of_a, b + n);
}

static bool are_same(const struct use *a, const struct use *b)
{
	char of_a[PATH_MAX], of_b[PATH_MAX];

	if (!(a->is_written || b->is_written) || strcmp(a->option, b->option) == 0 ||
	    !put_path(a, of_a) || !put_path(b, of_b))
		return false;
	put_number(a, of_a, of_b);
	return is_one(of_a, of_b);
}

static int tell(const struct use *a, const struct use *b)
{
	if (a->says || b->says)
		return refuse(-1, "%s: --%s needs another name", a->says ? a->says : b->says,
			      a->says ? b->option : a->option);
	return refuse(-1, "--%s and --%s name the same file: each needs its own", b->option,
		      a->option);
}

/* Compare one file with the n files before it. Returns 0, or -1 after telling that it is the same
 * as one of them. */
static int check(const struct use *uses, size_t n, const struct use *one)
{
	for (size_t i = 0; i < n; i++)
		if (are_same(&uses[i], one))
			return tell(&uses[i], one);
	return 0;
}

static bool is_file_of_device(const char *name)
{
#define OPTION(name, takes, ...) {name, takes},
#define DEVICE_OPTION(...)
	static const struct {
		const char *name, *takes;
	} options[] = {
#include "capture/options/options.def"
	};
#undef OPTION
#undef DEVICE_OPTION

	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		if (strcmp(options[i].name, name) == 0)
			return strcmp(options[i].takes, "FILE") == 0;
	return false;
}

static int check_option(const struct use *uses, size_t n, const char *name, const char *value)
{
	const struct use one = NAMED(name, value, false);

	return is_file_of_device(name) ? check(uses, n, &one) : 0;
}

/* Check options such as "hosts=FILE,hook=tc". */
static int check_device(const struct use *uses, size_t n, const char *options)
{
	char *text = strdup(options), *at = text, *value;
	int e = text ? 0 : complain_memory();

	while (!e && (value = strsep(&at, ","))) {
		const char *name = strsep(&value, "=");

		if (value)
			e = check_option(uses, n, name, value);
	}
	free(text);
	return e;
}

static int check_devices(const struct use *uses, size_t n, const struct source_plan *p)
{
	const char *always = getenv("PCAP_AFXDP_OPTIONS");
	int e = check_device(uses, n, always ? always : "");

	for (unsigned i = 0; i < p->interface_count && !e; i++) {
		const char *comma = strchr(p->interfaces[i], ',');

		e = check_device(uses, n, comma ? comma + 1 : "");
	}
	for (unsigned i = 0; i < p->device_count && !e; i++)
		e = check_option(uses, n, p->device[i].name, p->device[i].value);
	return e;
}

/* Returns NULL if this is not a file. */
static const char *list_of_names(const char *name)
{
	return name && strcmp(name, "stdout") != 0 && strcmp(name, "stderr") != 0 ? name : NULL;
}

int same_files_check(const struct options *o)
{
	const char *write = o->files.write && !strchr(o->files.write, '%') ? o->files.write : NULL;
	const struct use uses[] = {
		NAMED("write", write, true),
		BESIDE("write", o->files.rotates ? write : NULL, PART_ENDING,
		       "write FILE writes FILE" PART_ENDING " first"),
		BESIDE("write", o->files.rotates && !o->files.dumpcap_names ? write : NULL, NULL,
		       "write FILE writes FILE0, FILE1 and so on"),
		BESIDE("index", o->files.index ? write : NULL, INDEX_ENDING,
		       "index writes FILE" INDEX_ENDING " beside the FILE of --write"),
		NAMED("metrics", o->metrics, true),
		BESIDE("metrics", o->metrics, METRICS_NEW,
		       "metrics FILE writes FILE" METRICS_NEW " first"),
		NAMED("stats-file", o->stats_file, true),
		NAMED("ring-buffer printname", list_of_names(o->files.print_name), true),
		NAMED("report", o->report, true),
		NAMED("filter-file", o->expression_file, false),
		NAMED("tls-keylog", o->tls_keylog, false),
		NAMED("kafka-conf", o->feed.kafka_conf, false),
	};
	size_t n = sizeof(uses) / sizeof(uses[0]);

	for (size_t i = 1; i < n; i++)
		if (check(uses, i, &uses[i]))
			return -1;
	return check_devices(uses, n, &o->source);
}
