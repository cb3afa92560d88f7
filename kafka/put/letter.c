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

static void tell_unfit(struct sender *s, uint64_t packets)
{
	if (packets && !s->unfit_told)
		complain("packets are lost, as others of their length will be: a message of topic %s has "
			 "no room for one: raise its max.message.bytes",
			 s->client->address.topic);
	s->unfit_told |= packets > 0;
}

/* In its place; what cannot be cut stays as it is. */
static void cut_part(struct sender *s, struct letter *l, struct part **at)
{
	struct part *whole = *at;
	struct parts to = {.letter = l, .end = &to.first};
	uint64_t unfit, undone = l->undone;

	if (recut(part_content(whole), s->section, add_cut, &to, &unfit)) {
		while (to.first) {
			struct part *p = to.first;

			to.first = p->next;
			free_part(p);
		}
		l->undone = undone;
		return;
	}
	*to.end = whole->next;
	*at = to.first;
	l->undone--;
	l->unfit += unfit;
	free_part(whole);
	tell_unfit(s, unfit);
}

void letter_fit(struct sender *s, struct letter *l)
{
	for (struct part **at = &l->parts; *at; at = &(*at)->next)
		if (!(*at)->is_out && !(*at)->is_done && part_content(*at)->used > s->section)
			cut_part(s, l, at);
}
