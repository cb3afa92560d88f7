/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "kafka/put/sender.h"
#include "kafka/put/spool.h"
#include "kafka/put/state.h"
#include "util/clock.h"
#include "util/command/say.h"
#include "util/put_state.h"

int state_open(struct state *s, uint64_t fd)
{
	void *p;

	*s = (struct state){.to = NULL};
	if (!fd)
		return 0;
	p = mmap(NULL, sizeof(*s->to), PROT_READ | PROT_WRITE, MAP_SHARED, (int)fd, 0);
	if (p == MAP_FAILED) {
		complain("--state-fd %d: %s", (int)fd, strerror(errno));
		return -1;
	}
	s->to = p;
	return 0;
}

static uint64_t in_spool(const struct spool *spool)
{
	return spool->packets + spool->earlier;
}

/*
 * How many packets of the spool were counted twice. The count can be off, and negative, if the
 * earlier run was killed while it spooled a section, or when it had removed files and not yet told
 * that they were acknowledged.
 */
static uint64_t repeated(const struct put_state *before, uint64_t found)
{
	return (found > before->kept ? before->kept : found) - before->spooled;
}

void state_begin(struct state *s, const struct spool *spool)
{
	uint64_t found = in_spool(spool);

	if (!s->to)
		return;
	s->acknowledged = s->to->acknowledged;
	s->earlier = s->to->earlier;
	s->lost = s->to->lost;
	s->told = s->to->told;
	s->dropped = s->to->dropped;
	if (s->to->runs++)
		s->to->repeated += repeated(s->to, found);
	else
		s->to->spool_begun = found;
	s->repeated = s->to->repeated;
	s->to->spooled = s->to->kept = found;
	s->to->acknowledged_at = clock_monotonic();
	s->to->is_ready = 1;
}

/*
 * If we are killed in between, the state says less than there is, never more: what leaves the spool
 * is subtracted before it is added as acknowledged, and what enters the spool is in its files
 * first.
 */
void state_tell(const struct state *s, const struct sender *sender)
{
	if (!s->to)
		return;
	s->to->kept = sender->spool->kept;
	s->to->spool_bytes = sender->spool->used;
	s->to->spool_since = spool_since(sender->spool);
	s->to->acknowledged_at = sender->acknowledged_at;
	s->to->trouble = trouble_of(&sender->trouble, sender);
	s->to->spooled = in_spool(sender->spool);
	s->to->acknowledged = s->acknowledged + sender->acknowledged.packets;
	s->to->repeated = s->repeated + sender->own_lost;
	s->to->earlier = s->earlier + sender->earlier + sender->earlier_lost;
	s->to->lost = s->lost + sender->lost.packets + sender->own_lost;
	s->to->told = s->told + sender->told;
	s->to->dropped = s->dropped + sender->dropped;
}

bool state_is_restart(const struct state *s)
{
	return s->to && s->to->runs;
}

/* How many packets do the brokers or the disk have? */
static int64_t reached_by(const struct put_state *to)
{
	return (int64_t)(to->acknowledged + to->earlier - to->repeated - to->spool_begun +
			 to->spooled);
}

void state_find_vanished(const struct state *s)
{
	int64_t vanished;

	if (!s->to)
		return;
	vanished = (int64_t)(s->to->went - s->to->lost) - reached_by(s->to);
	if (vanished > (int64_t)s->to->vanished)
		s->to->vanished = (uint64_t)vanished;
}

bool state_has_sent_others(const struct state *s)
{
	return s && s->to && s->to->earlier >= s->to->spool_begun;
}

uint64_t state_never_acknowledged(const struct state *s)
{
	int64_t reached, given;

	if (!s->to)
		return 0;
	given = (int64_t)s->to->given;
	reached = reached_by(s->to);
	return given > reached + (int64_t)s->told ? (uint64_t)(given - reached) - s->told : 0;
}

uint64_t state_section(const struct state *s, uint64_t bytes)
{
	return s->to && s->to->section && s->to->section < bytes ? s->to->section : bytes;
}

void state_fit(const struct state *s, uint64_t section)
{
	if (s->to)
		s->to->section = (uint32_t)section;
}

bool state_is_told_elsewhere(const struct state *s)
{
	return s->to && s->to->is_over;
}
