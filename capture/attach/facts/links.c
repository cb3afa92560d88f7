/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <fnmatch.h>
#include <libmnl/libmnl.h>
#include <stdlib.h>
#include <string.h>

#include "bpf/layout.h"
#include "facts.h"
#include "links.h"
#include "util/clock.h"
#include "util/rtlink.h"

#define ROOM_MIN 64
/* Entries of interfaces that have gone are dropped when the table is full, but not before their
 * records are read. */
#define FORGET_AFTER_NS (10 * NS_PER_SEC)
/* If interfaces come and go all the time, no answer is consistent. */
#define ASK_TIMES    3
#define ASK_AFTER_NS NS_PER_SEC
/* Nobody writes a longer pattern; matching a long one could take forever. */
#define PATTERN_SIZE 128

static unsigned place_of(const struct links *l, unsigned ifindex)
{
	unsigned i = ifindex * 2654435761u & (l->room - 1); /* Knuth's */

	while (l->entry[i].ifindex && l->entry[i].ifindex != ifindex)
		i = (i + 1) & (l->room - 1);
	return i;
}

static bool is_forgotten(const struct link_entry *e, uint64_t now)
{
	return !e->ifindex || (e->gone && !e->told && now - e->gone_at > FORGET_AFTER_NS);
}

/* Move the entries that stay to a new table, which is at most half full. */
static int make_room(struct links *l)
{
	struct links to = {.room = ROOM_MIN};
	uint64_t now = clock_monotonic();
	unsigned kept = 0;

	if (l->used < l->room / 2)
		return 0;
	for (unsigned i = 0; i < l->room; i++)
		kept += !is_forgotten(&l->entry[i], now);
	while (to.room < 4 * kept)
		to.room *= 2;
	to.entry = calloc(to.room, sizeof(*to.entry));
	if (!to.entry)
		return -ENOMEM;
	for (unsigned i = 0; i < l->room; i++)
		if (!is_forgotten(&l->entry[i], now))
			to.entry[place_of(&to, l->entry[i].ifindex)] = l->entry[i];
	free(l->entry);
	l->entry = to.entry;
	l->room = to.room;
	l->used = kept;
	l->walk = 0;
	return 0;
}

bool links_choose(const struct links *l, const char *name)
{
	const char *at = l->patterns;
	char pattern[PATTERN_SIZE];
	size_t n;

	if (!at || !*at)
		return true;
	for (; *at; at += n + (at[n] == ' ')) {
		n = strcspn(at, " ");
		if (n >= sizeof(pattern))
			continue;
		memcpy(pattern, at, n);
		pattern[n] = 0;
		if (fnmatch(pattern, name, 0) == 0)
			return true;
	}
	return false;
}

/* Tell the program which interface to leave out. One that has gone is not left out, because another
 * may come with its number. */
static void tell_program(const struct links *l, const struct link_entry *e)
{
	uint64_t *place = l->left_out ? &l->left_out[e->ifindex % LEFT_OUT_PLACES] : NULL;

	if (place && !e->gone && !e->chosen)
		__atomic_store_n(place, e->ifindex, __ATOMIC_RELAXED);
	else if (place && __atomic_load_n(place, __ATOMIC_RELAXED) == e->ifindex)
		__atomic_store_n(place, 0, __ATOMIC_RELAXED);
}

static unsigned to_be_told(const struct link_entry *e)
{
	return e->gone || !e->chosen ? 0 : e->number;
}

/* before: its earlier name; NULL: it was not there. */
static void note_change(struct links *l, struct link_entry *e, const char *before)
{
	if (!before || strcmp(before, e->name) != 0) {
		e->number = ++l->numbers;
		e->chosen = links_choose(l, e->name);
	}
	if (e->told != to_be_told(e)) {
		l->changed = true;
		l->walk = 0;
	}
	tell_program(l, e);
}

static int on_link(const struct nlmsghdr *h, void *data)
{
	struct links *l = data;
	struct link_entry *e, before;
	struct rtlink link;

	if (!rtlink_read(&link, h) || make_room(l))
		return MNL_CB_OK;
	e = &l->entry[place_of(l, link.index)];
	before = *e;
	if (!e->ifindex)
		l->used++;
	e->ifindex = link.index;
	e->round = l->rounds;
	e->type = link.type;
	e->gone = link.gone;
	e->gone_at = clock_monotonic();
	if (link.name[0])
		memcpy(e->name, link.name, sizeof(e->name));
	note_change(l, e, before.ifindex && !before.gone ? before.name : NULL);
	return MNL_CB_OK;
}

void links_hear(struct links *l, const void *notices, size_t length)
{
	if (length) {
		mnl_cb_run(notices, length, 0, 0, on_link, l);
		return;
	}
	l->incomplete = true;
	l->asked = 0;
}

/* After a complete answer: interfaces that are not in it have gone. */
static void note_absent(struct links *l)
{
	for (unsigned i = 0; i < l->room; i++) {
		struct link_entry *e = &l->entry[i];

		if (!e->ifindex || e->gone || e->round == l->rounds)
			continue;
		e->gone = true;
		e->gone_at = clock_monotonic();
		note_change(l, e, e->name);
	}
}

/* Ask for all interfaces; incomplete stays set if the answer may lack some. */
static int ask(struct links *l)
{
	_Alignas(struct nlmsghdr) char room[RTLINK_ASK_SIZE] = {0};
	struct nlmsghdr *h = rtlink_ask(room, 0);
	char answer[MNL_SOCKET_BUFFER_SIZE];
	bool is_marked = false;
	int n;

	l->incomplete = true;
	l->rounds++;
	if (mnl_socket_sendto(l->asks, h, h->nlmsg_len) < 0)
		return -errno;
	do {
		n = mnl_socket_recvfrom(l->asks, answer, sizeof(answer));
		if (n < 0 && errno == EINTR) {
			n = MNL_CB_OK;
		} else if (n >= 0) {
			is_marked |= rtlink_unmark(answer, n);
			n = mnl_cb_run(answer, n, 0, mnl_socket_get_portid(l->asks), on_link, l);
		}
	} while (n > MNL_CB_STOP);
	l->incomplete = n < 0 || is_marked;
	if (!l->incomplete)
		note_absent(l);
	return n < 0 ? -errno : 0;
}

static int ask_for_all(struct links *l)
{
	int e = 0;

	l->incomplete = true;
	for (int i = 0; i < ASK_TIMES && !e && l->incomplete; i++)
		e = ask(l);
	l->asked = clock_monotonic();
	return e;
}

int links_open(struct links *l, const char *patterns, uint64_t *left_out)
{
	*l = (struct links){.asks = facts_open(), .patterns = patterns, .left_out = left_out};
	return l->asks ? ask_for_all(l) : -errno;
}

void links_close(struct links *l)
{
	if (l->asks)
		mnl_socket_close(l->asks);
	free(l->entry);
	*l = (struct links){.asks = NULL};
}

static void ask_again(struct links *l)
{
	if (l->incomplete && clock_monotonic() - l->asked > ASK_AFTER_NS)
		ask_for_all(l);
}

/* What no longer holds is told first: an interface with a new name is told twice. */
static bool is_told_anew(struct link_entry *e, struct link_entry *to)
{
	unsigned now = to_be_told(e);

	if (e->told == now)
		return false;
	*to = *e;
	if (e->told) {
		to->gone = true;
		to->number = e->told;
		memcpy(to->name, e->told_name, sizeof(to->name));
		e->told = 0;
		return true;
	}
	e->told = now;
	memcpy(e->told_name, e->name, sizeof(e->told_name));
	return true;
}

bool links_next_change(struct links *l, struct link_entry *e)
{
	ask_again(l);
	for (; l->changed && l->walk < l->room; l->walk++)
		if (is_told_anew(&l->entry[l->walk], e))
			return true;
	l->walk = 0;
	l->changed = false;
	return false;
}

const struct link_entry *links_find(struct links *l, unsigned ifindex)
{
	const struct link_entry *e;

	ask_again(l);
	e = l->room ? &l->entry[place_of(l, ifindex)] : NULL;
	return e && e->ifindex ? e : NULL;
}
