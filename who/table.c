/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "table.h"

#define BUCKETS	  65536		 /* a power of two */
#define KEPT_NS	  75000000000ULL /* how long closed sockets are kept: TIME_WAIT is over after 60 s */
#define BRIEF_NS  2000000000ULL	 /* if there are many: packets wait for less than this */
#define FORGET_NS 1000000000ULL	 /* how often to look for old ones */

static uint64_t latest(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

int sockets_open(struct sockets *t, int64_t boot_ahead)
{
	*t = (struct sockets){.boot_ahead = boot_ahead};
	t->bucket = calloc(BUCKETS, sizeof(*t->bucket));
	return t->bucket ? processes_open(&t->processes) : -ENOMEM;
}

static unsigned bucket_of(uint64_t cookie)
{
	return (unsigned)(cookie ^ cookie >> 16) & (BUCKETS - 1);
}

struct socket_entry *sockets_find(const struct sockets *t, uint64_t cookie)
{
	struct socket_entry *s = t->bucket[bucket_of(cookie)];

	while (s && s->cookie != cookie)
		s = s->next;
	return s;
}

static void drop_holding(struct sockets *t, struct holding *h)
{
	*h->of_process = h->next_of_process;
	if (h->next_of_process)
		h->next_of_process->of_process = h->of_process;
	free(h);
	t->holdings--;
}

static void drop_holdings(struct sockets *t, struct socket_entry *s)
{
	while (s->holdings) {
		struct holding *h = s->holdings;

		s->holdings = h->next;
		drop_holding(t, h);
	}
}

static void leave_listeners(struct socket_entry *s)
{
	if (!s->listener)
		return;
	*s->listener = s->next_listener;
	if (s->next_listener)
		s->next_listener->listener = s->listener;
	s->listener = NULL;
}

static void drop_socket(struct sockets *t, struct socket_entry *s)
{
	leave_listeners(s);
	drop_holdings(t, s);
	free(s);
	t->sockets--;
}

void sockets_close(struct sockets *t)
{
	for (unsigned i = 0; i < BUCKETS && t->bucket; i++)
		while (t->bucket[i]) {
			struct socket_entry *s = t->bucket[i];

			t->bucket[i] = s->next;
			drop_socket(t, s);
		}
	free(t->bucket);
	t->bucket = NULL;
	processes_close(&t->processes);
}

static void watch(struct sockets *t, struct socket_entry *s)
{
	if (s->watched)
		return;
	s->watched = true;
	s->next_watched = t->watched;
	t->watched = s;
}

static struct socket_entry *get_socket(struct sockets *t, uint64_t cookie)
{
	struct socket_entry *s = sockets_find(t, cookie), **bucket = &t->bucket[bucket_of(cookie)];

	if (s || !cookie)
		return s;
	if (t->sockets < WHO_SOCKETS_MAX)
		s = calloc(1, sizeof(*s));
	if (!s) {
		t->refused++;
		return NULL;
	}
	s->cookie = cookie;
	s->released = WHO_OPEN;
	s->next = *bucket;
	*bucket = s;
	t->sockets++;
	watch(t, s);
	return s;
}

/* The holding that may still go on. */
static struct holding *find_open(const struct socket_entry *s, const struct process *p)
{
	struct holding *h = s->holdings;

	while (h && (h->process != p || h->maybe_until != WHO_OPEN))
		h = h->next;
	return h;
}

/* sure_at: a time at which it surely holds it; WHO_OPEN: none yet. */
static struct holding *add_holding(struct sockets *t, struct socket_entry *s, struct process *p,
				   uint64_t maybe_from, uint64_t sure_at)
{
	struct holding *h = t->holdings < WHO_HOLDINGS_MAX ? calloc(1, sizeof(*h)) : NULL;

	if (!h) {
		t->refused++;
		t->doubt = WHO_OPEN; /* from now on nothing is certain */
		return NULL;
	}
	*h = (struct holding){.process = p,
			      .socket = s,
			      .maybe_from = maybe_from,
			      .from = sure_at,
			      .until = sure_at == WHO_OPEN ? 0 : sure_at,
			      .maybe_until = WHO_OPEN,
			      .next = s->holdings,
			      .next_of_process = p->holdings,
			      .of_process = &p->holdings};
	s->holdings = h;
	if (p->holdings)
		p->holdings->of_process = &h->next_of_process;
	p->holdings = h;
	t->holdings++;
	watch(t, s);
	return h;
}

/* The holding by which the process may hold the socket at that time. */
static struct holding *find_at(const struct socket_entry *s, const struct process *p, uint64_t time)
{
	struct holding *h = s->holdings;

	while (h && (h->process != p || h->maybe_from > time || h->maybe_until < time))
		h = h->next;
	return h;
}

/* A process that does not fit may hold anything: from now on nothing is certain. */
static struct process *get_process(struct sockets *t, uint32_t pid, uint64_t start, uint64_t time,
				   const char *command)
{
	struct process *p = processes_get(&t->processes, pid, start, command);

	if (p)
		process_named(p, time, command);
	else
		t->doubt = WHO_OPEN;
	return p;
}

static struct process *process_of(struct sockets *t, const struct who_event *e)
{
	return e->pid ? get_process(t, e->pid, e->start, e->time, e->command) : NULL;
}

/* A process that shares its descriptors holds nothing alone: a look shows who else does. */
static uint64_t sure_since(const struct who_event *e)
{
	return e->shares ? WHO_OPEN : e->time;
}

static void created(struct sockets *t, const struct who_event *e)
{
	struct socket_entry *s = get_socket(t, e->cookie);
	struct process *p = s ? process_of(t, e) : NULL;
	struct holding *h = p ? find_open(s, p) : NULL;

	if (!s)
		return;
	s->born = e->time;
	if (p && !h)
		h = add_holding(t, s, p, e->time, sure_since(e));
	if (!h)
		return;
	h->maybe_from = e->time;
	if (!e->shares)
		h->from = e->time;
}

static void listens(struct sockets *t, struct socket_entry *s, uint32_t netns, uint16_t port,
		    uint64_t time)
{
	s->netns = netns;
	s->port = port;
	if (s->listens)
		return;
	s->listens = time;
	s->next_listener = t->listeners;
	s->listener = &t->listeners;
	if (t->listeners)
		t->listeners->listener = &s->next_listener;
	t->listeners = s;
}

static void accepted(struct sockets *t, const struct who_event *e)
{
	struct socket_entry *s = get_socket(t, e->cookie);

	if (!s)
		return;
	s->born = e->time;
	s->accepted = true;
	s->came_by = e->listener;
	s->netns = e->netns;
	s->port = e->port;
}

/*
 * The last holder of a socket holds it until it is released, or until the holder exits right
 * before. But others release sockets, too: a process that reads /proc, or one with a message that
 * was not read. So a process of which nothing else is known may have held it.
 */
static void released(struct sockets *t, const struct who_event *e)
{
	struct socket_entry *s = sockets_find(t, e->cookie);
	struct process *p = s ? process_of(t, e) : NULL;
	struct holding *h;
	bool known = false;

	if (!s)
		return;
	s->released = e->time;
	for (h = s->holdings; h; h = h->next) {
		bool closes = h->process == p &&
			      (h->maybe_until == WHO_OPEN || h->maybe_until == p->ended);

		if (h->maybe_until == WHO_OPEN)
			h->maybe_until = e->time;
		if (closes && h->until)
			h->until = h->maybe_until;
		known |= closes;
	}
	if (!p || known)
		return;
	h = add_holding(t, s, p, latest(s->born, t->look.begin), WHO_OPEN);
	if (h)
		h->maybe_until = e->time;
}

/*
 * What the parent may hold, the child may hold. A child that shares descriptors counts before it
 * has any socket.
 */
static void forked(struct sockets *t, const struct who_event *e)
{
	static const char not_known[WHO_COMMAND_SIZE];
	struct process *parent = processes_running(&t->processes, e->parent);
	struct process *child;
	struct holding *h;

	if (!parent && e->shares)
		parent = get_process(t, e->parent, e->parent_start, e->time, not_known);
	child = parent && (parent->holdings || e->shares) ? process_of(t, e) : NULL;
	if (parent)
		parent->forked = e->time;
	if (child)
		parent->shares_files |= child->shares_files = e->shares;
	for (h = child ? parent->holdings : NULL; h; h = h->next_of_process)
		if (h->maybe_until == WHO_OPEN)
			add_holding(t, h->socket, child, e->time, WHO_OPEN);
}

static void exited(struct sockets *t, const struct who_event *e)
{
	struct process *p = processes_find(&t->processes, e->pid, e->start);

	if (!p)
		return;
	p->ended = e->time;
	for (struct holding *h = p->holdings; h; h = h->next_of_process)
		if (h->maybe_until == WHO_OPEN)
			h->maybe_until = e->time;
}

static void executed(struct sockets *t, const struct who_event *e)
{
	struct process *p = processes_find(&t->processes, e->pid, e->start);

	if (p)
		process_executed(p, e->time, e->command);
}

/* Its present group is asked for again. */
static void moved(struct sockets *t, const struct who_event *e)
{
	struct process *p = processes_find(&t->processes, e->pid, e->start);

	if (!p)
		return;
	p->moved = e->time;
	p->asked = false;
	p->group = (struct cgroup_names){.path = ""};
}

static bool has_another(const struct socket_entry *s, const struct process *p)
{
	for (const struct holding *h = s->holdings; h; h = h->next)
		if (h->process != p && h->maybe_until == WHO_OPEN)
			return true;
	return false;
}

/*
 * Has it held the socket since then, or given it up and got it again? A single moment at which it
 * surely held it is not worth a holding of its own.
 */
static void received(struct sockets *t, const struct who_event *e)
{
	struct socket_entry *s = get_socket(t, e->cookie);
	struct process *p = s ? process_of(t, e) : NULL;
	struct holding *h = p ? find_open(s, p) : NULL;

	if (p && !has_another(s, p))
		s->given = e->time;
	if (h && h->until <= h->from && !e->shares) {
		h->from = h->until = e->time;
		return;
	}
	if (h)
		h->maybe_until = e->time;
	if (p)
		add_holding(t, s, p, e->time, sure_since(e));
}

/* Nobody has held it before: a connection waited for accept() until then. */
static void taken(struct sockets *t, const struct who_event *e)
{
	struct socket_entry *s = get_socket(t, e->cookie);
	struct process *p = s ? process_of(t, e) : NULL;

	if (!p || find_open(s, p)) /* socket() has reported it before */
		return;
	if (s->accepted)
		s->unseen = e->time;
	add_holding(t, s, p, e->time, sure_since(e));
}

void sockets_event(struct sockets *t, const struct who_event *e)
{
	struct socket_entry *s;

	switch (e->kind) {
	case WHO_NOTHING:
		break;
	case WHO_CREATED:
		created(t, e);
		break;
	case WHO_ACCEPTED:
		accepted(t, e);
		break;
	case WHO_LISTENS:
		s = get_socket(t, e->cookie);
		if (s)
			listens(t, s, e->netns, e->port, e->time);
		break;
	case WHO_LISTENED:
		s = sockets_find(t, e->cookie);
		if (s)
			s->listened = e->time;
		break;
	case WHO_RELEASED:
		released(t, e);
		break;
	case WHO_FORKED:
		forked(t, e);
		break;
	case WHO_EXECUTED:
		executed(t, e);
		break;
	case WHO_EXITED:
		exited(t, e);
		break;
	case WHO_MOVED:
		moved(t, e);
		break;
	case WHO_TAKEN:
		taken(t, e);
		break;
	case WHO_RECEIVED:
		received(t, e);
		break;
	case WHO_DOUBTED:
		sockets_lost(t, e->time);
		break;
	}
}

void sockets_accept(struct sockets *t, struct socket_entry *s, struct process *p, uint64_t from)
{
	struct holding *h = s->holdings;

	if (!h)
		h = add_holding(t, s, p, from, from);
	if (!h)
		return;
	s->found = 0;
	h->maybe_from = h->from = from;
	if (h->maybe_until == WHO_OPEN)
		h->maybe_until = s->released;
	if (!h->until) /* it also released it */
		h->until = h->maybe_until;
}

void sockets_lost(struct sockets *t, uint64_t time)
{
	t->doubted = latest(t->doubted, time);
}

void sockets_doubt(struct sockets *t, uint64_t before)
{
	t->doubt = latest(t->doubt, before);
}

/* CLOCK_MONOTONIC of the start. The host may have slept since; too early a time does no harm. */
static uint64_t begun(const struct sockets *t, const struct who_seen *seen)
{
	uint64_t ahead = (uint64_t)t->boot_ahead;

	if (seen->start < ahead)
		return 0;
	return seen->start - ahead < seen->time ? seen->start - ahead : seen->time;
}

void sockets_seen(struct sockets *t, const struct who_seen *seen, const struct look *l)
{
	struct process *p = get_process(t, seen->pid, seen->start, seen->time, seen->command);
	struct socket_entry *s = p ? get_socket(t, seen->cookie) : NULL;
	struct holding *h = s ? find_at(s, p, seen->time) : NULL;

	if (!s)
		return;
	if (s->accepted && !s->holdings)
		s->found = l->end;
	if (!h)
		h = add_holding(t, s, p, latest(s->born, latest(begun(t, seen), t->look.begin)),
				seen->time);
	if (seen->listens)
		listens(t, s, seen->netns, seen->port, seen->time);
	if (!h)
		return;
	h->look = l->number;
	h->until = latest(h->until, seen->time);
	if (seen->time < h->from)
		h->from = seen->time;
}

/* Should the look have seen it, if no event ended it? */
static bool is_unseen(const struct holding *h, const struct look *l)
{
	return h->maybe_until == WHO_OPEN && h->look != l->number &&
	       latest(h->maybe_from, h->until) < l->begin;
}

/* If the look saw any holder of the socket, it need not be repeated: a process that forks and
 * closes is the usual case. */
static bool is_missed(const struct socket_entry *s, const struct look *l)
{
	bool missed = false;

	for (const struct holding *h = s->holdings; h; h = h->next) {
		if (h->look == l->number)
			return false;
		missed |= is_unseen(h, l);
	}
	return missed;
}

bool sockets_misses(const struct sockets *t, const struct look *l)
{
	for (const struct socket_entry *s = t->watched; s; s = s->next_watched)
		if (is_missed(s, l))
			return true;
	return false;
}

/* End the holdings of a socket that the look should have seen, but did not. */
static void end_unseen(struct socket_entry *s, const struct look *l)
{
	for (struct holding *h = s->holdings; h; h = h->next) {
		if (!is_unseen(h, l))
			continue;
		h->maybe_until = l->end;
		h->ended_by_look = true;
	}
	if (s->accepted && !s->holdings && s->released == WHO_OPEN && s->born < l->begin)
		s->unseen = l->begin;
	if (s->given && s->given < l->begin) {
		s->dropped = latest(s->dropped, l->end);
		s->given = 0;
	}
}

/* Remove holdings of a living socket that ended long ago. */
static void drop_ended(struct sockets *t, struct socket_entry *s, uint64_t before)
{
	for (struct holding **at = &s->holdings; *at;) {
		struct holding *h = *at;

		if (h->maybe_until >= before) {
			at = &h->next;
			continue;
		}
		s->dropped = latest(s->dropped, h->maybe_until);
		*at = h->next;
		drop_holding(t, h);
	}
}

/* Is it of no use any more? Sockets that were never released belong to network namespaces that are
 * gone. */
static bool is_old(const struct socket_entry *s, uint64_t before)
{
	if (s->released != WHO_OPEN)
		return s->released < before;
	for (const struct holding *h = s->holdings; h; h = h->next)
		if (h->maybe_until >= before)
			return false;
	return s->born < before && s->unseen < before && s->dropped < before;
}

static void look_at_watched(struct sockets *t, const struct look *l, uint64_t brief)
{
	for (struct socket_entry **at = &t->watched; *at;) {
		struct socket_entry *s = *at;

		end_unseen(s, l);
		if (s->released == WHO_OPEN) {
			drop_ended(t, s, brief);
			at = &s->next_watched;
			continue;
		}
		s->watched = false;
		*at = s->next_watched;
	}
}

/* Remakes the list of watched ones from all that are not forgotten. */
static void forget(struct sockets *t, uint64_t before)
{
	t->watched = NULL;
	for (unsigned i = 0; i < BUCKETS; i++)
		for (struct socket_entry **at = &t->bucket[i]; *at;) {
			struct socket_entry *s = *at;

			if (is_old(s, before)) {
				*at = s->next;
				drop_socket(t, s);
				continue;
			}
			s->watched = false;
			if (s->released == WHO_OPEN)
				watch(t, s);
			at = &s->next;
		}
	processes_forget(&t->processes, before);
}

void sockets_looked(struct sockets *t, const struct look *l)
{
	uint64_t brief = l->end > BRIEF_NS ? l->end - BRIEF_NS : 0;
	uint64_t before = l->end > KEPT_NS ? l->end - KEPT_NS : 0;

	if (t->sockets > WHO_SOCKETS_MAX / 2 || t->holdings > WHO_HOLDINGS_MAX / 2)
		before = brief;
	look_at_watched(t, l, brief);
	if (t->doubted)
		t->doubt = latest(t->doubt, l->end);
	if (t->doubted < l->begin)
		t->doubted = 0;
	t->look = *l;
	if (l->end <= t->forgot + FORGET_NS)
		return;
	t->forgot = l->end;
	forget(t, before);
}
