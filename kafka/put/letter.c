/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <stdlib.h>

#include "kafka/put/letter.h"
#include "kafka/put/recut.h"
#include "kafka/put/sender.h"
#include "util/command/say.h"

static void free_part(struct part *p)
{
	buffer_free(&p->section);
	free(p->record);
	free(p);
}

void letter_free(struct letter *l)
{
	for (struct part *p = l->parts, *next; p; p = next) {
		next = p->next;
		free_part(p);
	}
	buffer_free(&l->section);
	free(l);
}

bool letter_is_out(const struct letter *l)
{
	for (const struct part *p = l->parts; p; p = p->next)
		if (p->is_out)
			return true;
	return false;
}

struct buffer *part_content(struct part *p)
{
	return p->section.used ? &p->section : &p->letter->section;
}

bool letter_is_wanting(const struct letter *l)
{
	for (const struct part *p = l->parts; p; p = p->next)
		if (!p->is_out && !p->is_done)
			return true;
	return false;
}

struct part *letter_add_part(struct letter *l, struct part **at, struct buffer *section)
{
	struct part *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->letter = l;
	if (section)
		p->section = *section;
	p->next = *at;
	*at = p;
	l->undone++;
	return p;
}

struct parts {
	struct letter *letter;
	struct part *first, **end;
};

static int add_cut(void *context, struct buffer *section, const struct label *label)
{
	struct parts *to = context;
	struct part *p;

	(void)label;
	buffer_shrink(section);
	p = letter_add_part(to->letter, to->end, section);
	if (!p)
		return -ENOMEM;
	to->end = &p->next;
	return 0;
}

static void tell_unfit(struct sender *s, const struct unfit *unfit, bool is_cut)
{
	const char *topic = s->client->address.topic;

	if (!is_cut && !s->uncut_told)
		complain("a section is damaged, so that it cannot be cut into messages of topic %s: its packets "
			 "and names are lost, as those of others will be",
			 topic);
	else if (is_cut && unfit->packets && !s->unfit_told)
		complain("packets are lost, as others of their length will be: a message of topic %s has "
			 "no room for one: raise its max.message.bytes",
			 topic);
	if (is_cut && unfit->others && !s->others_told)
		complain("names, secrets, comments or their like are left out, as others of their length will be: a "
			 "message of topic %s has no room for them: raise its max.message.bytes",
			 topic);
	s->uncut_told |= !is_cut;
	s->unfit_told |= is_cut && unfit->packets;
	s->others_told |= is_cut && unfit->others;
}

/* Once the topic's limit is raised again, the section needs no cut. */
static void tell_uncut(struct sender *s)
{
	if (!s->older_told)
		complain("the spool has a section of an older release, which cannot be cut into messages of topic "
			 "%s: it waits, with all behind it: raise its max.message.bytes to what it was before",
			 s->client->address.topic);
	s->older_told = true;
}

static void drop_parts(struct parts *to)
{
	for (struct part *p = to->first, *next; p; p = next) {
		next = p->next;
		free_part(p);
		to->letter->undone--;
	}
	to->first = NULL;
	to->end = &to->first;
}

/* Replaces a part by smaller ones. A damaged section would block all behind it for ever: so nothing
 * of it is sent. */
static void cut_part(struct sender *s, struct letter *l, struct part **at)
{
	struct part *whole = *at;
	struct parts to = {.letter = l, .end = &to.first};
	struct unfit unfit;
	int e = recut(part_content(whole), s->section, add_cut, &to, &unfit);
	bool is_cut = !e;

	if (e)
		drop_parts(&to);
	if (e == -ENOTSUP)
		tell_uncut(s);
	if (e == -EBADMSG)
		e = recut_none(part_content(whole), s->section, add_cut, &to, &unfit);
	if (e)
		return;
	*to.end = whole->next;
	*at = to.first;
	l->undone--;
	l->unfit += unfit.packets;
	free_part(whole);
	tell_unfit(s, &unfit, is_cut);
}

static bool is_unfit(const struct sender *s, struct part *p)
{
	return !p->is_out && !p->is_done && part_content(p)->used > s->section;
}

/* Is the whole section no longer needed: by no part, nor by the spool? */
static bool is_needless(const struct sender *s, const struct letter *l)
{
	for (const struct part *p = l->parts; p; p = p->next)
		if (!p->section.used && !p->is_done)
			return false;
	return !s->keeps || l->file;
}

void letter_weigh(struct sender *s, struct letter *l)
{
	uint64_t held;

	if (is_needless(s, l))
		buffer_free(&l->section);
	held = l->section.used;
	for (const struct part *p = l->parts; p; p = p->next)
		held += p->section.used;
	s->held += held - l->held;
	l->held = held;
}

bool letter_fit(struct sender *s, struct letter *l)
{
	bool is_twice = s->keeps && !l->file && s->held + l->bytes > s->most;

	for (struct part **at = &l->parts; *at; at = &(*at)->next) {
		if (!is_unfit(s, *at))
			continue;
		if (is_twice && s->out)
			return false;
		cut_part(s, l, at);
	}
	letter_weigh(s, l);
	return true;
}
