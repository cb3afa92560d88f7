/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What the loader reports while a capture runs. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "capture/attach/attachment.h"
#include "capture/attach/proof.h"
#include "capture/attach/watch.h"
#include "bpf/layout.h"
#include "reader.h"

/* Shows one notice at a time, so that a caller who checks each time misses none. */
static void show_next(struct watch *w)
{
	unsigned n = 0;

	while (n < WATCH_NOTICES && (!w->told[n] || w->shown[n]))
		n++;
	if (n == WATCH_NOTICES)
		return;
	w->shown[n] = true;
	/* Pairs with afxdp_warning(). */
	__atomic_store_n(&w->notice, w->notices[n], __ATOMIC_RELEASE);
}

/* What to do if no frame comes. */
static const char *remedy(const struct plan *p)
{
	return p->divert || p->divert_by_ring ? "leave engine=divert out" : "use hook=tc";
}

static void say(struct watch *w, const struct loader_news *n)
{
	const char *name = w->attachment->facts.name, *rest = remedy(&w->attachment->plan);
	char error[96];

	if (n->events & LOADER_CHANGED)
		rest = "capturing at tc from here on";
	if (n->error) {
		snprintf(error, sizeof(error), "and tc takes no program: %s", strerror(-n->error));
		rest = error;
	}
	snprintf(w->notices[WATCH_BLIND], sizeof(w->notices[WATCH_BLIND]),
		 "the driver of %s has taken the XDP program, but 0 of the first %" PRIu64
		 " frames came to it: %s",
		 name, n->missed, rest);
	w->told[WATCH_BLIND] = true;
}

static void say_before(struct watch *w, enum watch_notice n, uint32_t program)
{
	snprintf(w->notices[n], sizeof(w->notices[n]),
		 "program id %u has come before this capture at tc of %s: frames that it does not pass on are missing here (bpftool prog show id %u)",
		 program, w->attachment->facts.name, program);
	w->told[n] = true;
}

static void say_behind(struct watch *w, enum watch_notice n, const char *name)
{
	snprintf(w->notices[n], sizeof(w->notices[n]),
		 "sent frames of %s are shown as they were before tc programs: %s (as they leave: sent-at=packet)",
		 w->attachment->facts.name, name);
	w->told[n] = true;
}

/* The place for a notice of a program other than the last one; WATCH_NOTICES: there is none. */
static enum watch_notice place_for(const struct watch *w, enum watch_notice first, uint32_t program,
				   uint32_t *last)
{
	unsigned n = first;

	if (program == *last)
		return WATCH_NOTICES;
	*last = program;
	while (n < first + WATCH_COMERS && w->told[n])
		n++;
	return n < first + WATCH_COMERS ? n : WATCH_NOTICES;
}

/* Only loads memory: this runs once a second, and nobody is woken for it. */
static void look_beside(struct watch *w)
{
	const struct beside *b = w->beside;
	uint32_t before = __atomic_load_n(&b->before, __ATOMIC_RELAXED);
	uint32_t behind = __atomic_load_n(&b->behind, __ATOMIC_RELAXED);
	bool sent = w->attachment->plan.out == CAPTURE_HOOK_TC;
	enum watch_notice n = place_for(w, WATCH_BEFORE, before, &w->before);
	char name[32];

	if (n != WATCH_NOTICES)
		say_before(w, n, before);
	n = place_for(w, WATCH_BEHIND, behind, &w->behind);
	if (n != WATCH_NOTICES) {
		snprintf(name, sizeof(name), "program id %u", behind);
		say_behind(w, n, name);
	}
	/* Pairs with the release in loader/beside.c: filter[] is written. */
	if (sent && !w->told[WATCH_FILTER] && __atomic_load_n(&b->has_filter, __ATOMIC_ACQUIRE)) {
		snprintf(name, sizeof(name), "filter %.*s", (int)sizeof(b->filter) - 1, b->filter);
		say_behind(w, WATCH_FILTER, name);
	}
}

/* The loader holds the link at tc, and detaches it when it ends: then the capture ends as well. */
static void change_hook(struct afxdp_reader *r)
{
	struct watch *w = r->watch;
	struct attachment *a = w->attachment;

	if (a->plan.in != CAPTURE_HOOK_XDP)
		return;
	a->plan.in = CAPTURE_HOOK_TC;
	a->plan.bound = a->plan.vlan = false;
	attachment_close_received(a);
	r->reading->filter.image_count = 0; /* the loader has other images */
	watch_process(w, r->wait.news);
}

/* Should it have checked whether frames come to the XDP program, but no longer runs? */
static bool has_lost_proof(const struct afxdp_reader *r)
{
	const struct watch *w = r->watch;
	const struct plan *p = &w->attachment->plan;

	return w->looked_after && r->wait.news < 0 && !r->reading->stopped && p->proof &&
	       p->in == CAPTURE_HOOK_XDP && !w->told[WATCH_BLIND];
}

/* Nobody can look in its place: this thread may not be allowed to open a file any more. */
static void say_unproven(const struct afxdp_reader *r)
{
	const struct ring_set *rings = &r->reading->rings;
	struct watch *w = r->watch;

	for (unsigned i = 0; i < rings->controlled; i++)
		if (ring_counter(&rings->ring[i].control->side[SIDE_RECEIVED].offered))
			return;
	snprintf(w->notices[WATCH_BLIND], sizeof(w->notices[WATCH_BLIND]),
		 "the loader process has ended before a frame came to the XDP program of %s: if none comes, %s",
		 w->attachment->facts.name, remedy(&w->attachment->plan));
	w->told[WATCH_BLIND] = true;
}

void reading_heed(struct afxdp_reader *r)
{
	struct loader_news n;

	if (r->watch->beside)
		look_beside(r->watch);
	wait_read_news(&r->wait);
	n = r->wait.told;
	r->wait.told.events = 0;
	if (n.events & (LOADER_CHANGES | LOADER_CHANGED))
		change_hook(r);
	if (n.events & LOADER_CHANGED) {
		r->watch->missed = n.missed;
		r->watch->error = n.error;
	}
	if (n.events & (LOADER_BLIND | LOADER_CHANGED))
		say(r->watch, &n);
	if (n.events & LOADER_DETACHED)
		r->watch->detached = true;
	if (has_lost_proof(r))
		say_unproven(r);
	show_next(r->watch);
}

/* Drivers do not say this before a frame has come. */
void reading_tell_headroom(struct afxdp_reader *r)
{
	const struct ring_set *rings = &r->reading->rings;
	/* No reader was opened for the rings, which have nothing but such frames. */
	bool left_alone = r->reading->alone && r->reading->first;
	struct watch *w = r->watch;
	uint64_t n = 0;

	if (!w->attachment->plan.divert || w->told[WATCH_HEADROOM])
		return;
	for (unsigned i = 0; i < rings->controlled; i++)
		n += ring_counter(&rings->ring[i].control->no_headroom);
	if (!n)
		return;
	snprintf(w->notices[WATCH_HEADROOM], sizeof(w->notices[WATCH_HEADROOM]),
		 "frames are %s, because %s has no room in front of them for AF_XDP sockets%s",
		 left_alone ? "passed on to the host" : "diverted to the rings",
		 w->attachment->facts.name,
		 left_alone ? ": leave engine=divert out, and use hook=xdp and after=drop" : "");
	w->told[WATCH_HEADROOM] = true;
}

void reading_prove(struct afxdp_reader *r)
{
	struct loader_news n = {.events = LOADER_BLIND};
	enum proof_verdict verdict = r->proof ? proof_look(r->proof) : PROOF_WAITS;

	if (verdict == PROOF_WAITS)
		return;
	if (verdict == PROOF_NONE) {
		proof_count(r->proof, &n.received, &n.missed);
		say(r->watch, &n);
	}
	r->proof = NULL; /* the capture closes it */
}
