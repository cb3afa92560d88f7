/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "lists.h"
#include "sets.h"
#include "table.h"
#include "text.h"
#include "util/clock.h"
#include "util/grace.h"

#define LINES_LEAST 4096u /* of each set: room for some thousand more entries */

static int refuse_many(const struct set_entries *e, char *err, size_t size)
{
	uint64_t lines = set_table_lines(e->singles, e->ranges, e);

	snprintf(err, size,
		 "the first %zu addresses and %zu prefixes take %llu MiB, and %u MiB are the most: give fewer",
		 e->singles, e->ranges, (unsigned long long)lines * 2 * SETS_LINE >> 20,
		 CAPTURE_SETS_LINES_MAX / ((1u << 20) / SETS_LINE));
	return -E2BIG;
}

uint32_t sets_flows_lines(const struct afxdp_options *o)
{
	uint32_t most = o->flows_max ? o->flows_max : CAPTURE_NOT_FLOWS_DEFAULT;

	return (!!(o->sets_asked & SET_FLOWS) + !!(o->sets_asked & SET_FLOW_CALLS)) *
	       flows_lines(most);
}

/* Some of the addresses to come may be prefixes, if there is room for more than single
 * addresses. */
static uint64_t lines_to_come(const struct afxdp_options *o, const struct set_entries *e)
{
	uint64_t lines = set_table_lines(o->sets_max, o->sets_max / 64 + 64, e);
	uint64_t all = 2 * lines + SETS_FIRST + sets_flows_lines(o);

	return all > CAPTURE_SETS_LINES_MAX ? set_table_lines(o->sets_max, 0, e) : lines;
}

/* This is more than a quarter of the lines if the bits in front double. */
static uint64_t quarter_more(const struct set_entries *e)
{
	return set_table_lines((uint64_t)e->singles * 5 / 4, (uint64_t)e->ranges * 5 / 4, e);
}

/* Lines of two sets and of what precedes them. */
static int measure(struct afxdp_options *o, const struct set_entries *e, char *err, size_t size)
{
	uint64_t lines = set_table_lines(e->singles, e->ranges, e);
	uint64_t asked = o->sets_max ? lines_to_come(o, e) : quarter_more(e);

	if (o->sets_max && asked > SET_LINES_MAX &&
	    set_table_lines(o->sets_max, 0, e) > SET_LINES_MAX) {
		snprintf(err, size,
			 "room for %u addresses%s takes %llu MiB, and %u MiB are the most: give a smaller set-max=",
			 o->sets_max, e->told ? " and their lines" : "",
			 (unsigned long long)asked * 2 * SETS_LINE >> 20,
			 CAPTURE_SETS_LINES_MAX / ((1u << 20) / SETS_LINE));
		return -E2BIG;
	}
	if (asked < LINES_LEAST)
		asked = LINES_LEAST;
	if (asked > SET_LINES_MAX)
		asked = SET_LINES_MAX;
	if (lines < asked)
		lines = asked;
	o->sets_lines = 2 * (uint32_t)lines + SETS_FIRST;
	return 0;
}

/* Ports are read first: they limit the room for entries of addresses. */
static int read_files(struct sets *s, const struct afxdp_options *o, char *err, size_t size)
{
	struct set_entries *e = &s->entries;
	int error = 0;

	for (unsigned i = 0; i < SETS_FILES && !error; i++) {
		unsigned k = (i + SETS_PORTS_SHIFT) % SETS_FILES;
		size_t before = e->singles + e->ranges + e->ports_listed;

		if (!o->sets[k][0])
			continue;
		error = set_file_parse(k < SETS_PORTS_SHIFT ? set_text_parse : set_ports_parse, e,
				       1u << k % SETS_KINDS, o->sets[k], err, size);
		if (e->singles + e->ranges + e->ports_listed == before)
			s->empty |= 1u << k;
	}
	return error == -E2BIG ? refuse_many(e, err, size) : error;
}

static int find_asked(struct afxdp_options *o, char *err, size_t size)
{
	uint32_t lists = 0, files = 0;
	int e = o->lists[0] ? lists_name(o->lists, &lists, err, size) : 0;

	for (unsigned i = 0; i < SETS_FILES; i++)
		files |= o->sets[i][0] ? 1u << i : 0;
	if (!e && lists && files) {
		snprintf(err, size,
			 "lists= is for addresses and ports that a program gives: leave it out, or hosts= and its like");
		e = -EINVAL;
	}
	o->sets_asked = (o->not_flows[0] ? SET_FLOWS : 0) | (o->flows_max ? SET_FLOW_CALLS : 0) |
			lists | files;
	return e;
}

/* If a list of ports may be given later, there must be room for it. */
static int make_ports(struct set_entries *e, const struct afxdp_options *o)
{
	if (!o->lists[0] || !SETS_PORTS_ASKED(SETS_LISTS_ASKED(o->sets_asked)))
		return 0;
	e->ports = calloc(1, sizeof(*e->ports));
	return e->ports ? 0 : -ENOMEM;
}

/* They are behind the two sets. */
static int measure_flows(struct afxdp_options *o, char *err, size_t size)
{
	uint32_t lines = sets_flows_lines(o);

	if (lines > CAPTURE_SETS_LINES_MAX - o->sets_lines) {
		snprintf(err, size,
			 "room for so many flows, and for the addresses, takes more than %u MiB: give a smaller flows-max=, or fewer addresses",
			 CAPTURE_SETS_LINES_MAX / ((1u << 20) / SETS_LINE));
		return -E2BIG;
	}
	o->flows_lines = lines;
	o->sets_lines += lines;
	return 0;
}

int sets_open(struct sets *s, struct afxdp_options *o, char *err, size_t size)
{
	int e = find_asked(o, err, size);

	*s = (struct sets){.entries.told = o->entries, .read_at = clock_wall()};
	o->sets_lines = o->flows_lines = 0;
	if (e || !o->sets_asked)
		return e;
	o->sets_lines = SETS_FIRST;
	if (SETS_LISTS_ASKED(o->sets_asked)) {
		e = read_files(s, o, err, size);
		if (!e)
			e = make_ports(&s->entries, o);
		if (!e)
			e = measure(o, &s->entries, err, size);
	}
	if (!e && o->not_flows[0])
		e = flow_file_check(o->not_flows, err, size);
	return e ? e : measure_flows(o, err, size);
}

/* Write into the half that is not in use; the programs search it from the next frame on. */
static int write_set(struct sets *s, struct set_entries *entries)
{
	struct sets_control *control = s->map;
	uint32_t half = (s->lines - SETS_FIRST) / 2, first = SETS_FIRST;
	int e;

	if (control->active == first)
		first += half;
	e = set_table_write(s->map, first, half, entries);
	if (!e) /* Pairs with the programs' read of active: the place that they search depends on
		   it. */
		__atomic_store_n(&control->active, first, __ATOMIC_RELEASE);
	return e;
}

/* They lie in the map behind the two sets. */
static void take_flows(struct sets *s, const struct afxdp_options *o)
{
	struct sets_control *control = s->map;
	uint32_t most = o->flows_max ? o->flows_max : CAPTURE_NOT_FLOWS_DEFAULT;
	uint32_t calls = s->lines;

	if (o->sets_asked & SET_FLOWS) {
		flows_take(&s->flows[0], s->map, &control->flows[0], s->lines, most);
		calls += flows_lines(most);
	}
	if (o->sets_asked & SET_FLOW_CALLS)
		flows_take(&s->flows[1], s->map, &control->flows[1], calls, most);
}

int sets_map(struct sets *s, const struct afxdp_options *o, int fd)
{
	void *p = mmap(NULL, (size_t)o->sets_lines * SETS_LINE, PROT_READ | PROT_WRITE, MAP_SHARED,
		       fd, 0);

	if (p == MAP_FAILED)
		return -errno;
	s->map = p;
	s->lines = o->sets_lines - o->flows_lines;
	s->flows_lines = o->flows_lines;
	take_flows(s, o);
	return 0;
}

static int read_flows(struct sets *s, const struct afxdp_options *o, bool anew, char *err,
		      size_t size)
{
	struct sets_control *control = s->map;
	int e = o->not_flows[0]
			? flow_file_read(&s->flow_file, &s->flows[0], o->not_flows, anew, err, size)
			: 0;

	/* Only counts: they order nothing. */
	__atomic_store_n(&control->flows_bad, s->flow_file.all_bad, __ATOMIC_RELAXED);
	__atomic_store_n(&control->flows_full, s->flow_file.all_full, __ATOMIC_RELAXED);
	return e;
}

int sets_read_flows(struct sets *s, const struct afxdp_options *o, bool anew, char *text,
		    size_t size)
{
	int e = read_flows(s, o, anew, text, size);

	if (!e)
		flow_file_describe(&s->flow_file, o->not_flows, text, size);
	return e;
}

/* Take them as they are in the map that is passed. */
static int begin_flows(struct sets *s, const struct afxdp_options *o, char *err, size_t size)
{
	if (o->sets_asked & SET_FLOW_CALLS) {
		flows_begin(&s->flows[1]);
		flows_exchange(&s->flows[1]);
	}
	return read_flows(s, o, true, err, size);
}

int sets_begin(struct sets *s, const struct afxdp_options *o, int fd, char *err, size_t size)
{
	int e;

	if (!o->sets_asked)
		return 0;
	s->said = calloc(1, sizeof(*s->said));
	if (s->said)
		pthread_mutex_init(&s->said->lock, NULL);
	if (s->said)
		pthread_mutex_init(&s->said->writes, NULL);
	e = s->said ? sets_map(s, o, fd) : -ENOMEM;
	if (!e && SETS_LISTS_ASKED(o->sets_asked))
		e = write_set(s, &s->entries);
	set_entries_free(&s->entries);
	if (e == -ENOSPC)
		snprintf(err, size,
			 "an address found no place in the table: open the device again, or give a larger set-max=");
	else if (e)
		snprintf(err, size, "cannot map the table of addresses and ports: %s",
			 strerror(-e));
	return e ? e : begin_flows(s, o, err, size);
}

/* Programs that were running during the exchange may still use the old set; when they end, it is
 * free. */
static int exchange(struct sets *s, struct set_entries *e, char *err, size_t size)
{
	int error = write_set(s, e);

	if (error == -ENOSPC)
		snprintf(err, size,
			 "%zu addresses and %zu prefixes are more than there was made room for: open the device again, with a larger set-max=",
			 e->singles, e->ranges);
	else if (error == -EBADMSG)
		snprintf(err, size,
			 "the application has written into the table: open the device again");
	else if (error)
		snprintf(err, size, "no memory for %zu addresses and %zu prefixes", e->singles,
			 e->ranges);
	else
		grace_wait();
	return error;
}

int sets_renew(struct sets *s, const struct afxdp_options *o, char *err, size_t size)
{
	int error;

	if (!SETS_LISTS_ASKED(o->sets_asked) || o->lists[0])
		return 0;
	s->empty = 0;
	/* By now the path may lead to a file that the application may not read. */
	s->entries.unquoted = true;
	s->entries.told = o->entries;
	error = read_files(s, o, err, size);
	if (!error)
		error = exchange(s, &s->entries, err, size);
	set_entries_free(&s->entries);
	return error;
}

int sets_replace(struct sets *s, const struct afxdp_options *o, const struct afxdp_addresses *lists,
		 unsigned n, char *err, size_t size)
{
	struct set_entries e = {.told = o->entries};
	int error = make_ports(&e, o);

	if (!error)
		error = lists_parse(&e, o->sets_asked, lists, n, err, size);
	if (error == -E2BIG)
		refuse_many(&e, err, size);
	else if (error == -ENOMEM)
		snprintf(err, size, "no memory for %zu addresses and %zu prefixes", e.singles,
			 e.ranges);
	if (!error) {
		pthread_mutex_lock(&s->said->writes);
		error = exchange(s, &e, err, size);
		pthread_mutex_unlock(&s->said->writes);
	}
	set_entries_free(&e);
	return error;
}

void sets_describe_empty(const struct sets *s, const struct afxdp_options *o, char *text,
			 size_t size)
{
	size_t used = 0;

	text[0] = 0;
	for (unsigned i = 0; i < SETS_FILES && used < size; i++)
		if (s->empty & 1u << i)
			used += (size_t)snprintf(text + used, size - used,
						 "%s%s has no %s: no frame has one of them",
						 used ? "; " : "", o->sets[i],
						 i < SETS_PORTS_SHIFT ? "addresses" : "ports");
}

void sets_say(struct sets *s, const char *text)
{
	struct sets_control *control = s->map;

	/* The last store of said comes before this text changes. Pairs with the fence in
	 * take_text(). */
	__atomic_thread_fence(__ATOMIC_RELEASE);
	snprintf(control->text[control->said % SETS_TEXTS], sizeof(control->text[0]), "%s", text);
	/* Pairs with take_text(). */
	__atomic_store_n(&control->said, control->said + 1, __ATOMIC_RELEASE);
}

/* Take the next text: the oldest that is still there. It stays valid until SETS_SAID_KEPT more were
 * taken. */
static void take_text(struct sets_said *said, const struct sets_control *control)
{
	char *to = said->text[said->taken++ % SETS_SAID_KEPT];
	uint32_t count;

	do {
		/* Pairs with sets_say(), as does the fence below. */
		count = __atomic_load_n(&control->said, __ATOMIC_ACQUIRE);
		if (count - said->count >= SETS_TEXTS)
			said->count = count - SETS_TEXTS + 1;
		memcpy(to, control->text[said->count % SETS_TEXTS], AFXDP_ERROR_SIZE - 1);
		/* Before said is read again. Pairs with the fence in sets_say(). */
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
	} while (__atomic_load_n(&control->said, __ATOMIC_RELAXED) - said->count >= SETS_TEXTS);
	to[AFXDP_ERROR_SIZE - 1] = 0;
	said->count++;
	said->last = to;
}

/* One at a time, so that the user sees each: what is new elsewhere comes first. */
const char *sets_hear(const struct sets *s, const char *other, const char *ended)
{
	const struct sets_control *control = s->map;
	struct sets_said *said = s->said;
	const char *last;
	uint32_t count;

	if (!control || !said)
		return NULL;
	/* take_text() reads it again, with acquire. */
	count = __atomic_load_n(&control->said, __ATOMIC_RELAXED);
	pthread_mutex_lock(&said->lock);
	if (other != said->other) {
		said->other = other;
		said->last = NULL;
	} else if (count != said->count) {
		take_text(said, control);
	} else if (ended && !said->has_ended) {
		said->last = ended;
		said->has_ended = true;
	}
	last = said->last;
	pthread_mutex_unlock(&said->lock);
	return last;
}

void sets_close(struct sets *s)
{
	set_entries_free(&s->entries);
	if (s->map)
		munmap(s->map, (size_t)(s->lines + s->flows_lines) * SETS_LINE);
	s->map = NULL;
	if (s->said) {
		pthread_mutex_destroy(&s->said->lock);
		pthread_mutex_destroy(&s->said->writes);
	}
	free(s->said);
	s->said = NULL;
}
