/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "xdpdump/os/affinity.h"
#include "xdpdump/os/complain.h"
#include "xdpdump/os/netns.h"
#include "xdpdump/source/device.h"
#include "xdpdump/plan/plan.h"
#include "xdpdump/source/patterns.h"
#include "announce.h"
#include "labels.h"
#include "reader_file.h"
#include "xdpdump/files/trial.h"
#include "xdpdump/os/privileges.h"
#include "reader.h"
#include "reader_members.h"
#include "session.h"
#include "supervisor.h"
#include "workers.h"
#include "xdpdump/os/signals.h"

static int find_targets(struct targets *t, const struct options *o, unsigned interface,
			const char *ifname)
{
	int home, left, e = netns_enter(o->source.netns[interface], &home);

	if (e)
		return e;
	e = targets_find(t, &o->source, ifname);
	left = netns_leave(home);
	return e ? e : left;
}

/* Add the source of an interface, or the sources of the programs on it. */
static int add_sources(struct sources *all, const struct options *o, unsigned interface)
{
	struct source *s = &all->source[all->count];
	struct targets t = {.n = 0};
	int e = source_parse(s, &o->source, interface);

	all->count++;
	if (!e && !s->many_spaces)
		e = find_targets(&t, o, interface, s->ifname);
	if (!e && all->count - 1 + t.n > SOURCES_MAX - 2 * INTERFACES_MAX)
		e = refuse(-E2BIG, "more than %d XDP programs and hooks",
			   SOURCES_MAX - 2 * INTERFACES_MAX);
	for (unsigned i = 0; i < t.n && !e; i++) {
		if (i) {
			s = &all->source[all->count++];
			e = source_parse(s, &o->source, interface);
		}
		if (!e)
			e = source_trace(s, &o->source, &t.at[i]);
	}
	return e;
}

/* Add the sources of an interface, and the one for what the host's stack drops of it. */
static int add_interface(struct sources *all, const struct options *o, unsigned interface)
{
	int e = 0;

	if (pattern_has_many(&o->source, interface) && !pattern_is_first(&o->source, interface))
		return 0;
	if (o->drops != DROPS_ONLY)
		e = add_sources(all, o, interface);
	if (e || o->drops == DROPS_NOT)
		return e;
	return source_drops(&all->source[all->count++], &o->source, interface);
}

/* Set what sources know of each other. others: the result of labels_others(). */
static int prepare_sources(struct sources *all, const struct options *o, int others)
{
	struct spaces *there = NULL; /* one process reports namespaces to all sources */
	int e = 0;

	for (unsigned i = 0; i < all->count && !e; i++) {
		struct source *s = &all->source[i];

		/* The memory limit is one for the process: the rings of all captures together take
		 * no more than those of a single one. */
		if (all->count > 1)
			e = device_say(s->options, "sharers=%u", all->count);
		/* The program leaves out frames of unwanted sockets before it copies them. */
		if (!e && others >= 0)
			e = device_say(s->options, "who-others=%d", others);
		if (!e)
			e = source_prepare(s, &o->source, there);
		if (!there)
			there = s->spaces;
	}
	return e;
}

/* Signals are blocked while this runs. If it blocked on a pipe that nobody reads, they would never
 * arrive. */
static void tell_wait(const char *line)
{
	struct pollfd p = {.fd = STDERR_FILENO, .events = POLLOUT};

	if (poll(&p, 1, 0) > 0 && p.revents & POLLOUT)
		complain("%s", line);
}

/* Check all names before the first interface is touched. */
static int open_sources(struct sources *all, const struct options *o, int others)
{
	uint32_t next_interface = 0;
	int e = 0;

	afxdp_on_wait(tell_wait);
	for (unsigned i = 0; i < o->source.interface_count && !e; i++)
		e = add_interface(all, o, i);
	if (!e)
		e = prepare_sources(all, o, others);
	/* Not earlier, because looking up names in a filter can take long, and until now a signal
	 * ends the process. */
	signals_catch(o->files.rotates || (!e && sources_have_files(all)));
	for (unsigned i = 0; i < all->count && !e; i++) {
		if (i && signals_stop) /* opening each may wait for its link */
			return refuse(-EINTR,
				      "a signal ended the capture before all interfaces were open");
		all->source[i].alone = all->count == 1 || o->files_per_queue;
		if (o->files_per_queue)
			next_interface = 0;
		e = source_open(&all->source[i], &o->source, &next_interface);
		if (!i && !e)
			signals_wake(all->source[i].reader);
	}
	return e;
}

/* The first source that cannot be in one file with source 0, because of its link type; NULL: there
 * is none. */
static const struct source *find_other_link(const struct sources *all)
{
	const struct source *first = &all->source[0];

	for (unsigned i = 1; i < all->count; i++)
		if (first->raw_ip || source_link(&all->source[i]) != source_link(first))
			return &all->source[i];
	return NULL;
}

/* By default a file has one link type, so that all programs can read it. It is LINUX_SLL2 if the
 * sources differ, and if several have raw IP (see needs_one_block() in source.c). */
static int choose_link(struct supervisor *v, const struct options *o)
{
	const struct sources *all = &v->sources;
	const struct source *first = &all->source[0];
	const struct source *other = o->files_per_queue ? NULL : find_other_link(all);
	bool pcap_served = o->feed.listen && o->feed.listen_format == LISTEN_PCAP;
	char names[2][SOURCE_NAME_SIZE];

	if (!other)
		return 0;
	source_name(first, names[0], sizeof(names[0]));
	source_name(other, names[1], sizeof(names[1]));
	if (o->mixed_links && pcap_served)
		return refuse(-EPROTOTYPE,
			      "--listen-format pcap takes one kind of link, and %s has %s, %s has %s: leave --mixed-links out",
			      names[0], source_link_name(first), names[1], source_link_name(other));
	v->cooked = !o->mixed_links;
	if (v->cooked && (o->files.write || o->decode || options_feed(o)))
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
	places_add(&needs.places, o->files.write,
		   o->files.rotates || o->files_per_queue || o->files.index, o->files.rotates);
	places_add(&needs.places, list, true, false); /* its readers may remove it */
	places_add(&needs.places, o->metrics, true, false);
	places_add(&needs.places, o->stats_file, false, false);
	return privileges_drop(&needs);
}

static void begin_sources(struct supervisor *v)
{
	struct reader *first = &v->worker->reader;

	trigger_begin(&first->trigger, &v->sources, v->options);
	if (!first->trigger.unread)
		sources_begin(&v->sources);
	sources_open_gate(&v->sources);
}

/* Open the targets after the capture, so that an existing file is not emptied for a capture that
 * cannot begin; and with the privileges of the user who is to own them. */
static int capture(struct supervisor *v)
{
	const struct options *o = v->options;
	struct reader *first;
	int e = o->trial ? 0 : decode_start(&v->decode);

	if (!e)
		e = workers_open(v);
	if (!e)
		e = drop_privileges(o);
	if (!e && !o->files_per_queue)
		e = affinity_reader();
	if (!e)
		e = watchers_open_files(&v->watchers, o);
	if (!e)
		e = file_try_list(o->files.print_name);
	if (e)
		return e;
	e = supervisor_begin(v);
	if (e)
		return reader_is_left(e) ? 0 : e;
	/* Read the list of interfaces that come and go. Only a single reader has such sources. */
	first = &v->worker->reader;
	e = reader_explain_write(first, reader_heed_members(first, true));
	if (e)
		return e;
	if (!o->trial)
		begin_sources(v);
	announce(&v->sources, o);
	if (options_feed(o) && !o->trial && !o->quiet)
		listen_announce(&v->feeds.listen);
	return o->trial ? 0 : supervisor_run(v);
}

/* We stay on a NUMA node only if all interfaces are on it. */
static void choose_node(const struct sources *all)
{
	for (unsigned i = 1; i < all->count; i++)
		if (all->source[i].node != all->source[0].node)
			affinity_anywhere();
}

/* Store what a trial reports about the open sources. */
static void note_sources(struct session_trial *to, const struct sources *all, bool with_log)
{
	to->count = all->count;
	for (unsigned i = 0; i < all->count; i++) {
		const struct source *s = &all->source[i];
		struct session_source *at = &to->source[i];
		const char *warning = s->warned;
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

static int run_in(struct supervisor *v, const struct options *o, struct session_trial *trial)
{
	int e;

	v->options = o;
	v->sources =
		(struct sources){.source = v->source, .by_rings = o->files_per_queue, .pipe = -1};
	v->keylog = (struct keylog){.fd = -1};
	v->feeds.exports.control = -1;
	if (o->verbose > 1)
		setenv("PCAP_AFXDP_DEBUG", "1", 1);
	watchers_open(&v->watchers, o); /* before children are started */
	e = privileges_check(o->user);
	if (!e)
		e = decode_open(&v->decode, o->decode, o->drops != DROPS_NOT, o->user);
	if (!e)
		e = keylog_open(&v->keylog, o->tls_keylog);
	if (!e)
		e = feeds_open(&v->feeds, &o->feed);
	if (!e)
		e = labels_open(&v->labels, o);
	if (!e)
		e = open_sources(&v->sources, o, labels_others(v->labels));
	if (!e)
		e = labels_begin(v->labels, o, &v->sources);
	if (!e && trial)
		note_sources(trial, &v->sources, o->report);
	if (!e)
		e = choose_link(v, o);
	if (!e)
		choose_node(&v->sources);
	if (!e)
		e = capture(v);
	signals_wake(NULL);
	workers_close(v);
	for (unsigned i = 0; i < SOURCES_MAX; i++)
		source_close(&v->source[i]);
	if (!e && !o->trial && !o->quiet)
		keylog_tell(&v->keylog);
	keylog_close(&v->keylog);
	watchers_close(&v->watchers);
	feeds_close(&v->feeds);
	labels_close(v->labels);
	if (decode_close(&v->decode) && !e)
		e = -ECHILD;
	return e;
}

static int run_session(const struct options *o, struct session_trial *trial)
{
	struct supervisor *v = calloc(1, sizeof(*v)); /* too large for a stack */
	int e = v ? run_in(v, o, trial) : complain_memory();

	free(v);
	return e;
}

int session_run(const struct options *o)
{
	return run_session(o, NULL) ? EXIT_FAILURE : EXIT_SUCCESS;
}

int session_try(const struct options *o, struct session_trial *trial)
{
	struct options t = *o;

	t.trial = t.feed.trial = t.source.trial = true;
	return run_session(&t, trial);
}
