/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "xdpdump/os/affinity.h"
#include "util/grace.h"
#include "xdpdump/os/complain.h"
#include "device.h"
#include "xdpdump/os/netns.h"
#include "xdpdump/spaces/keeper.h"
#include "xdpdump/spaces/spaces.h"
#include "members.h"
#include "source.h"
#include "source_parts.h"
#include "words.h"

/* Declare that a filter will follow at once, while we have the privileges: then the library uses
 * the loader only if they are missing. With time stamps of the interface it has to use the loader
 * ("later"), because what was changed about the interface is undone when we no longer can. */
static int open_capture(struct source *s, bool trial, char *err, size_t size)
{
	bool nic_time = afxdp_options_have(s->options, "nic-time", "on");
	const char *follows = nic_time ? "later" : s->filter.n ? "at-once" : "no";
	int e = device_say(s->options, "filter-follows=%s begin=held trial=%s", follows,
			   device_on(trial));

	afxdp_options_filter(s->options, s->filter.insns, s->filter.n);
	if (!e)
		e = afxdp_open(&s->capture, s->options, err, size);
	s->warned = e ? NULL : afxdp_warning(s->capture);
	return e;
}

/* libpcap compares the link type of a second interface block, LINKTYPE_RAW, with DLT_RAW, its own
 * number for the first one's. They differ, so it refuses every such file (libpcap issue 1252). */
static bool needs_one_block(const struct source *s)
{
	struct afxdp_interface i;

	return s->alone && !afxdp_look(s->ifname, &i, sizeof(i)) && i.is_raw_ip;
}

/* Choose the block numbers of both sides in the file. */
static int number_sides(struct source *s, uint32_t *next)
{
	int e = 0;

	if (s->members) { /* one block; the reader adds one for each interface */
		s->interface_ids[AFXDP_RECEIVED] = s->interface_ids[AFXDP_SENT] = (*next)++;
		return 0;
	}
	/* Loopback receives what it sends, and sockets and programs that we were given only
	 * receive. */
	if ((s->interface.loopback && !s->drops) ||
	    !afxdp_options_have(s->options, "sock-fds", NULL) ||
	    !afxdp_options_have(s->options, "prog-fd", NULL)) {
		s->no_side[AFXDP_SENT] = true;
		e = device_set(s->options, "sent", "off");
	}
	s->interface_ids[AFXDP_RECEIVED] = *next;
	if (!s->no_side[AFXDP_SENT] && !s->no_side[AFXDP_RECEIVED] && !needs_one_block(s))
		++*next;
	s->interface_ids[AFXDP_SENT] = (*next)++;
	return e ? e
		 : device_say(s->options, "interface-received=%u interface-sent=%u",
			      s->interface_ids[AFXDP_RECEIVED], s->interface_ids[AFXDP_SENT]);
}

static int open_sides(struct source *s, const struct source_plan *plan, uint32_t *next, char *err,
		      size_t size)
{
	int e = number_sides(s, next);

	return e ? e : open_capture(s, plan->trial, err, size);
}

/* Open only the received side: if sent frames cannot be captured, but nobody asked for them by
 * name, that is no error. */
static int open_received(struct source *s, const struct source_plan *plan, uint32_t *next,
			 char *err, size_t size)
{
	char why[AFXDP_ERROR_SIZE], text[2 * AFXDP_ERROR_SIZE];
	int e = device_set(s->options, "sent", "off");

	snprintf(why, sizeof(why), "%s", err);
	s->no_side[AFXDP_SENT] = true;
	if (!e)
		e = open_sides(s, plan, next, err, size);
	if (!e)
		note("capturing only what %s receives, because what it sends cannot be captured: %s",
		     source_interface(s), words_of_command(why, text, sizeof(text)));
	return e;
}

static int open_what_can_be(struct source *s, const struct source_plan *plan, uint32_t *next)
{
	char err[AFXDP_ERROR_SIZE] = "", text[2 * AFXDP_ERROR_SIZE];
	uint32_t first = *next;
	int e = open_sides(s, plan, next, err, sizeof(err));

	if (e && plan->both_by_default && !s->drops && !s->no_side[AFXDP_SENT]) {
		*next = first;
		e = open_received(s, plan, next, err, sizeof(err));
	}
	if (e && err[0])
		complain("%s", words_of_command(err, text, sizeof(text)));
	if (e)
		return e;
	s->reader = afxdp_reader(s->capture);
	s->raw_ip = !afxdp_has_link_header(s->capture);
	return 0;
}

static int look_at_interface(struct source *s)
{
	if (!s->members && strcmp(s->ifname, AFXDP_ANY) != 0)
		return interface_get(&s->interface, s->ifname);
	memcpy(s->interface.name, s->ifname, sizeof(s->interface.name));
	return 0;
}

static int open_here(struct source *s, const struct source_plan *plan, uint32_t *next)
{
	int e = look_at_interface(s);

	if (!e && s->interface.loopback && !s->drops && plan->direction == DIRECTION_OUT)
		return refuse(-EINVAL,
			      "what %s sends it also receives, and that is captured: give --direction in",
			      s->ifname);
	if (!s->members)
		interface_programs(s->ifname, s->programs, sizeof(s->programs));
	s->node = s->netns || s->members ? -1 : affinity_near(s->ifname);
	e = open_what_can_be(s, plan, next); /* this tells what is wrong with the interface */
	if (e)
		return e;
	e = source_set_filter(s, plan);
	if (!e) /* with the filter it is another program */
		source_find_place(s);
	return e;
}

int source_prepare(struct source *s, const struct source_plan *plan, struct spaces *there)
{
	struct keeper_orders orders = {.sees_frames = !s->drops};

	if (!s->many_spaces || !s->members || plan->trial)
		return 0;
	if (there) {
		s->spaces = spaces_share(there);
		s->shares_spaces = true;
		return 0;
	}
	for (unsigned i = 0; i < plan->interface_count; i++) {
		if (!netns_is_pattern(plan->netns[i]))
			continue;
		if (strcmp(plan->netns[i], "all") == 0)
			orders.all = true;
		else
			orders.patterns[orders.count++] = plan->netns[i];
	}
	return spaces_prepare(&s->spaces, &orders);
}

int source_open(struct source *s, const struct source_plan *plan, uint32_t *next)
{
	int home, left, e;

	if (s->many_spaces) {
		e = open_here(s, plan, next);
		if (e || !s->spaces || s->shares_spaces)
			return e;
		return spaces_begin(s->spaces, s->drops ? -1 : afxdp_socket_program(s->capture));
	}
	s->netns_id = netns_identify(s->netns); /* first: another may get its number later */
	e = netns_enter(s->netns, &home);
	if (e)
		return e;
	e = open_here(s, plan, next);
	left = netns_leave(home);
	return e ? e : left;
}

void source_detach(struct source *s)
{
	afxdp_stop(s->capture);
	spaces_stop(s->spaces);
}

void source_stop(struct source *s)
{
	source_detach(s);
	grace_wait();
}

bool source_is_empty(struct source *s)
{
	return !s->reader || afxdp_reader_is_empty(s->reader, s->read);
}

void source_stats(const struct source *s, struct afxdp_stats *stats)
{
	if (s->reader)
		afxdp_reader_stats(s->reader, stats, sizeof(*stats));
	else
		*stats = s->last;
}

/* Keep the last statistics, and forget the reader. */
static void forget_reader(struct source *s)
{
	source_stats(s, &s->last);
	s->reader = NULL;
	s->has_run = false;
}

void source_release(struct source *s)
{
	forget_reader(s);
	afxdp_close(s->capture);
	s->capture = NULL;
	spaces_close(s->spaces);
	s->spaces = NULL;
	netns_forget(&s->netns_id);
}

void source_close(struct source *s)
{
	spaces_stop(s->spaces);
	source_release(s);
	afxdp_options_free(s->options);
	s->options = NULL;
	expression_free(&s->filter);
	afxdp_matcher_free(s->trigger);
	s->trigger = NULL;
	members_free(s->members);
	s->members = NULL;
	netns_list_free(s->names);
	s->names = NULL;
}

void source_release_reader(struct source *s)
{
	struct afxdp_reader *own = s->reader;

	forget_reader(s);
	afxdp_reader_close(own);
	s->capture = NULL;
}

bool source_lacks_netns(const struct source *s)
{
	return s->netns && !s->many_spaces && netns_is_deleted(s->netns, &s->netns_id);
}

void source_set_time(const struct source *s, const struct epb_header *record)
{
	struct epb_header *to = (struct epb_header *)record;
	uint64_t time;

	if (!afxdp_has_nic_time(s->capture))
		return;
	time = afxdp_time(s->reader, record);
	to->time_high = (uint32_t)(time >> 32);
	to->time_low = (uint32_t)time;
}

int source_judge(int e)
{
	return e == -ETIME || e == -EINTR ? 0 : e;
}
