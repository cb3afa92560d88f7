/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "choice.h"
#include "proc.h"
#include "runtime.h"

#define WORDS_MAX  64
#define PID_MAX	   4194304u
#define BUCKETS	   1024 /* a power of two */
#define FAMILY_MAX 65536
#define ID_MIN	   12 /* this many characters of a container's id identify it */

struct word {
	char text[WHO_COMMAND_SIZE]; /* cut, as the kernel cuts names */
	uint32_t pid;		     /* 0: it is a name */
	bool there;		     /* a process with it was seen */
};

/* A process that is wanted whatever its name is. */
struct relative {
	uint32_t pid;
	uint64_t start; /* in ticks */
	uint64_t ended; /* CLOCK_MONOTONIC ns; 0: it is running */
	struct relative *next;
};

struct choice {
	bool children, full;
	bool lost; /* some processes that came are not known */
	unsigned n;
	struct word word[WORDS_MAX];
	char group[CGROUP_PATH_SIZE]; /* "": the words are used */
	uint64_t tick;
	unsigned relatives;
	struct relative *bucket[BUCKETS];
};

static struct choice *new (char *err, size_t size)
{
	struct choice *c = calloc(1, sizeof(*c));

	if (c)
		c->tick = proc_tick();
	else
		snprintf(err, size, "out of memory");
	return c;
}

/* Adds a name or a pid. */
static int add_word(struct choice *c, const char *text, size_t n, char *err, size_t size)
{
	struct word *w = &c->word[c->n];
	unsigned long pid;

	if (!n)
		snprintf(err, size,
			 "it takes names or numbers of processes with a comma between, as in nginx,1234");
	else if (c->n == WORDS_MAX)
		snprintf(err, size, "it takes at most %d names and numbers", WORDS_MAX);
	else if (memchr(text, '/', n))
		snprintf(err, size,
			 "a process has the name of its program without the folder: not \"%.*s\"",
			 (int)n, text);
	else {
		memcpy(w->text, text, n < sizeof(w->text) ? n : sizeof(w->text) - 1);
		if (strspn(text, "0123456789") < n) {
			c->n++;
			return 0;
		}
		pid = n < 10 ? strtoul(text, NULL, 10) : 0;
		w->pid = (uint32_t)pid;
		if (pid && pid <= PID_MAX) {
			c->n++;
			return 0;
		}
		snprintf(err, size, "numbers of processes are 1 to %u, not %.*s", PID_MAX, (int)n,
			 text);
	}
	return -EINVAL;
}

int choice_of_processes(struct choice **out, const char *names, bool children, char *err,
			size_t size)
{
	struct choice *c = new (err, size);
	int e = c ? 0 : -ENOMEM;

	for (const char *at = names; !e; at++) {
		size_t n = strcspn(at, ",");

		e = add_word(c, at, n, err, size);
		at += n;
		if (!*at)
			break;
	}
	if (e) {
		choice_free(c);
		return e;
	}
	c->children = children;
	*out = c;
	return 0;
}

int choice_of_group(struct choice **out, const char *group, char *err, size_t size)
{
	size_t n = strlen(group);
	struct choice *c;

	while (n > 1 && group[n - 1] == '/')
		n--;
	if (!n || n >= sizeof(c->group)) {
		snprintf(err, size,
			 "it takes the path of a control group, a unit of systemd or a container, as in /system.slice, nginx.service or web");
		return -EINVAL;
	}
	c = new (err, size);
	if (!c)
		return -ENOMEM;
	memcpy(c->group, group, n);
	c->n = 1;
	*out = c;
	return 0;
}

void choice_free(struct choice *c)
{
	for (unsigned i = 0; c && i < BUCKETS; i++)
		while (c->bucket[i]) {
			struct relative *r = c->bucket[i];

			c->bucket[i] = r->next;
			free(r);
		}
	free(c);
}

bool choice_is_of_group(const struct choice *c)
{
	return c->group[0] != 0;
}

bool choice_is_full(const struct choice *c)
{
	return c->full;
}

static struct relative *find_relative(const struct choice *c, uint32_t pid, uint64_t start)
{
	struct relative *r = c->bucket[pid & (BUCKETS - 1)];

	while (r && (r->pid != pid || r->start != start))
		r = r->next;
	return r;
}

static void add(struct choice *c, uint32_t pid, uint64_t start)
{
	struct relative **bucket = &c->bucket[pid & (BUCKETS - 1)], *r = NULL;

	if (find_relative(c, pid, start))
		return;
	if (c->relatives < FAMILY_MAX)
		r = calloc(1, sizeof(*r));
	c->full |= !r;
	if (!r)
		return;
	*r = (struct relative){.pid = pid, .start = start, .next = *bucket};
	*bucket = r;
	c->relatives++;
}

static struct word *find_name(struct choice *c, const char *command)
{
	for (unsigned i = 0; i < c->n; i++)
		if (!c->word[i].pid && strcmp(c->word[i].text, command) == 0)
			return &c->word[i];
	return NULL;
}

/* Is it one of the words? A pid means the first process that has it. */
static bool is_named(struct choice *c, uint32_t pid, uint64_t start, const char *command)
{
	struct word *name = find_name(c, command);

	for (unsigned i = 0; i < c->n; i++)
		if (c->word[i].pid && c->word[i].pid == pid && !c->word[i].there) {
			c->word[i].there = true;
			add(c, pid, start);
		}
	if (name)
		name->there = true;
	return name != NULL;
}

static bool is_below(const char *path, const char *group)
{
	size_t n = strlen(group);

	if (n == 1)
		return path[0] == '/';
	return strncmp(path, group, n) == 0 && (!path[n] || path[n] == '/');
}

/* Is this one of the path's components? */
static bool has_part(const char *path, const char *part)
{
	size_t n = strlen(part);

	for (const char *at = path; (at = strstr(at, part)); at++)
		if (at > path && at[-1] == '/' && (!at[n] || at[n] == '/'))
			return true;
	return false;
}

/* Not for a name: web does not mean web-2. */
static bool is_beginning_of_id(const char *text, const char *container)
{
	size_t n = strlen(text);

	return n >= ID_MIN && n == strspn(text, "0123456789abcdef") &&
	       strlen(container) == CONTAINER_ID_LENGTH && strncmp(container, text, n) == 0;
}

static bool is_in_group(const struct choice *c, const struct cgroup_names *g)
{
	if (c->group[0] == '/')
		return is_below(g->path, c->group);
	return strcmp(g->unit, c->group) == 0 || strcmp(g->container, c->group) == 0 ||
	       strcmp(g->name, c->group) == 0 || is_beginning_of_id(c->group, g->container) ||
	       has_part(g->path, c->group);
}

enum chosen choice_has_process(struct choice *c, const struct process *p, uint64_t time)
{
	const char *command;

	if (choice_is_of_group(c)) {
		if (!p->group.path[0] || time < p->moved)
			return CHOSEN_UNKNOWN;
		c->word[0].there |= is_in_group(c, &p->group);
		return is_in_group(c, &p->group) ? CHOSEN_YES : CHOSEN_NOT;
	}
	command = process_command(p, time);
	if (is_named(c, p->pid, p->start / c->tick, command ? command : "") ||
	    find_relative(c, p->pid, p->start / c->tick))
		return CHOSEN_YES;
	for (unsigned i = 0; i < c->n; i++)
		if (!c->word[i].pid && (!command || !command[0]))
			return CHOSEN_UNKNOWN;
	return c->lost || c->full ? CHOSEN_UNKNOWN : CHOSEN_NOT;
}

enum chosen choice_has(struct choice *c, const struct who_holders *h, uint64_t time)
{
	enum chosen all = h->n || h->class == WHO_FORWARDED ? CHOSEN_NOT : CHOSEN_UNKNOWN;

	for (unsigned i = 0; i < h->n && all != CHOSEN_YES; i++) {
		enum chosen one = choice_has_process(c, h->process[i], time);

		if (one != CHOSEN_NOT)
			all = one;
	}
	return all;
}

/* ---- the processes that exist at the beginning ---- */

struct all {
	struct proc_stat *at;
	size_t n, room;
	int error;
};

static void take_stat(void *to, const struct proc_stat *p)
{
	struct all *all = to;

	if (all->n == all->room) {
		size_t room = all->room ? 2 * all->room : 256;
		struct proc_stat *more = realloc(all->at, room * sizeof(*more));

		if (!more) {
			all->error = -ENOMEM;
			return;
		}
		all->at = more;
		all->room = room;
	}
	all->at[all->n++] = *p;
}

static void look_for_words(struct choice *c, const struct all *all)
{
	for (size_t i = 0; i < all->n; i++) {
		const struct proc_stat *p = &all->at[i];

		if (is_named(c, p->pid, p->start, p->command) && c->children)
			add(c, p->pid, p->start);
	}
}

/* Adds processes whose parent is wanted; call it until it adds none. */
static bool look_for_children(struct choice *c, const struct all *all)
{
	unsigned before = c->relatives;

	for (size_t i = 0; i < all->n; i++) {
		uint32_t parent = all->at[i].parent;
		const struct relative *r = c->bucket[parent & (BUCKETS - 1)];

		while (r && (r->pid != parent || r->ended))
			r = r->next;
		if (r)
			add(c, all->at[i].pid, all->at[i].start);
	}
	return c->relatives > before;
}

static void look_for_group(struct choice *c, const struct all *all)
{
	char text[8192], last[CGROUP_UNIT_SIZE] = "";
	struct cgroup_names names;

	for (size_t i = 0; i < all->n && !c->word[0].there; i++) {
		proc_read(all->at[i].pid, "cgroup", text, sizeof(text));
		cgroup_names_read(&names, text);
		if (strcmp(names.container, last) != 0)
			runtime_name("", names.container, names.name, sizeof(names.name));
		snprintf(last, sizeof(last), "%s", names.container);
		c->word[0].there = is_in_group(c, &names);
	}
}

int choice_begin(struct choice *c)
{
	struct all all = {.n = 0};
	int e = proc_each(take_stat, &all);

	c->lost = false;
	if (!e)
		e = all.error;
	if (!e && choice_is_of_group(c))
		look_for_group(c, &all);
	else if (!e)
		look_for_words(c, &all);
	while (!e && c->children && look_for_children(c, &all))
		;
	free(all.at);
	return e;
}

const char *choice_missing(const struct choice *c, unsigned *at)
{
	while (*at < c->n && c->word[*at].there)
		++*at;
	if (*at == c->n)
		return NULL;
	return choice_is_of_group(c) ? (++*at, c->group) : c->word[(*at)++].text;
}

/* ---- processes that come and go ---- */

static void executed(struct choice *c, const struct who_event *e)
{
	if (is_named(c, e->pid, e->start / c->tick, e->command) && c->children)
		add(c, e->pid, e->start / c->tick);
}

static void forked(struct choice *c, const struct who_event *e)
{
	executed(c, e);
	if (c->children && find_relative(c, e->parent, e->parent_start / c->tick))
		add(c, e->pid, e->start / c->tick);
}

void choice_event(struct choice *c, const struct who_event *e)
{
	struct relative *r;

	if (choice_is_of_group(c))
		return;
	if (e->kind == WHO_FORKED)
		forked(c, e);
	else if (e->kind == WHO_EXECUTED)
		executed(c, e);
	else if (e->kind == WHO_EXITED &&
		 (r = find_relative(c, e->pid, e->start / c->tick)) != NULL)
		r->ended = e->time;
}

void choice_lost(struct choice *c)
{
	c->lost = c->children;
}

void choice_forget(struct choice *c, uint64_t before)
{
	for (unsigned i = 0; i < BUCKETS; i++)
		for (struct relative **at = &c->bucket[i]; *at;) {
			struct relative *r = *at;

			if (!r->ended || r->ended >= before) {
				at = &r->next;
				continue;
			}
			*at = r->next;
			free(r);
			c->relatives--;
		}
}
