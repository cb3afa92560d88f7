/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <stddef.h>

#include "decide.h"

/* False: there are more than can be listed. */
static bool add(struct who_holders *to, struct process *p)
{
	for (unsigned i = 0; i < to->n; i++)
		if (to->process[i] == p)
			return true;
	if (to->n == WHO_HOLDERS_MAX)
		return false;
	to->process[to->n++] = p;
	return true;
}

/* Finds who last held a socket that is closed. */
static void find_last(const struct socket_entry *s, struct who_holders *to)
{
	uint64_t last = 0;

	to->class = WHO_CLOSED;
	for (const struct holding *h = s->holdings; h; h = h->next)
		if (h->maybe_until > last)
			last = h->maybe_until;
	for (const struct holding *h = s->holdings; h; h = h->next)
		if (h->until == last && !h->process->shares_files)
			add(to, h->process);
}

/*
 * Had all who ever held it ended by then, and was it released soon after? If a look found that one
 * of them did not hold it any more, or if it was not released, somebody has it whom no look sees.
 */
static bool is_being_closed(const struct socket_entry *s, uint64_t time)
{
	for (const struct holding *h = s->holdings; h; h = h->next)
		if (h->ended_by_look || h->maybe_until >= time)
			return false;
	return s->holdings && !s->dropped && s->released != WHO_OPEN;
}

/* Uses only what is known of holders. */
static void find_holders(const struct socket_entry *s, uint64_t time, struct who_holders *to)
{
	bool sure = true;

	*to = (struct who_holders){.class = WHO_UNKNOWN};
	if (time <= s->dropped || time <= s->found)
		return;
	if (time > s->released) {
		find_last(s, to);
		return;
	}
	for (const struct holding *h = s->holdings; h && sure; h = h->next) {
		bool may = h->maybe_from <= time && time <= h->maybe_until;

		if (may && h->process->shares_files)
			sure = false;
		else if (h->from <= time && time <= h->until)
			sure = add(to, h->process);
		else if (may)
			sure = false;
	}
	if (!sure)
		to->n = 0;
	else if (to->n)
		to->class = to->n == 1 ? WHO_EXACT : WHO_SHARED;
	else if (is_being_closed(s, time))
		find_last(s, to);
}

static bool may_come_by(const struct socket_entry *s, const struct socket_entry *listener)
{
	if (s->came_by)
		return listener->cookie == s->came_by;
	return listener->port == s->port && listener->netns == s->netns;
}

/* The process that holds all listeners by which a connection may have come at that time; NULL:
 * several do, or it is not known. */
static struct process *find_acceptor(const struct sockets *t, const struct socket_entry *s,
				     uint64_t time)
{
	struct process *p = NULL;
	struct who_holders of;

	for (const struct socket_entry *l = t->listeners; l; l = l->next_listener) {
		if (!may_come_by(s, l) || l->released < time)
			continue;
		if (l->listens > time)
			return NULL;
		find_holders(l, time, &of);
		if (of.class != WHO_EXACT || (p && p != of.process[0]))
			return NULL;
		p = of.process[0];
	}
	return p;
}

/*
 * Without fentry nothing reports accept() itself. If one process holds all listeners, has not
 * forked since, and no other process was seen with the connection, it has held it from the
 * beginning.
 */
static void infer_acceptor(struct sockets *t, struct socket_entry *s)
{
	const struct holding *h = s->holdings;
	struct process *p;
	uint64_t from = s->unseen > s->born ? s->unseen : s->born;

	if (!s->accepted || s->inferred || s->dropped || s->given || t->look.begin <= s->born ||
	    (!h && s->released == WHO_OPEN))
		return;
	s->inferred = true;
	if (s->born <= t->doubt || (h && h->next))
		return;
	p = find_acceptor(t, s, s->born);
	if (p && p->forked < s->born && (!h || h->process == p))
		sockets_accept(t, s, p, from);
}

void decide(struct sockets *t, uint64_t cookie, uint64_t time, struct who_holders *to)
{
	struct socket_entry *s = cookie ? sockets_find(t, cookie) : NULL;

	*to = (struct who_holders){.class = WHO_UNKNOWN};
	if (!s || time <= t->doubt || time > t->look.begin || time < s->born)
		return;
	infer_acceptor(t, s);
	find_holders(s, time, to);
}

static bool is_same(const struct who_holders *a, const struct who_holders *b)
{
	struct who_holders both = *a;

	if (a->class != b->class || a->n != b->n)
		return false;
	for (unsigned i = 0; i < b->n; i++)
		if (!add(&both, b->process[i]))
			return false;
	return both.n == a->n;
}

/*
 * Has a listener of its port ended between these times? A waiting connection may belong to another
 * listener since (tcp_migrate_req): the one that it finally came by did not have it before.
 */
static bool may_have_moved(const struct sockets *t, const struct socket_entry *s, uint64_t from,
			   uint64_t to)
{
	for (const struct socket_entry *l = t->listeners; l; l = l->next_listener)
		if (l->port == s->port && l->netns == s->netns && l->listened >= from &&
		    l->listened <= to)
			return true;
	return false;
}

/* Nobody held it when it came: if it is a direct descriptor of io_uring, it may be held since. */
static void find_waiting(struct sockets *t, const struct socket_entry *s, uint64_t time,
			 struct who_holders *to)
{
	const struct socket_entry *l = s->came_by ? sockets_find(t, s->came_by) : NULL;
	struct who_holders then;

	if (!l || s->given || s->dropped || s->born <= t->doubt || s->born > s->unseen)
		return;
	if (!l->listens || l->listens > time || l->listens > s->born)
		return;
	find_holders(l, s->born, &then);
	find_holders(l, time, to);
	if ((to->class == WHO_EXACT || to->class == WHO_SHARED) && is_same(&then, to)) {
		to->class = WHO_LISTENER;
		return;
	}
	*to = (struct who_holders){.class = WHO_UNKNOWN};
}

/* If the connection is redirected to another port than it names, its holder has no listener of
 * that. */
void decide_request(struct sockets *t, uint64_t cookie, uint64_t time, struct who_holders *to)
{
	struct socket_entry *s = cookie ? sockets_find(t, cookie) : NULL;
	struct process *p = NULL;

	*to = (struct who_holders){.class = WHO_UNKNOWN};
	if (!s || !s->accepted || time <= t->doubt || time > t->look.begin || time > s->born)
		return;
	if (may_have_moved(t, s, time, s->born))
		return;
	infer_acceptor(t, s);
	find_waiting(t, s, time, to);
	if (to->class == WHO_LISTENER || !s->holdings)
		return;
	p = find_acceptor(t, s, time);
	if (!p || p->shares_files)
		return;
	for (const struct holding *h = s->holdings; h; h = h->next)
		if (h->process != p)
			return;
	to->class = WHO_LISTENER;
	add(to, p);
}

void decide_waiting(struct sockets *t, uint64_t cookie, uint64_t time, struct who_holders *to)
{
	struct socket_entry *s = cookie ? sockets_find(t, cookie) : NULL;

	*to = (struct who_holders){.class = WHO_UNKNOWN};
	if (s && s->accepted && time >= s->born && time <= s->unseen && time <= t->look.begin &&
	    !may_have_moved(t, s, s->born, time))
		find_waiting(t, s, time, to);
}
