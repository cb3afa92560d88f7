/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "find/ahead.h"
#include "find/lookup.h"
#include "find/maker.h"
#include "find/places.h"
#include "find/progress.h"
#include "find/search.h"
#include "find/section.h"
#include "find/sorter.h"
#include "util/harmless.h"
#include "util/command/moment.h"
#include "util/command/say.h"
#include "util/command/signals.h"

#define MEMORY	   (64u << 20)	/* memory for packets found, before they go to a file */
#define CACHED	   (128u << 20) /* at most this much stays in the page cache */
#define COMPLAINTS 8u		/* messages about indexes that cannot be used */

struct search {
	const struct options *o;
	struct places places;
	struct expression expression;
	struct output output;
	struct section section;
	struct sorter sorter;
	struct progress progress;
	uint64_t first, last; /* times of the packets found */
	uint64_t before;      /* bytes read of earlier files */
	uint64_t no_captures; /* files in folders that hold no packets */
	uint64_t cached;      /* bytes read that stay in the page cache */
	uint64_t cut, gone;
	uint64_t unindexed, indexed; /* files without and with an index */
	unsigned complaints;	     /* messages about indexes */
	struct condition condition;
	size_t *order; /* indexes of the files in reading order */
	size_t files;
	int patience; /* how many signals do not end the output */
	bool failed;
};

static const char *sort_folder(const struct options *o)
{
	const char *from = getenv("TMPDIR");

	if (o->temporary)
		return o->temporary;
	return from && *from ? from : "/var/tmp";
}

__attribute__((format(printf, 2, 3))) static void fail(struct search *s, const char *format, ...)
{
	char text[8192]; /* a file's name in it may be long */
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	progress_clear(&s->progress);
	complain("%s", text);
	s->failed = true;
}

static int found(struct search *s, uint32_t file, const struct capture_item *i, uint64_t time)
{
	int e;

	if (!s->progress.packets++ || time < s->first)
		s->first = time;
	if (time > s->last)
		s->last = time;
	if (s->o->count)
		return 0;
	e = section_make(&s->section, i);
	if (e)
		return e;
	return sorter_add(&s->sorter, time, file, s->section.made.at,
			  (uint32_t)s->section.made.used);
}

static int take_item(struct search *s, struct capture *c, uint32_t file, struct capture_item *i)
{
	uint64_t time;
	int e;

	if (!i->is_packet) {
		e = section_take(&s->section, &i->block, c->swapped);
		if (e == -EBADMSG)
			c->fault = "an interface of it cannot be read";
		if (e == -E2BIG)
			c->fault = "its interfaces and processes take more than 64 MiB";
		return e == -EBADMSG || e == -E2BIG ? 0 : e;
	}
	if (!section_has(&s->section, &i->packet)) {
		c->fault = "a packet is of an interface that no block describes";
		return 0;
	}
	time = section_time(&s->section, &i->packet);
	e = options_have_time(s->o, time) ? section_matches(&s->section, &i->packet) : 0;
	return e == 1 ? found(s, file, i, time) : e;
}

/* Makes an error a fault of this file, because others may be readable. */
static int blame(struct capture *c, int e)
{
	if (!e || e == -ENOMEM || e == -EINTR)
		return e;
	c->fault = strerror(-e);
	return 0;
}

/* Reads the blocks that begin before that position. */
static int read_until(struct search *s, struct capture *c, uint32_t file, uint64_t end)
{
	struct capture_item i;
	int e = 0, more = 1;

	while (!e && c->position < end && (more = capture_next(c, &i)) > 0) {
		e = take_item(s, c, file, &i);
		s->progress.read = s->before + c->source.read;
		progress_show(&s->progress);
		if (signals_stop)
			return -EINTR;
	}
	return e || more > 0 ? e : blame(c, more);
}

static int read_granules(struct search *s, struct capture *c, uint32_t file, const struct lookup *l)
{
	const struct index *x = &l->index;
	int e = 0;

	for (uint64_t i = 0; !e && i < x->granules && !c->fault; i++) {
		const struct index_granule *g = &x->granule[i];

		if (!lookup_wants(l, i))
			continue;
		ahead_granule(l, c->source.fd, i);
		e = blame(c, capture_seek(c, g->position, g->start, g->skip));
		if (!e && !c->fault)
			e = read_until(s, c, file,
				       i + 1 < x->granules ? g[1].position : UINT64_MAX);
	}
	return e;
}

static void judge(struct search *s, const struct place *p, const struct capture *c)
{
	if (source_is_another(&c->source)) {
		fail(s, "%s was written anew while it was searched: packets of before are missing",
		     p->path);
		return;
	}
	if (c->fault)
		fail(s, "%s: what follows byte %" PRIu64 " cannot be read: %s", p->path,
		     c->position, c->fault);
	s->cut += c->is_cut;
}

static int refuse(struct search *s, const struct place *p, const struct capture *c, int e)
{
	if (e == -ENOMEM || e == -EINTR)
		return e;
	if (e == -ENOMSG && !p->is_named)
		s->no_captures++;
	else if (e == -ENOMSG)
		fail(s, "%s is not searched: it is neither pcapng nor pcap", p->path);
	else if (e == -ENOTSUP)
		fail(s,
		     "%s is not searched: it is compressed by %s, and this build has no library for that",
		     p->path, source_name(c->source.form));
	else
		fail(s, "%s is not searched: %s", p->path, strerror(-e));
	return 0;
}

static bool has_output(const struct options *o)
{
	return !o->count && !o->list && !o->index;
}

/* Returns a descriptor, or a negative error: the user was told, or a signal says to stop. */
static int open_place(struct search *s, const struct place *p)
{
	int fd = place_open(p);
	int e = fd >= 0 && has_output(s->o) ? output_keep_private(&s->output, fd) : 0;

	if (e) {
		fail(s, "%s is not searched: %s cannot be made as private as it is: %s", p->path,
		     s->output.name, strerror(-e));
		close(fd);
		return e;
	}
	if (fd >= 0 || (fd == -EINTR && signals_stop))
		return fd;
	if (fd == -ENOENT && !p->is_named)
		s->gone++;
	else
		fail(s, "%s is not searched: %s", p->path, strerror(-fd));
	return fd;
}

static int look_up(struct search *s, const struct place *p, int fd, struct lookup *l)
{
	*l = (struct lookup){.index = {.fd = -1}};
	return s->o->no_index || p->is_pipe ? -ENOENT
					    : lookup_open(l, p->path, fd, &s->condition, s->o);
}

/* May the page cache of this file be given back? Not if an index leads to little data, which may be
 * asked for again. */
static bool is_once(const struct search *s, const struct lookup *l)
{
	const struct index *x = &l->index;

	return !l->is_there ||
	       (l->wants && s->cached + x->of.size / x->granules * l->wants > CACHED);
}

static int read_file(struct search *s, uint32_t file, int fd, struct lookup *l)
{
	const struct place *p = &s->places.place[file];
	struct capture c;
	int e;

	section_begin(&s->section, p->path);
	s->before = s->progress.read;
	e = capture_open(&c, fd);
	c.source.is_once = is_once(s, l);
	if (e)
		e = refuse(s, p, &c, e);
	else {
		e = l->is_there ? read_granules(s, &c, file, l)
				: read_until(s, &c, file, UINT64_MAX);
		judge(s, p, &c);
		s->unindexed += !l->is_there;
		s->progress.files++;
	}
	s->progress.read = s->before + c.source.read;
	s->cached += c.source.is_once ? 0 : c.source.read;
	capture_close(&c);
	return e;
}

static int search_file(struct search *s, uint32_t file)
{
	const struct place *p = &s->places.place[file];
	int fd = open_place(s, p), e;
	struct lookup l;

	if (fd < 0)
		return fd == -EINTR && signals_stop ? fd : 0;
	look_up(s, p, fd, &l);
	e = read_file(s, file, fd, &l);
	lookup_close(&l);
	return e;
}

static void tell_index(struct search *s, const struct place *p, int e)
{
	if (e == -ENOENT || s->complaints++ >= COMPLAINTS)
		return;
	progress_clear(&s->progress);
	note("%s is read whole, because its index cannot be used: %s", p->path, lookup_why(e));
}

/* Decides which files to read, in which order: first those whose times are not known. */
static void survey_file(struct search *s, size_t file)
{
	struct place *p = &s->places.place[file];
	struct lookup l;
	int fd, e;

	if (p->is_pipe) { /* a pipe can be opened only once */
		s->order[s->files++] = file;
		return;
	}
	fd = open_place(s, p);
	if (fd < 0)
		return;
	e = look_up(s, p, fd, &l);
	if (e)
		tell_index(s, p, e);
	s->indexed += !e;
	p->first = l.index.first;
	p->start = e ? 0 : lookup_start(&l);
	if (e || l.wants)
		s->order[s->files++] = file;
	lookup_close(&l);
	close(fd);
}

static int by_first(const void *a, const void *b, void *context)
{
	const struct search *s = context;
	size_t i = *(const size_t *)a, j = *(const size_t *)b;
	uint64_t x = s->places.place[i].first, y = s->places.place[j].first;

	return x != y ? (x > y) - (x < y) : (i > j) - (i < j);
}

static int survey(struct search *s)
{
	s->order = calloc(s->places.count + 1, sizeof(*s->order));
	if (!s->order)
		return -ENOMEM;
	for (size_t i = 0, asked = 0; i < s->places.count && !signals_stop; i++) {
		while (!s->o->no_index && asked < s->places.count && asked < i + AHEAD_FILES)
			ahead_lookup(&s->places.place[asked++]);
		survey_file(s, i);
	}
	qsort_r(s->order, s->files, sizeof(*s->order), by_first, s);
	return signals_stop ? -EINTR : 0;
}

static int put(void *context, const uint8_t *block, uint32_t length)
{
	struct search *s = context;

	return signals_stop > s->patience ? -EINTR : output_block(&s->output, block, length);
}

static void print_summary(struct search *s)
{
	progress_clear(&s->progress);
	if (s->no_captures)
		note("%" PRIu64 " files in folders are left out: they are neither pcapng nor pcap",
		     s->no_captures);
	if (s->cut)
		note("%" PRIu64 " files end inside a packet: they were searched up to there",
		     s->cut);
	if (s->gone)
		note("%" PRIu64 " files were removed before they could be read", s->gone);
	if (s->unindexed && !s->o->no_index)
		note("%" PRIu64
		     " files have no index that can be used, and were read whole: pcapng-find --index writes what is missing",
		     s->unindexed);
	if (s->indexed && s->o->expression && !condition_has_keys(&s->condition))
		note("the expression asks for no address, port or tag that an index has: only times limit what has to be read");
	if (s->expression.left_out.count > EXPRESSION_LINKS_TOLD)
		complain("packets of %zu more link types are not searched",
			 s->expression.left_out.count - EXPRESSION_LINKS_TOLD);
	if (s->section.strange)
		note("%" PRIu64 " blocks of types that are not known here are left out",
		     s->section.strange);
	if (s->section.shortened)
		note("%" PRIu64
		     " packets were cut to %u bytes, because libpcap reads none that is longer",
		     s->section.shortened, SNAPLEN_MOST);
	if (s->output.links_differ)
		note("the packets have link types that differ: tshark reads them, tcpdump does not");
	progress_sum(&s->progress);
}

static void print_count(const struct search *s)
{
	char first[MOMENT_ROOM], last[MOMENT_ROOM];

	moment_format(s->first, first);
	moment_format(s->last, last);
	if (s->progress.packets)
		printf("%" PRIu64 " packets from %s to %s\n", s->progress.packets, first, last);
	else
		printf("0 packets\n");
}

/* Writes what is older than the first packet of the files that are left. */
static int release(struct search *s, size_t next)
{
	uint64_t before = next < s->files ? s->places.place[s->order[next]].first : 0;

	return s->o->count || !before ? 0 : sorter_release(&s->sorter, before, put, s);
}

/* The first signal ends the search; what was found is still written. */
static int interrupted(struct search *s, int e)
{
	if (e != -EINTR || signals_stop != 1)
		return e;
	fail(s, "it was interrupted: what was found so far is all there is");
	return 0;
}

/* Reports an error of sorting. Errors of captures and of the output are reported elsewhere. */
static void tell_error(struct search *s, int e)
{
	if (e == -EINTR)
		fail(s, "it was interrupted: what is written is not all that was found");
	else if (e == -ENOSPC || e == -EDQUOT)
		fail(s,
		     "there is no room to sort what was found: give another folder by --temporary, or a shorter time");
	else if (e == -ENOMEM || e == -EOVERFLOW)
		fail(s, "%s", strerror(-e));
	else
		fail(s,
		     "what was found cannot be sorted in %s: %s; give another folder by --temporary",
		     sort_folder(s->o), strerror(-e));
}

static int search_all(struct search *s)
{
	int e = survey(s);

	for (size_t i = 0, asked = 0; !e && i < s->files; i++) {
		while (asked < s->files && asked < i + AHEAD_FILES)
			ahead_begin(&s->places.place[s->order[asked++]]);
		e = search_file(s, (uint32_t)s->order[i]);
		if (!e)
			e = release(s, i + 1);
	}
	e = interrupted(s, e);
	s->patience = signals_stop; /* what was found is written, unless another signal comes */
	if (!e && !s->o->count)
		e = sorter_drain(&s->sorter, put, s);
	if (e && !s->output.error) /* output_close() reports that */
		tell_error(s, e);
	return e;
}

static int by_number(const void *a, const void *b)
{
	size_t i = *(const size_t *)a, j = *(const size_t *)b;

	return (i > j) - (i < j);
}

/* May the name be printed as one line? */
static bool is_printable(const char *name)
{
	size_t n;

	while ((n = harmless_length(name)))
		name += n;
	return !*name;
}

static int print_list(struct search *s)
{
	int e = interrupted(s, survey(s));
	uint64_t left_out = 0;

	if (e)
		return e;
	qsort(s->order, s->files, sizeof(*s->order), by_number);
	for (size_t i = 0; i < s->files; i++) {
		const char *path = s->places.place[s->order[i]].path;

		if (is_printable(path))
			puts(path);
		else
			left_out++;
	}
	if (left_out)
		fail(s,
		     "%" PRIu64
		     " files are left out of the list: their names have bytes that cannot be printed",
		     left_out);
	return 0;
}

static int search_files(struct search *s)
{
	const struct options *o = s->o;
	int e = places_find(&s->places, o->words, has_output(o) ? &s->output : NULL);

	s->failed |= s->places.is_partial;
	if (e) {
		if (interrupted(s, e))
			fail(s, "%s", strerror(-e));
		return e;
	}
	s->progress.files_all = s->places.count;
	s->progress.all = places_size(&s->places);
	if (o->list)
		return print_list(s);
	if (o->index) {
		s->failed |= maker_run(o, &s->places, &s->progress) != 0;
		return 0;
	}
	e = search_all(s);
	print_summary(s);
	if (o->count)
		print_count(s);
	return e;
}

static int open_expression(struct search *s)
{
	const char *text = s->o->expression;
	int e = expression_open(&s->expression, text);

	if (e)
		complain("the filter '%s': %s", text ? text : "",
			 e == -EINVAL ? expression_unfit(&s->expression, 0) : strerror(-e));
	return e;
}

int search_run(const struct options *o)
{
	struct search s = {.o = o, .patience = 1};

	if (open_expression(&s))
		return -1;
	condition_read(&s.condition, o->expression);
	if (has_output(o) && output_open(&s.output, o->write))
		return -1;
	s.section.output = has_output(o) ? &s.output : NULL;
	s.section.expression = &s.expression;
	sorter_init(&s.sorter, sort_folder(o), MEMORY);
	progress_init(&s.progress, o->quiet);
	source_limit(o->rate);
	/* If the reader has closed the pipe, that is no failure. */
	s.failed |= search_files(&s) && s.output.error != -EPIPE;
	if (has_output(o) && output_close(&s.output))
		s.failed = true;
	s.failed |= s.expression.left_out.count > 0;
	free(s.order);
	section_free(&s.section);
	sorter_free(&s.sorter);
	places_free(&s.places);
	expression_close(&s.expression);
	return s.failed ? -1 : 0;
}
