/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <libmnl/libmnl.h>

#include "attachment.h"
#include "watch.h"

void watch_open(struct watch *w, struct attachment *attachment, bool traces)
{
	*w = (struct watch){.attachment = attachment,
			    .asks = facts_open(),
			    .traces = traces,
			    .holder = attachment->facts.xdp_prog_id};
}

void watch_close(struct watch *w)
{
	if (w->asks)
		mnl_socket_close(w->asks);
	w->asks = NULL;
}

int watch_refresh(struct watch *w)
{
	return facts_refresh(&w->attachment->facts, w->asks);
}

/* Links hold on to a program that is traced, also when it is no longer in the hook. */
static int look_at_traced(struct watch *w)
{
	int e = watch_refresh(w);

	if (e == -ENODEV)
		return e;
	return w->attachment->facts.xdp_prog_id == w->holder ? 0 : -ENOLINK;
}

/* Nothing of ours tells whether the dispatcher still has our program; that there is none does. */
static int look_at_dispatcher(struct watch *w)
{
	int e = watch_refresh(w);

	if (e == -ENODEV)
		return e;
	return e || w->attachment->facts.xdp_prog_id ? 0 : -ENOLINK;
}

int watch_look(struct watch *w)
{
	if (w->traces)
		return look_at_traced(w);
	if (w->attachment->plan.join)
		return look_at_dispatcher(w);
	switch (attachment_state(w->attachment)) {
	case ATTACHMENT_HOLDS: /* also after a move to another namespace */
		return 0;
	case ATTACHMENT_DETACHED:
		return watch_refresh(w) ? -ENODEV : -ENOLINK;
	default:
		return watch_refresh(w) == -ENODEV ? -ENODEV : 0;
	}
}
