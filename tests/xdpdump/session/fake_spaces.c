/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Network namespaces without a keeper: spaces.h for xdpdump, with news that a story has. */
#include <net/if_arp.h>
#include <stdio.h>
#include <string.h>

#include "fake_capture.h"
#include "util/clock.h"
#include "xdpdump/spaces/keeper.h"
#include "xdpdump/spaces/news.h"
#include "xdpdump/spaces/spaces.h"

#define FIRST_NETNS 100 /* and the third joins later, if ever */
#define NEWS_MAX    32

static struct news news[NEWS_MAX];
static unsigned told, known;
static struct space_name names[FAKE_RINGS];
static unsigned count;
static bool ended;

uint32_t fake_netns(unsigned ring)
{
	return FIRST_NETNS + ring;
}

static void add(const struct news *n)
{
	if (known < NEWS_MAX)
		news[known++] = *n;
}

static void add_link(unsigned ring, unsigned index, unsigned name, uint64_t time)
{
	struct news n = {.kind = NEWS_LINK,
			 .netns = fake_netns(ring),
			 .index = index,
			 .round = 1,
			 .type = ring ? ARPHRD_ETHER : ARPHRD_NONE,
			 .time = time};

	snprintf(n.ifname, sizeof(n.ifname), "m%u", name);
	add(&n);
}

static void join(unsigned ring, const char *name, uint64_t time)
{
	struct news n = {.kind = NEWS_JOIN, .netns = fake_netns(ring), .time = time};

	snprintf(n.name, sizeof(n.name), "%s", name);
	add(&n);
	add_link(ring, ring + 1, ring + 1, time);
	add(&(struct news){.kind = NEWS_LISTED, .netns = n.netns, .round = 1, .time = time});
}

static void leave(unsigned ring, uint64_t time)
{
	add(&(struct news){.kind = NEWS_LEAVE, .netns = fake_netns(ring), .time = time});
}

void fake_spaces_happen(char event, uint64_t now)
{
	switch (event) {
	case 'i':
		add_link(0, 9, 9, now);
		break;
	case 'n':
	case 'N':
		add_link(0, 1, 7, now);
		break;
	case 'o':
		add(&(struct news){.kind = NEWS_UNLINK,
				   .netns = fake_netns(1),
				   .index = 2,
				   .time = now});
		break;
	case 'I':
		join(2, "green", now);
		break;
	case 'O':
		leave(1, now);
		break;
	case 'A':
		leave(1, now);
		join(1, "rose", now);
		leave(1, now + NS_PER_SEC);
		break;
	default:
		ended = true;
	}
}

#define WRAP(type, name, ...)                                                                      \
	type __wrap_##name(__VA_ARGS__);                                                           \
	type __wrap_##name(__VA_ARGS__)

WRAP(int, spaces_prepare, struct spaces **s, const struct keeper_orders *o)
{
	(void)o;
	*s = (void *)names;
	join(0, "blue", 1);
	join(1, "red", 1);
	add(&(struct news){.kind = NEWS_WORDS, .name = "a folder cannot be read"});
	add(&(struct news){.kind = NEWS_READY});
	return 0;
}

WRAP(struct spaces *, spaces_share, struct spaces *s)
{
	return s;
}

WRAP(int, spaces_begin, struct spaces *s, int program)
{
	(void)s;
	(void)program;
	return 0;
}

WRAP(int, spaces_fd, const struct spaces *s)
{
	(void)s;
	return -1;
}

static struct space_name *find_name(uint32_t netns)
{
	for (unsigned i = 0; i < count; i++)
		if (names[i].netns == netns)
			return &names[i];
	return NULL;
}

static void note(struct news *n)
{
	struct space_name *at = find_name(n->netns);

	if (n->kind == NEWS_JOIN)
		names[count++] = (struct space_name){n->netns, n->name, n->time};
	if (n->kind != NEWS_LEAVE || !at)
		return;
	snprintf(n->name, sizeof(n->name), "%s", at->name);
	*at = names[--count];
}

WRAP(bool, spaces_next, struct spaces *s, struct news *n)
{
	(void)s;
	if (told == known)
		return false;
	note(&news[told]);
	*n = news[told++];
	return true;
}

WRAP(bool, spaces_all_heard, const struct spaces *s)
{
	(void)s;
	return told == known;
}

WRAP(bool, spaces_ended, const struct spaces *s)
{
	(void)s;
	return ended;
}

WRAP(void, spaces_wait, const struct spaces *s, int timeout_ms)
{
	(void)s;
	(void)timeout_ms;
}

WRAP(bool, spaces_await, struct spaces *s, int timeout_ms)
{
	(void)s;
	(void)timeout_ms;
	return told != known;
}

WRAP(const struct space_name *, spaces_find, const struct spaces *s, uint32_t netns)
{
	(void)s;
	return find_name(netns);
}

WRAP(unsigned, spaces_count, const struct spaces *s)
{
	(void)s;
	return count;
}

WRAP(void, spaces_stop, struct spaces *s)
{
	(void)s;
}

WRAP(void, spaces_close, struct spaces *s)
{
	(void)s;
}
