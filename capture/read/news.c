/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What the loader has to say while a capture goes on. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "capture/attach/attachment.h"
#include "capture/attach/proof.h"
#include "capture/attach/watch.h"
#include "reader.h"

static void say(struct watch *w, const struct loader_news *n)
{
	const char *name = w->attachment->facts.name, *rest = "use hook=tc";
	char error[96];

	if (w->attachment->plan.divert || w->attachment->plan.divert_by_ring)
		rest = "leave engine=divert out";
	if (n->events & LOADER_CHANGED)
		rest = "capturing at tc from here on";
	if (n->error) {
		snprintf(error, sizeof(error), "and tc takes no program: %s", strerror(-n->error));
		rest = error;
	}
	__atomic_store_n(&w->has_notice, false, __ATOMIC_RELEASE);
	snprintf(w->notice, sizeof(w->notice),
		 "the driver of %s has taken the XDP program, but 0 of the first %" PRIu64
		 " frames came to it: %s",
		 name, n->missed, rest);
	__atomic_store_n(&w->has_notice, true, __ATOMIC_RELEASE); /* pairs with afxdp_warning() */
}

/* The loader has the link at tc, and detaches it when it ends: then so does the capture. */
static void change_hook(struct afxdp_reader *r)
{
	struct watch *w = r->watch;
	struct attachment *a = w->attachment;

	if (a->plan.in != CAPTURE_HOOK_XDP)
		return;
	a->plan.in = CAPTURE_HOOK_TC;
	a->plan.bound = a->plan.vlan = false;
	attachment_close_received(a);
	r->reading->filter.image_count = 0; /* the loader's are other ones */
	watch_keeper(w, r->wait.news);
}

void reading_heed(struct afxdp_reader *r)
{
	struct loader_news n;

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
}

/* Drivers do not say so before a frame has come. */
void reading_tell_headroom(struct afxdp_reader *r)
{
	const struct ring_set *rings = &r->reading->rings;
	/* Of the rings, which have nothing else, no reader was made. */
	bool left_alone = r->reading->alone && r->reading->first;
	struct watch *w = r->watch;
	uint64_t n = 0;

	if (!w->attachment->plan.divert || w->has_notice)
		return;
	for (unsigned i = 0; i < rings->controlled; i++)
		n += ring_counter(&rings->ring[i].control->no_headroom);
	if (!n)
		return;
	snprintf(w->notice, sizeof(w->notice),
		 "frames are %s, because %s has no room in front of them for AF_XDP sockets%s",
		 left_alone ? "passed on to the host" : "diverted to the rings",
		 w->attachment->facts.name,
		 left_alone ? ": leave engine=divert out, and use hook=xdp and after=drop" : "");
	__atomic_store_n(&w->has_notice, true, __ATOMIC_RELEASE); /* pairs with afxdp_warning() */
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
