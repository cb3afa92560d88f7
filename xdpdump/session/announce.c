/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <stdio.h>

#include "xdpdump/cli/options.h"
#include "xdpdump/cli/words.h"
#include "xdpdump/os/complain.h"
#include "xdpdump/os/notes.h"
#include "announce.h"
#include "sources.h"

/* Headers that a trigger asks for end before this, with few exceptions. */
#define TRIGGER_SEES 128

/* What was cut off does not match, and nobody would know why nothing is written. */
static void note_trigger(const struct source *s, const struct options *o)
{
	bool cut = o->snaplen < TRIGGER_SEES;
	bool sliced = !afxdp_options_have(s->options, "slice", NULL);

	if (o->trigger && !o->pre_trigger && (sliced || cut))
		note("%s: --trigger sees of a packet only what %s leaves of it", s->ifname,
		     sliced ? "the slice" : "the snapshot length");
}

static void note_source(const struct source *s, const struct options *o)
{
	const char *text = afxdp_warning(s->capture);
	char words[2 * AFXDP_ERROR_SIZE];

	if (text)
		note("%s", words_of_command(text, words, sizeof(words)));
	note_trigger(s, o);
}

/* In the words of xdp-tools, which scripts look for. */
static void tell_place(const struct source *s, const struct options *o)
{
	const char *slow = source_slow_filter(s);
	char where[SOURCE_DESCRIPTION_SIZE];

	source_describe(s, AFXDP_SIDES, where, sizeof(where));
	fprintf(stderr, "listening on %s, %s%s%s, capture size %u bytes%s%s\n", s->ifname, where,
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
