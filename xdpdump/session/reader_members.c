/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <arpa/inet.h>
#include <errno.h>
#include <net/if_arp.h>
#include <string.h>

#include "util/clock.h"
#include "xdpdump/os/complain.h"
#include "xdpdump/os/signals.h"
#include "xdpdump/source/members.h"
#include "xdpdump/source/patterns.h"
#include "xdpdump/spaces/news.h"
#include "xdpdump/spaces/spaces.h"
#include "reader.h"
#include "reader_blocks.h"
#include "reader_members.h"

#define LATE_NS	 ((uint64_t)NS_PER_SEC)	     /* how long records of what has gone may come */
#define FIRST_NS ((uint64_t)30 * NS_PER_SEC) /* most time for the first look at all namespaces */
#define FIRST_MS 100
#define MORE_MS	 100 /* for news that is known to be on its way */
#define NEWS_MAX 256 /* most news to handle at a time: there are packets to read */
#define TICK_NS	 ((uint64_t)10 * NS_PER_MS) /* at most; stamps may be from the last tick */

/* Print "blue/eth0 joins the capture", once even if several sources hear of it. netns NULL: our
 * own. */
static void tell_member(const struct reader *r, const struct source *s, const char *netns,
			const char *name, const char *what)
{
	if (!r->options->quiet && !s->shares_spaces)
		complain("%s%s%s %s the capture", netns ? netns : "", netns && *name ? "/" : "",
			 name, what);
}

/* --- What the library reports. --- */

/* Find the interface, or add it. NULL: out of memory; or *e is -errno of ending a former interface
 * with the same index. */
static struct member *find_reported(struct reader *r, struct source *s,
				    const struct afxdp_member *from, int *e)
{
	struct member *m = members_find(s->members, 0, from->index);

	*e = 0;
	if (m && m->number != from->number) {
		/* A late record of a former interface goes with the present one: it is not worth a
		 * third block. */
		if (from->number < m->number)
			return m;
		*e = reader_end_member(r, s, m);
	}
	if (*e)
		return NULL;
	m = members_get(s->members, 0, from);
	if (m && from->gone)
		reader_leave_member(s, m, clock_wall());
	return m;
}

static int join_reported(struct reader *r, struct source *s, const struct afxdp_member *from,
			 bool first)
{
	struct member *m;
	int e = 0;

	s->members->present++;
	m = first ? NULL : find_reported(r, s, from, &e);
	/* The interfaces that exist at first get their blocks before their first packets. */
	if (m && !r->closed && !members_have_block(s->members, m))
		e = reader_put_block(r, s, m);
	if (!first)
		tell_member(r, s, s->netns, from->name, "joins");
	return e;
}

static void leave_reported(struct reader *r, struct source *s, const struct afxdp_member *from)
{
	struct member *m = members_find(s->members, 0, from->index);

	s->members->present--;
	tell_member(r, s, s->netns, from->name, "leaves");
	if (m && m->number == from->number)
		reader_leave_member(s, m, clock_wall());
}

static int hear_library(struct reader *r, struct source *s, bool first)
{
	struct afxdp_member m;
	int e = 0;

	while (!e && afxdp_next_member(s->reader, &m)) {
		if (m.gone)
			leave_reported(r, s, &m);
		else
			e = join_reported(r, s, &m, first);
	}
	return e;
}

/* --- What the keeper reports. --- */

/* The interface disappeared at this time, in ns since 1970. */
static void leave(struct reader *r, struct source *s, struct member *m, uint64_t when)
{
	if (m->gone_time)
		return;
	s->members->present -= !m->unwanted;
	if (!m->unwanted)
		tell_member(r, s, m->space, m->name, "leaves");
	reader_leave_member(s, m, when);
}

static int set_name(struct reader *r, struct source *s, struct member *m, const struct news *n)
{
	const struct space_name *space = spaces_find(s->spaces, n->netns);

	if (!space)
		return -ENOENT;
	m->space = space->name[0] ? strdup(space->name) : NULL;
	if (space->name[0] && !m->space)
		return -ENOMEM;
	if (m->since < space->since)
		m->since = space->since;
	m->unwanted = !patterns_take(&r->options->source, space->name, m->name);
	s->members->present += !m->unwanted;
	return 0;
}

/* Find the interface *m that the news is about, or add it: returns 0 if it was known, 1 if it is
 * new, or -ENOMEM. An interface that was renamed, or that came back, is a new one; older records
 * are of the former one. */
static int renew(struct reader *r, struct source *s, const struct news *n, struct member **m)
{
	struct afxdp_member from = {.index = n->index, .number = ++s->members->numbers};
	uint64_t since = 0;

	*m = members_find(s->members, n->netns, n->index);
	if (*m && !(*m)->gone_time && strcmp((*m)->name, n->ifname) == 0)
		return 0;
	if (*m) {
		leave(r, s, *m, n->time);
		since = (*m)->gone_wall;
	}
	memcpy(from.name, n->ifname, sizeof(from.name));
	*m = members_get(s->members, n->netns, &from);
	if (!*m)
		return -ENOMEM;
	(*m)->since = since;
	return 1;
}

static int on_link(struct reader *r, struct source *s, const struct news *n, bool first)
{
	struct member *m;
	int is_new = renew(r, s, n, &m), e = 0;

	if (is_new < 0)
		return is_new;
	m->type = n->type;
	m->round = n->round;
	if (!is_new)
		return 0;
	e = set_name(r, s, m, n);
	/* Interfaces that exist at first get their blocks before their first packets. So do all
	 * interfaces of drops. */
	if (!e && !first && !m->unwanted && !r->closed && !s->drops)
		e = reader_put_block(r, s, m);
	if (!first && !m->unwanted)
		tell_member(r, s, m->space, m->name, "joins");
	return e;
}

/* All interfaces of a namespace that is no longer captured have left; or those that this round of
 * answers did not list. */
static void leave_all(struct reader *r, struct source *s, const struct news *n)
{
	bool all = n->kind == NEWS_LEAVE;

	for (unsigned i = 0; i < s->members->room; i++) {
		struct member *m = &s->members->at[i];

		if (!m->index || m->netns != n->netns || m->left)
			continue;
		if (all || m->round != n->round)
			leave(r, s, m, n->time);
		if (all)
			m->left = n->time;
	}
}

static void tell_space(const struct reader *r, const struct source *s, const struct news *n,
		       const char *what)
{
	if (!r->options->quiet && !s->shares_spaces)
		complain("network namespace %s %s the capture", n->name[0] ? n->name : "(ours)",
			 what);
}

static int on_news(struct reader *r, struct source *s, const struct news *n, bool first)
{
	struct member *m;

	switch (n->kind) {
	case NEWS_JOIN:
		if (!spaces_find(s->spaces, n->netns))
			return -ENOMEM;
		if (!first)
			tell_space(r, s, n, "joins");
		break;
	case NEWS_LEAVE:
		leave_all(r, s, n);
		tell_space(r, s, n, "leaves");
		break;
	case NEWS_LINK:
		return on_link(r, s, n, first);
	case NEWS_UNLINK:
		m = members_find(s->members, n->netns, n->index);
		if (m)
			leave(r, s, m, n->time);
		break;
	case NEWS_LISTED:
		leave_all(r, s, n);
		break;
	case NEWS_WORDS:
		if (!s->shares_spaces)
			complain("warning: %s", n->name);
		break;
	default:
		s->members->ready |= n->kind == NEWS_READY;
	}
	return 0;
}

/* Pass the news on to all sources that follow these namespaces. */
static int pass_on(struct reader *r, const struct spaces *spaces, const struct news *n, bool first)
{
	int e = 0;

	for (unsigned i = 0; i < r->sources->count && !e; i++) {
		struct source *s = &r->sources->source[i];

		if (s->spaces == spaces)
			e = on_news(r, s, n, first && !s->members->ready);
	}
	return e;
}

static int take_error(const struct source *s)
{
	int e = s->members->error;

	s->members->error = 0;
	return e;
}

static int hear_keeper(struct reader *r, struct source *s, bool first)
{
	int e = take_error(s);
	uint64_t now = clock_wall();
	struct news n;

	for (unsigned i = 0; i < NEWS_MAX && !e && spaces_next(s->spaces, &n); i++)
		e = pass_on(r, s->spaces, &n, first);
	s->members->heard = spaces_all_heard(s->spaces) ? now : 0;
	return e;
}

static bool is_awaited(const struct source *s)
{
	return !s->members->ready && !spaces_ended(s->spaces);
}

static int wait_for_first(struct reader *r, struct source *s)
{
	uint64_t until = clock_monotonic() + FIRST_NS;
	int e = hear_keeper(r, s, true);

	while (!e && is_awaited(s) && !signals_stop && clock_monotonic() < until) {
		spaces_wait(s->spaces, FIRST_MS);
		e = hear_keeper(r, s, true);
	}
	if (!e && is_awaited(s) && !signals_stop)
		complain("warning: not all network namespaces were found within %u s; others join later",
			 (unsigned)(FIRST_NS / NS_PER_SEC));
	if (!e && spaces_ended(s->spaces)) {
		source_explain(s, -EOWNERDEAD, false);
		e = r->told = -EOWNERDEAD;
	}
	return e;
}

/* --- Which interface a record is from. --- */

/* After a namespace has ended, another may get its inode number. A drop with a later time is then
 * from the new namespace, which may not be captured. A later frame is from the new one if that was
 * captured by then; else the frame came while the old one's socket was being closed. */
static bool is_of_another(const struct source *s, const struct member *m, uint64_t time)
{
	const struct space_name *now;

	if (!m->left || time <= m->left)
		return false;
	now = spaces_find(s->spaces, m->netns);
	return s->drops || (now && time >= now->since);
}

/* A record from before the interface joined is from another one; unless the joining is in the
 * future, because the clock was set back. */
static bool may_be_of(const struct source *s, const struct member *m, uint64_t time)
{
	if (is_of_another(s, m, time))
		return false;
	return time + TICK_NS >= m->since || m->since > clock_wall();
}

/* The interface that existed at the time of the record; else the latest one that the record may be
 * from. */
static struct member *find_member(const struct source *s, const struct epb_header *record,
				  const struct afxdp_member *from)
{
	struct member *m = NULL, *found = NULL;
	uint64_t time = epb_time(record);

	while ((m = members_next(s->members, from->netns, from->index, m))) {
		if (time >= m->since && (!m->gone_time || time <= m->gone_wall))
			return m;
		if ((!found || m->number > found->number) && may_be_of(s, m, time))
			found = m;
	}
	return found;
}

/* Is the record from a namespace that is not captured, as of news later than the record? As many of
 * these come as frames are dropped there, and asking for news for each would take too long. With
 * stamps of the last tick this cannot be known. */
static bool is_foreign(const struct reader *r, const struct source *s,
		       const struct epb_header *record, const struct afxdp_member *from)
{
	if (!s->drops || r->options->source.stamps == STAMPS_HOST_LOWPREC)
		return false;
	return epb_time(record) < s->members->heard && !spaces_find(s->spaces, from->netns);
}

/* Find the interface; if news may be on its way about it, read the news first: its namespace may be
 * new, or may have the inode number of a former one. The news then holds for all records that are
 * in the rings by now. */
static const struct member *hear_of(struct reader *r, struct source *s,
				    const struct epb_header *record,
				    const struct afxdp_member *from)
{
	const struct member *m = find_member(s, record, from);
	unsigned blocks;

	if ((m && epb_time(record) <= s->members->heard) || s->members->error ||
	    is_foreign(r, s, record, from))
		return m;
	blocks = reader_member_blocks(r);
	do
		s->members->error = hear_keeper(r, s, false);
	while (!s->members->heard && !s->members->error && spaces_await(s->spaces, MORE_MS));
	s->members->has_grown |= reader_member_blocks(r) != blocks;
	return find_member(s, record, from);
}

/* Fill in what depends on the kind of interface, which the program did not know. */
static void cook(struct epb_cooked *h, const struct member *m)
{
	h->hatype = htons(m->type);
	if (m->type == ARPHRD_ETHER || m->type == ARPHRD_LOOPBACK)
		return;
	h->halen = 0;
	memset(h->address, 0, sizeof(h->address));
}

static struct epb_cooked *header_of(const struct epb_header *record)
{
	return (struct epb_cooked *)(void *)epb_frame(record);
}

/* Get the namespace and index of the interface. A dropped frame does not have them, so the library
 * reads them from the record's options; the namespace may be 0: not known. */
static void find_origin(const struct source *s, const struct epb_header *record,
			struct afxdp_member *from)
{
	if (s->drops)
		afxdp_came_by(s->reader, record, from);
	else
		*from = (struct afxdp_member){.netns = record->interface_id,
					      .index = ntohl(header_of(record)->ifindex)};
}

bool reader_wants(struct reader *r, struct source *s, const struct epb_header *record,
		  struct afxdp_member *from)
{
	const struct space_name *space;
	const struct member *m;

	if (!s->spaces)
		return afxdp_came_by(s->reader, record, from);
	find_origin(s, record, from);
	m = hear_of(r, s, record, from);
	s->members->read = epb_time(record);
	if (m ? !m->unwanted : patterns_take(&r->options->source, "", ""))
		return true;
	space = m ? NULL : spaces_find(s->spaces, from->netns);
	/* Nothing is known of the interface: only the pattern `any' takes it. */
	if (space && space->name[0] && patterns_take(&r->options->source, space->name, ""))
		return true;
	afxdp_refuse(s->reader, record);
	return false;
}

int reader_put_member(struct reader *r, struct source *s, const struct afxdp_member *from,
		      const struct epb_header *record, uint32_t caplen, bool *more)
{
	struct member *m = NULL;
	int e = take_error(s);

	if (!e && s->spaces)
		m = find_member(s, record, from);
	else if (!e && from->number)
		m = find_reported(r, s, from, &e);
	if (e)
		return e;
	if (m && s->spaces && !s->drops && !header_of(record)->hatype)
		cook(header_of(record), m);
	e = reader_put_record(r, s, m, record, caplen, more);
	*more |= s->members->has_grown;
	s->members->has_grown = false;
	return e;
}

/* --- Interfaces that have appeared and disappeared. --- */

/* Can no record of the interface still come? The reader may be further behind than LATE_NS. */
static bool is_read(struct source *s, const struct member *m, uint64_t now)
{
	return m->gone_time && now - m->gone_time > LATE_NS &&
	       (s->members->read > m->gone_wall + LATE_NS || source_is_empty(s));
}

static int end_gone(struct reader *r, struct source *s)
{
	struct members *all = s->members;
	uint64_t now = clock_monotonic();
	unsigned i = 0;
	int e = 0;

	if (now - s->members_looked < LATE_NS / 4)
		return 0;
	s->members_looked = now;
	while (all->leaving && i < all->room && !e) {
		struct member *m = &all->at[i];

		if (m->index && is_read(s, m, now))
			e = reader_end_member(r, s, m); /* do not advance: another may now be in its
							   place */
		else
			i++;
	}
	return e;
}

static int heed_source(struct reader *r, struct source *s, bool first)
{
	if (!s->spaces)
		return hear_library(r, s, first);
	if (s->shares_spaces)
		return take_error(s);
	return first ? wait_for_first(r, s) : hear_keeper(r, s, false);
}

int reader_heed_members(struct reader *r, bool first)
{
	int e = 0;

	for (unsigned i = 0; i < r->sources->count && !e; i++) {
		struct source *s = &r->sources->source[i];

		if (!s->members || !s->reader)
			continue;
		e = heed_source(r, s, first);
		if (!e && s->members->leaving)
			e = end_gone(r, s);
	}
	return e;
}
