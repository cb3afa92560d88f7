/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xdpdump/os/affinity.h"
#include "xdpdump/os/complain.h"
#include "xdpdump/os/netns.h"
#include "xdpdump/os/notes.h"
#include "xdpdump/source/device.h"
#include "xdpdump/plan/plan.h"
#include "xdpdump/source/patterns.h"
#include "announce.h"
#include "per_queue.h"
#include "xdpdump/feed/feeds.h"
#include "xdpdump/files/keylog.h"
#include "reader_file.h"
#include "xdpdump/files/trial.h"
#include "xdpdump/os/privileges.h"
#include "reader.h"
#include "reader_any.h"
#include "reader_heed.h"
#include "reader_spaces.h"
#include "session.h"
#include "xdpdump/os/signals.h"

static int find_targets(struct targets *t, const struct options *o, unsigned interface,
			const char *ifname)
{
	int home, left, e = netns_enter(o->netns[interface], &home);

	if (e)
		return e;
	e = targets_find(t, o, ifname);
	left = netns_leave(home);
	return e ? e : left;
}

/* The source of an interface, or those of the programs on it. */
static int add_sources(struct sources *all, const struct options *o, unsigned interface)
{
	struct source *s = &all->source[all->count];
	struct targets t = {.n = 0};
	int e;

	if (pattern_has_many(o, interface) && !pattern_is_first(o, interface))
		return 0;
	e = source_parse(s, o, interface);
	all->count++;
	if (!e && !s->many_spaces)
		e = find_targets(&t, o, interface, s->ifname);
	if (!e && all->count - 1 + t.n > SOURCES_MAX - 2 * INTERFACES_MAX) {
		complain("more than %d XDP programs and hooks", SOURCES_MAX - 2 * INTERFACES_MAX);
		e = -E2BIG;
	}
	for (unsigned i = 0; i < t.n && !e; i++) {
		s = &all->source[all->count - 1 + i];
		if (i)
			e = source_parse(s, o, interface);
		if (!e)
			e = source_trace(s, o, &t.at[i]);
	}
	if (!e && t.n)
		all->count += t.n - 1;
	return e;
}

/* Those of an interface, and what the host's stack drops of it. */
static int add_interface(struct sources *all, const struct options *o, unsigned interface)
{
	struct source *s;
	int e = 0;

	if (o->drops != DROPS_ONLY)
		e = add_sources(all, o, interface);
	if (e || o->drops == DROPS_NOT)
		return e;
	if (pattern_has_many(o, interface) && !pattern_is_first(o, interface))
		return 0;
	s = &all->source[all->count++];
	return source_drops(s, o, interface);
}

/* All sources of many network namespaces hear of them by one process. */
static int prepare_sources(struct sources *all, const struct options *o)
{
	struct spaces *there = NULL;
	int e = 0;

	for (unsigned i = 0; i < all->count && !e; i++) {
		e = source_prepare(&all->source[i], o, there);
		if (!there)
			there = all->source[i].spaces;
	}
	return e;
}

/* The total is one of the process: rings for all take no more memory than those of one capture. */
static int share_memory(struct sources *all)
{
	int e = 0;

	for (unsigned i = 0; i < all->count && all->count > 1 && !e; i++)
		e = device_set_number(all->source[i].options, "sharers", all->count);
	return e;
}

/* All names are looked at before the first interface is touched. */
static int open_sources(struct sources *all, const struct options *o)
{
	uint32_t next_interface = 0;
	int e = 0;

	for (unsigned i = 0; i < o->interface_count && !e; i++)
		e = add_interface(all, o, i);
	if (!e)
		e = share_memory(all);
	if (!e)
		e = prepare_sources(all, o);
	signals_catch(
		o->files.rotates); /* not earlier: names in a filter can take long to look up */
	for (unsigned i = 0; i < all->count && !e; i++) {
		all->source[i].alone = all->count == 1 || o->files_per_queue;
		if (o->files_per_queue)
			next_interface = 0;
		e = source_open(&all->source[i], o, &next_interface);
		if (!i && !e)
			signals_wake(all->source[i].reader);
	}
	return e;
}

/* The first source that cannot be in a file beside the first of all; NULL: there is none. */
static const struct source *find_other_link(const struct sources *all)
{
	const struct source *first = &all->source[0];

	for (unsigned i = 1; i < all->count; i++)
		if (first->raw_ip || source_link(&all->source[i]) != source_link(first))
			return &all->source[i];
	return NULL;
}

/*
 * A file has one link type, which all programs read: LINUX_SLL2 where those of the sources differ,
 * and for several of raw IP (needs_one_block() in source.c).
 */
static int choose_link(struct reader *r, const struct options *o)
{
	const struct sources *all = &r->sources;
	const struct source *first = &all->source[0];
	const struct source *other = o->files_per_queue ? NULL : find_other_link(all);
	bool pcap_served = o->listen && o->listen_format == LISTEN_PCAP;
	char names[2][SOURCE_NAME_SIZE];

	if (!other)
		return 0;
	source_name(first, names[0], sizeof(names[0]));
	source_name(other, names[1], sizeof(names[1]));
	if (o->mixed_links && pcap_served) {
		complain("--listen-format pcap takes one kind of link, and %s has %s, %s has %s: leave --mixed-links out",
			 names[0], source_link_name(first), names[1], source_link_name(other));
		return -EPROTOTYPE;
	}
	r->cooked = !o->mixed_links;
	if (r->cooked && (o->files.write || o->decode || options_feed(o)))
		note("%s has %s, %s has %s: all packets get a header of LINUX_SLL2, without the destination's hardware address, so that every program reads them; --mixed-links keeps them as they are",
		     names[0], source_link_name(first), names[1], source_link_name(other));
	return 0;
}

static int drop_privileges(const struct options *o)
{
	struct needs needs = {.user = o->user, .commands = o->files.command, .nothing = o->trial};
	const char *list = o->files.print_name;

	if (list && (strcmp(list, "stdout") == 0 || strcmp(list, "stderr") == 0))
		list = NULL;
	places_add(&needs.places, o->files.write, o->files.rotates || o->files_per_queue,
		   o->files.rotates);
	places_add(&needs.places, list, true, false); /* whoever reads it may remove it */
	places_add(&needs.places, o->metrics, true, false);
	places_add(&needs.places, o->stats_file, false, false);
	return privileges_drop(&needs);
}

/*
 * Targets are opened after the capture: one that exists is not emptied for one that cannot begin.
 * And with the privileges of who is to own them.
 */
static int capture(struct reader *r)
{
	int e = r->options->trial ? 0 : decode_start(&r->decode), closed;
	struct status st;

	if (!e)
		e = drop_privileges(r->options);
	if (!e)
		e = affinity_reader();
	if (!e)
		e = watchers_open_files(r->watchers, r->options);
	if (!e)
		e = reader_open(r);
	if (e)
		return reader_is_left(r, e) ? 0 : e;
	if (!e)
		e = reader_heed_spaces(r, true);
	if (!e)
		e = reader_heed_members(r, true);
	if (e) {
		reader_explain_write(r, e);
		return e;
	}
	if (!r->options->trial) {
		trigger_begin(&r->trigger, &r->sources, r->options);
		if (!r->trigger.unread)
			sources_begin(&r->sources);
		sources_open_gate(&r->sources);
	}
	announce(&r->sources, r->options);
	if (r->feeds && !r->options->trial && !r->options->quiet)
		feeds_announce(r->feeds);
	if (r->options->trial)
		return file_try_list(r->options->files.print_name);
	reader_status(r, &st);
	watchers_begin(r->watchers, &st);
	e = reader_run(r);
	closed = reader_close(r);
	return e ? e : closed;
}

/* The same, with a reader for each ring. */
static int capture_per_queue(const struct options *o, struct sources *all, struct watchers *w,
			     struct keylog *keylog, struct feeds *feeds)
{
	struct per_queue *q;
	int e = per_queue_open(&q, o, all, w, keylog, feeds);

	if (!e)
		e = drop_privileges(o);
	if (!e)
		e = watchers_open_files(w, o);
	if (!e)
		e = per_queue_begin(q);
	if (!e && !o->trial) {
		sources_begin(all);
		sources_open_gate(all);
	}
	if (!e)
		announce(all, o);
	if (!e && !o->trial)
		e = per_queue_run(q);
	signals_wake(NULL);
	per_queue_close(q);
	return e;
}

/* Interfaces of one node keep us there. */
static void choose_node(const struct sources *all)
{
	for (unsigned i = 1; i < all->count; i++)
		if (all->source[i].node != all->source[0].node)
			affinity_anywhere();
}

/* What a trial tells of what has been opened. */
static void note_sources(struct session_trial *to, const struct sources *all, bool with_log)
{
	to->count = all->count;
	for (unsigned i = 0; i < all->count; i++) {
		const struct source *s = &all->source[i];
		struct session_source *at = &to->source[i];
		const char *warning = afxdp_warning(s->capture);
		const char *to = afxdp_diverted_to(s->capture);
		const char *log = afxdp_filter_log(s->capture);

		source_describe(s, AFXDP_SIDES, at->place, sizeof(at->place));
		snprintf(at->ifname, sizeof(at->ifname), "%s", s->ifname);
		snprintf(at->diverted_to, sizeof(at->diverted_to), "%s", to ? to : "");
		snprintf(at->warning, sizeof(at->warning), "%s", warning ? warning : "");
		at->netns = s->netns;
		at->traced = s->program != 0;
		at->level = afxdp_filter_level(s->capture);
		snprintf(at->filter, sizeof(at->filter), "%s", afxdp_filter_text(s->capture));
		if (log && with_log)
			fprintf(stderr, "%s", log);
	}
}

/* More than a stack may have. */
struct session {
	struct source sources[SOURCES_MAX];
	struct watchers watchers;
	struct keylog keylog;
	struct feeds feeds;
	struct reader reader;
};

static int run_in(struct session *s, const struct options *o, struct session_trial *trial)
{
	struct source *sources = s->sources;
	struct watchers *w = &s->watchers;
	struct keylog *keylog = &s->keylog;
	struct feeds *feeds = &s->feeds;
	struct reader *r = &s->reader;
	int e;

	*keylog = (struct keylog){.fd = -1};
	feeds->exports.control = -1;
	*r = (struct reader){.options = o,
			     .feeds = options_feed(o) ? feeds : NULL,
			     .keylog = keylog,
			     .sources = {.source = sources, .pipe = -1},
			     .watchers = w};
	if (o->verbose > 1)
		setenv("PCAP_AFXDP_DEBUG", "1", 1);
	watchers_open(w, o); /* before there are children */
	r->notes_advance = watchers_want_beats(w);
	e = privileges_check(o->user);
	if (!e)
		e = decode_open(&r->decode, o);
	if (!e)
		e = keylog_open(keylog, o->tls_keylog);
	if (!e)
		e = feeds_open(feeds, o);
	if (!e)
		e = open_sources(&r->sources, o);
	if (!e && trial)
		note_sources(trial, &r->sources, o->report);
	if (!e)
		e = choose_link(r, o);
	if (!e)
		choose_node(&r->sources);
	if (!e)
		e = o->files_per_queue ? capture_per_queue(o, &r->sources, w, keylog, r->feeds)
				       : capture(r);
	signals_wake(NULL);
	for (unsigned i = 0; i < SOURCES_MAX; i++)
		source_close(&sources[i]);
	files_close(r->files);
	if (!e && !o->trial && !o->quiet)
		keylog_tell(keylog);
	keylog_close(keylog);
	watchers_close(w);
	if (r->output)
		r->output->ops->free(r->output);
	feeds_close(feeds);
	if (decode_close(&r->decode) && !e)
		e = -ECHILD;
	return e;
}

static int run(const struct options *o, struct session_trial *trial)
{
	struct session *s = calloc(1, sizeof(*s));
	int e = -ENOMEM;

	if (s)
		e = run_in(s, o, trial);
	else
		complain("out of memory");
	free(s);
	return e;
}

int session_run(const struct options *o)
{
	return run(o, NULL) ? EXIT_FAILURE : EXIT_SUCCESS;
}

int session_try(const struct options *o, struct session_trial *trial)
{
	struct options t = *o;

	t.trial = true;
	return run(&t, trial);
}
