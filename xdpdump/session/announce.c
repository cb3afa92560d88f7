/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <stdio.h>

#include "util/harmless.h"
#include "xdpdump/cli/options.h"
#include "xdpdump/cli/words.h"
#include "xdpdump/os/complain.h"
#include "xdpdump/os/notes.h"
#include "xdpdump/spaces/spaces.h"
#include "announce.h"
#include "members.h"
#include "sources.h"

/* Headers that a trigger asks for end before this, with few exceptions. */
#define TRIGGER_SEES 128

/* What was cut off does not match, and nobody would know why nothing is written. */
static void note_trigger(const struct source *s, const struct options *o)
{
	bool cut = o->snaplen < TRIGGER_SEES;
	bool sliced = !afxdp_options_have(s->options, "slice", NULL);

	if (o->trigger && !o->pre_trigger && (sliced || cut))
		note("%s: --trigger sees only the part of a packet that %s keeps", s->ifname,
		     sliced ? "the slice" : "the snapshot length");
}

static void note_source(const struct source *s, const struct options *o)
{
	const char *text = afxdp_warning(s->capture);
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

/* In place of an interface's: what stands for many, and how many that is now. */
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

/* In the words of xdp-tools, which scripts look for. */
static void tell_place(const struct source *s, const struct options *o)
{
	const char *slow = source_slow_filter(s);
	char where[SOURCE_DESCRIPTION_SIZE], name[SOURCE_PATTERNS_SIZE + 64];

	name_source(s, name, sizeof(name));
	if (s->drops) {
		harmless_print(stderr,
			       "listening on %s for what the host's stack drops, capture size %u bytes%s%s\n",
			       name, o->snaplen, slow ? ", filter " : "", slow ? slow : "");
		return;
	}
	source_describe(s, AFXDP_SIDES, where, sizeof(where));
	harmless_print(stderr, "listening on %s, %s%s%s, capture size %u bytes%s%s\n", name, where,
		       o->direction == DIRECTION_OUT ? "" : ", capture mode ",
		       o->direction == DIRECTION_OUT ? "" : source_place(s), o->snaplen,
		       slow ? ", filter " : "", slow ? slow : "");
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
