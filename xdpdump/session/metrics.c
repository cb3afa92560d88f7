/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/clock.h"
#include "util/harmless.h"
#include "metrics.h"
#include "xdpdump/files/names.h"
#include "xdpdump/source/source.h"
#include "util/shared.h"

#define FOR_OTHERS 0644 /* node_exporter runs as another user */

static bool name_new(const struct metrics *m, char path[PATH_MAX])
{
	return snprintf(path, PATH_MAX, "%s" METRICS_NEW, m->file) < PATH_MAX;
}

/* Returns a descriptor, or -errno. */
static int create(const char *path)
{
	int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
	int fd = shared_open_any(path, flags, FOR_OTHERS), e;

	if (fd < 0)
		return fd;
	if (fchmod(fd, FOR_OTHERS) == 0) /* regardless of the umask */
		return fd;
	e = -errno;
	close(fd);
	shared_unlink(path);
	return e;
}

/* Create the file; if a killed process has left one there, replace it. */
static int create_anew(const char *path)
{
	int fd = create(path);

	if (fd != -EEXIST)
		return fd;
	fd = shared_unlink(path);
	return fd ? fd : create(path);
}

/* Renaming would replace a device, or a link to one, by a file. */
static int check_file(const char *file)
{
	struct stat st;

	int e = shared_stat(file, &st);

	if (e)
		return e == -ENOENT ? 0 : e;
	return S_ISREG(st.st_mode) ? 0 : -EEXIST;
}

int metrics_try(const struct metrics *m)
{
	char path[PATH_MAX];
	int e = name_new(m, path) ? check_file(m->file) : -ENAMETOOLONG, fd;

	if (e)
		return e;
	if (shared_is_anothers(m->file) || shared_is_anothers(path))
		return -EPERM;
	fd = create(path);
	if (fd < 0)
		return fd == -EEXIST ? 0 : fd;
	close(fd);
	shared_unlink(path);
	return 0;
}

/* name: including the "{" or "," before it. */
static void put_label(FILE *to, const char *name, const char *value)
{
	size_t n;

	fprintf(to, "%s=\"", name);
	for (; *value; value += n ? n : 1) {
		n = harmless_length(value);
		if (*value == '"' || *value == '\\')
			fputc('\\', to);
		fprintf(to, "%.*s", n ? (int)n : 1, n ? value : "?");
	}
	fputc('"', to);
}

/* A label that tells captures apart: the file's name without folder and .prom. */
static void put_capture(FILE *to, const struct metrics *m)
{
	const char *slash = strrchr(m->file, '/'), *name = slash ? slash + 1 : m->file;
	size_t n = strlen(name);
	char text[NAME_MAX + 1];

	if (n > 5 && strcmp(name + n - 5, ".prom") == 0)
		n -= 5;
	snprintf(text, sizeof(text), "%.*s", (int)n, name);
	put_label(to, "{capture", text);
}

static void put_head(FILE *to, const char *name, const char *end, const char *help, bool is_gauge)
{
	fprintf(to, "# HELP xdpdump_%s%s %s\n# TYPE xdpdump_%s%s %s\n", name, end, help, name, end,
		is_gauge ? "gauge" : "counter");
}

/* How many sources before this one would have the same labels? An interface can be given twice with
 * different options, and two names can print alike. */
static unsigned repeats(const struct status *st, unsigned which)
{
	const struct source *s = st->source[which].source;
	unsigned n = 0;

	for (unsigned i = 0; i < which; i++) {
		const struct source *other = st->source[i].source;

		n += !s->program && !other->program && s->drops == other->drops &&
		     harmless_alike(s->ifname, other->ifname) &&
		     harmless_alike(s->netns ? s->netns : "", other->netns ? other->netns : "");
	}
	return n;
}

static void put_labels(FILE *to, const struct metrics *m, const struct status *st, unsigned which)
{
	const struct source *s = st->source[which].source;
	unsigned again = repeats(st, which);

	put_capture(to, m);
	put_label(to, ",interface", source_interface(s));
	if (s->netns)
		put_label(to, ",netns", s->netns);
	if (s->program) {
		char program[PROGRAM_FUNCTION_SIZE + 16];

		snprintf(program, sizeof(program), "%s@%" PRIu32, s->function, s->program);
		put_label(to, ",program", program);
		fprintf(to, ",place=\"%s\"", source_place(s));
	} else if (s->drops)
		fputs(",place=\"drop\"", to);
	if (again)
		fprintf(to, ",again=\"%u\"", again);
	fputs("} ", to);
}

static void put_interfaces(FILE *to, const struct metrics *m, const struct status *st)
{
	uint64_t value[SOURCES_MAX][FIGURES];

	for (unsigned i = 0; i < st->sources; i++)
		figures_of(st, &st->source[i], value[i]);
	for (unsigned f = 0; f < FIGURES; f++) {
		put_head(to, figures[f].name, "_total", figures[f].help, false);
		for (unsigned i = 0; i < st->sources; i++) {
			fprintf(to, "xdpdump_%s_total", figures[f].name);
			put_labels(to, m, st, i);
			fprintf(to, "%" PRIu64 "\n", value[i][f]);
		}
	}
	put_head(to, "interface_there", "", "Whether the interface is captured on: 1, or 0.", true);
	for (unsigned i = 0; i < st->sources; i++) {
		fputs("xdpdump_interface_there", to);
		put_labels(to, m, st, i);
		fprintf(to, "%d\n", !st->source[i].source->lost);
	}
}

/* Put all that comes before the value of a metric with a single series. */
static void put_one(FILE *to, const struct metrics *m, const char *name, const char *end,
		    const char *help, bool is_gauge)
{
	put_head(to, name, end, help, is_gauge);
	fprintf(to, "xdpdump_%s%s", name, end);
	put_capture(to, m);
	fputs("} ", to);
}

static void put_totals(FILE *to, const struct metrics *m, const struct status *st)
{
	uint64_t value[TOTALS];

	figures_of_capture(st, value);
	for (unsigned t = 0; t < TOTALS; t++) {
		const char *end = totals[t].is_gauge ? "" : "_total";

		if (t == TOTAL_disk_left && !st->file) /* there is no file, so no disk */
			continue;
		put_one(to, m, totals[t].name, end, totals[t].help, totals[t].is_gauge);
		fprintf(to, "%" PRIu64 "\n", value[t]);
	}
}

/* Put a series for each kind of trouble, so that an alert rule can name the one it is for. */
static void put_trouble(FILE *to, const struct metrics *m, const struct status *st)
{
	put_head(to, "to_trouble", "",
		 "1: this keeps packets from being acknowledged by Kafka; 0: it does not.", true);
	for (unsigned i = PUT_WELL + 1; i < PUT_TROUBLES_END; i++) {
		fputs("xdpdump_to_trouble", to);
		put_capture(to, m);
		fprintf(to, ",reason=\"%s\"} %d\n", troubles[i].label,
			st->feeds.export.trouble == i);
	}
}

static void put_time(FILE *to, const struct metrics *m, const char *name, const char *help,
		     uint64_t ns)
{
	put_one(to, m, name, "_timestamp_seconds", help, true);
	fprintf(to, "%" PRIu64 ".%09" PRIu64 "\n", (uint64_t)(ns / NS_PER_SEC),
		(uint64_t)(ns % NS_PER_SEC));
}

static void put_all(FILE *to, const struct metrics *m, const struct status *st, bool ends)
{
	put_interfaces(to, m, st);
	put_totals(to, m, st);
	if (st->feeds.export.place)
		put_trouble(to, m, st);
	put_one(to, m, "capturing", "", "1 while the capture runs, 0 once it has ended.", true);
	fprintf(to, "%d\n", !ends);
	put_time(to, m, "start", "When the capture began.", m->begun);
	put_time(to, m, "written", "When these figures were written.", st->time);
}

/* Write the file, and close fd. Returns 0, or -errno if the file is not complete. */
static int fill(int fd, const struct metrics *m, const struct status *st, bool ends)
{
	FILE *to = fdopen(fd, "w");
	bool failed;

	if (!to) {
		close(fd);
		return -ENOMEM;
	}
	errno = EIO;
	put_all(to, m, st, ends);
	failed = ferror(to);
	if (fclose(to) || failed)
		return -errno;
	return 0;
}

int metrics_write(const struct metrics *m, const struct status *st, bool ends)
{
	char path[PATH_MAX];
	int fd = name_new(m, path) ? create_anew(path) : -ENAMETOOLONG, e;

	if (fd < 0)
		return fd;
	e = fill(fd, m, st, ends);
	if (!e)
		e = shared_rename(path, m->file);
	if (e)
		shared_unlink(path);
	return e;
}
