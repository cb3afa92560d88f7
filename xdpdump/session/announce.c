/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <stdio.h>
#include <string.h>

#include "util/harmless.h"
#include "xdpdump/plan/plan.h"
#include "xdpdump/source/words.h"
#include "xdpdump/os/complain.h"
#include "xdpdump/os/netns.h"
#include "xdpdump/spaces/spaces.h"
#include "announce.h"
#include "xdpdump/source/members.h"
#include "xdpdump/source/sources.h"

/* With few exceptions, the headers that a trigger looks at end before this. */
#define TRIGGER_SEES 128

/* A trigger does not match what was cut off, and the user would not know why nothing is written. */
static void note_trigger(const struct source *s, const struct options *o)
{
	bool cut = o->source.snaplen < TRIGGER_SEES;
	bool sliced = !afxdp_options_have(s->options, "slice", NULL);

	if (o->source.trigger && !o->source.pre_trigger && (sliced || cut))
		note("%s: --trigger sees only the part of a packet that %s keeps",
		     source_interface(s), sliced ? "the slice" : "the snapshot length");
}

static void note_source(const struct source *s, const struct options *o)
{
	const char *text = s->warned;
	char words[2 * AFXDP_ERROR_SIZE];

	if (text)
		note("%s", words_of_command(text, words, sizeof(words)));
	note_trigger(s, o);
	if (s->shares_spaces)
		return;
	if (s->spaces && !spaces_count(s->spaces))
		note("no network namespace matches %s yet: waiting for one", s->netns);
	else if (s->members && s->patterns[0] && !s->members->present)
		note("no interface matches %s yet: waiting for one", s->patterns);
}

/* Put the interface's name; for a source with many interfaces, what the user gave, and how many
 * there are now. */
static void name_source(const struct source *s, char *text, size_t size)
{
	if (s->spaces)
		snprintf(text, size, "%s (%u interface%s in %u network namespace%s)",
			 source_interface(s), s->members->present,
			 s->members->present == 1 ? "" : "s", spaces_count(s->spaces),
			 spaces_count(s->spaces) == 1 ? "" : "s");
	else if (s->members)
		snprintf(text, size, "%s (%u interface%s)", source_interface(s),
			 s->members->present, s->members->present == 1 ? "" : "s");
	else
		snprintf(text, size, "%s", source_interface(s));
}

/* Use the words of xdp-tools, because scripts look for them. */
static void tell_xdp_tools(const struct source *s, const struct options *o, const char *name)
{
	const char *slow = source_slow_filter(s);
	char where[SOURCE_DESCRIPTION_SIZE];

	source_describe(s, AFXDP_SIDES, where, sizeof(where));
	harmless_print(stderr, "listening on %s, %s%s%s, capture size %u bytes%s%s\n", name, where,
		       o->source.direction == DIRECTION_OUT ? "" : ", capture mode ",
		       o->source.direction == DIRECTION_OUT ? "" : source_place(s),
		       o->source.snaplen, slow ? ", filter " : "", slow ? slow : "");
}

static const char *received_at(const struct source *s)
{
	const char *hooks = afxdp_hooks(s->capture);

	if (strncmp(hooks, "xdp", 3) == 0)
		return strstr(hooks, "dispatcher") ? "at XDP (in a dispatcher)"
		       : afxdp_options_have(s->options, "xdp-mode", "skb") ? "at XDP (generic)"
									   : "at XDP (native)";
	return strncmp(hooks, "tc", 2) == 0 ? "at tc" : "by a packet socket";
}

static const char *sent_at(const struct source *s)
{
	return strstr(afxdp_hooks(s->capture), "packet") ? "by a packet socket" : "at tc";
}

/* "received and sent frames at tc", "received frames at XDP (native), sent frames at tc" */
static void describe_sides(const struct source *s, char *text, size_t size)
{
	const char *received = s->no_side[AFXDP_RECEIVED] ? NULL : received_at(s);
	const char *sent = s->no_side[AFXDP_SENT] ? NULL : sent_at(s);
	const char *to = afxdp_diverted_to(s->capture);

	if (s->program)
		snprintf(text, size, "received frames at the %s of XDP program %u, function %s",
			 source_place(s), s->program, s->function);
	else if (received && sent && strcmp(received, sent) == 0)
		snprintf(text, size, "received and sent frames %s", received);
	else
		snprintf(text, size, "%s%s%s%s%s%s%s", received ? "received frames " : "",
			 received ? received : "", received && to ? ", diverted to " : "",
			 received && to ? to : "", received && sent ? ", " : "",
			 sent ? "sent frames " : "", sent ? sent : "");
}

static void describe_size(const struct source *s, const struct options *o, char *text, size_t size)
{
	if (o->drops_summary)
		snprintf(text, size, "a summary each second");
	else if (!afxdp_options_have(s->options, "slice", NULL))
		snprintf(text, size, "headers of packets (--slice)");
	else if (o->source.snaplen < AFXDP_SNAPLEN_MAX)
		snprintf(text, size, "the first %u bytes of each packet", o->source.snaplen);
	else
		snprintf(text, size, "whole packets");
}

/* What to print before the namespace's name. */
static const char *netns_words(const struct source *s)
{
	if (!s->netns || s->spaces)
		return "";
	return netns_is_process(s->netns) ? " in the network namespace of process "
					  : " in network namespace ";
}

static void tell_place(const struct source *s, const struct options *o)
{
	const char *slow = source_slow_filter(s);
	char sides[SOURCE_DESCRIPTION_SIZE], name[SOURCE_PATTERNS_SIZE + 64], part[64];

	name_source(s, name, sizeof(name));
	if (o->format == FORMAT_XDP_TOOLS && !s->drops) {
		tell_xdp_tools(s, o, name);
		return;
	}
	describe_size(s, o, part, sizeof(part));
	if (s->drops)
		snprintf(sides, sizeof(sides), " for what the host's stack drops");
	else
		describe_sides(s, sides, sizeof(sides));
	harmless_print(stderr, "listening on %s%s%s%s%s, %s%s%s%s\n", name, netns_words(s),
		       netns_words(s)[0] ? s->netns : "", s->drops ? "" : ": ", sides, part,
		       s->drops ? "" : source_nic_time(s), slow ? ", filter " : "",
		       slow ? slow : "");
}

void announce(const struct sources *all, const struct options *o)
{
	if (o->quiet && !o->trial)
		return;
	for (unsigned i = 0; i < all->count; i++)
		note_source(&all->source[i], o);
	notes_tell(o->verbose || o->trial);
	for (unsigned i = 0; i < all->count && o->verbose; i++)
		if (all->source[i].filter.n)
			complain("filter: %s", afxdp_filter_text(all->source[i].capture));
	for (unsigned i = 0; i < all->count && !o->trial; i++)
		tell_place(&all->source[i], o);
}
