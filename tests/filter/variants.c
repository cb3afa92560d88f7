/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "variants.h"

const struct variant variants[VARIANTS] = {
	{"xdp frags", FILTER_XDP, FILTER_LEVEL_FRAGS, false},
	{"xdp helper", FILTER_XDP, FILTER_LEVEL_HELPER, false},
	{"xdp frags tagged", FILTER_XDP, FILTER_LEVEL_FRAGS, true},
	{"xdp helper tagged", FILTER_XDP, FILTER_LEVEL_HELPER, true},
	{"skb frags", FILTER_SKB, FILTER_LEVEL_FRAGS, false},
	{"skb helper", FILTER_SKB, FILTER_LEVEL_HELPER, false},
	{"skb frags tagged", FILTER_SKB, FILTER_LEVEL_FRAGS, true},
	{"skb helper tagged", FILTER_SKB, FILTER_LEVEL_HELPER, true},
	{"buff helper", FILTER_BUFF, FILTER_LEVEL_HELPER, false},
};

struct filter_options variant_options(const struct variant *v, unsigned disable)
{
	return (struct filter_options){
		.ctx = v->ctx,
		.level = v->level,
		.tagged = v->ctx == FILTER_XDP && v->tagged,
		.tag_slot = TAG_SLOT,
		.stack_top = STACK_TOP,
		.unrolled = true,
		.disable = disable,
	};
}

/* Under XDP a record, and a filter, ends at 65535 bytes. */
static uint32_t captured(const struct variant *v, const struct frame *recorded)
{
	return v->ctx != FILTER_SKB && recorded->len > UINT16_MAX ? UINT16_MAX : recorded->len;
}

struct verdict variant_expect(const struct variant *v, const struct program *lowered,
			      const struct frame *recorded)
{
	return oracle(lowered->f, lowered->n, recorded->data, recorded->len, captured(v, recorded));
}

bool variant_libpcap_agrees(const struct variant *v, const struct program *lowered,
			    const struct frame *recorded, const struct verdict *expected)
{
	if (expected->endless)
		return true;
	if (filter_run(lowered->f, recorded->data, recorded->len, captured(v, recorded)) !=
	    expected->value)
		return false;
	if (expected->reads_garbage)
		return true;
	return libpcap_filter(lowered->f, recorded->data, recorded->len, captured(v, recorded)) ==
	       expected->value;
}

void program_lower(struct program *to, const struct program *from, uint32_t direction)
{
	struct filter_user_facts facts = {.ifindex = IFINDEX,
					  .queue = QUEUE,
					  .direction = direction};

	*to = *from;
	to->f = calloc(from->n, sizeof(*to->f));
	filter_lower_user(from->f, from->n, &facts, to->f);
}

enum { KEPT = 8 };

static struct translated kept[KEPT];

static void forget(struct translated *t)
{
	for (unsigned i = 0; i < VARIANTS * LEVELS; i++)
		filter_code_free(&t->code[i / LEVELS][i % LEVELS]);
	free(t->p.f);
	free(t->lowered.f);
	*t = (struct translated){.p.f = NULL};
}

static void translate(struct translated *t, const char *name)
{
	for (unsigned i = 0; i < VARIANTS; i++) {
		for (unsigned level = 0; level < LEVELS; level++) {
			struct filter_options options =
				variant_options(&variants[i], (1U << level) - 1);
			char why[128] = "";
			int rc = filter_translate(t->p.f, t->p.n, &options, &t->code[i][level], why,
						  sizeof(why));

			check(rc == 0, "%s, %s: %s", name, variants[i].name, why);
		}
	}
}

const struct translated *variants_translated(const char *name, const struct program *p)
{
	static unsigned next;
	struct translated *t;

	for (t = kept; t < kept + KEPT; t++)
		if (t->p.f && t->p.n == p->n && !memcmp(t->p.f, p->f, p->n * sizeof(*p->f)))
			return t;
	t = &kept[next++ % KEPT];
	forget(t);
	t->p = (struct program){.f = calloc(p->n, sizeof(*p->f)), .n = p->n};
	memcpy(t->p.f, p->f, p->n * sizeof(*p->f));
	program_lower(&t->lowered, &t->p, 0);
	translate(t, name);
	return t;
}
