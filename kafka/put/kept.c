/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include "kafka/put/kept.h"
#include "kafka/put/letter.h"
#include "kafka/put/sender.h"

void kept_add(struct sender *s, struct letter *l)
{
	struct letter **at = &s->kept;

	if (l->is_kept)
		return;
	l->is_kept = true;
	if (s->kept_last && s->kept_last->turn < l->turn)
		at = &s->kept_last->next;
	else if (s->kept_before && s->kept_before->turn < l->turn)
		at = &s->kept_before->next;
	while (*at && (*at)->turn < l->turn)
		at = &(*at)->next;
	l->next = *at;
	*at = l;
	s->kept_before = l;
	if (!l->next)
		s->kept_last = l;
}

struct letter *kept_take(struct sender *s)
{
	struct letter *l = s->kept;

	s->kept = l->next;
	l->is_kept = false;
	if (!s->kept)
		s->kept_last = NULL;
	if (s->kept_before == l)
		s->kept_before = NULL;
	return l;
}
