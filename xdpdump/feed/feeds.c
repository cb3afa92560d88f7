/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <stddef.h>

#include "feeds.h"
#include "xdpdump/plan/plan.h"

#define PUSH_MS 5 /* how often a full pipe is tried */
#define LOOK_MS 500

static int begin_export(struct feeds *f, const struct feed_plan *p)
{
	int e;

	if (!p->to || p->trial || p->by_rings)
		return 0;
	e = exports_begin(&f->exports, p, 1);
	f->export = f->exports.stream;
	return e;
}

int feeds_open(struct feeds *f, const struct feed_plan *p)
{
	int e = listen_open(&f->listen, p);

	if (!e)
		e = exports_open(&f->exports, p);
	return e ? e : begin_export(f, p);
}

int feeds_begin_rings(struct feeds *f, const struct feed_plan *p, unsigned rings)
{
	return p->to && !p->trial ? exports_begin(&f->exports, p, rings) : 0;
}

struct feeds feeds_of_ring(const struct feeds *f, unsigned ring)
{
	bool has = ring < f->exports.count;

	return (struct feeds){.exports = {.control = -1},
			      .export = has ? &f->exports.stream[ring] : NULL};
}

void feeds_list(const struct feeds *f, struct feed *list[FEEDS_MAX + 1])
{
	unsigned n = 0;

	if (f->listen.feed)
		list[n++] = f->listen.feed;
	if (f->export)
		list[n++] = f->export->feed;
	list[n] = NULL;
}

int feeds_attend(struct feeds *f)
{
	int e = f->export ? export_attend(f->export) : 0;

	if (f->listen.feed)
		feed_push(f->listen.feed);
	if (listen_is_dead(&f->listen))
		e = -ECHILD;
	return f->listen.child || (f->export && f->export->socket >= 0) ? 0 : e;
}

int feeds_due_in(const struct feeds *f)
{
	if (feed_waits(f->listen.feed) || (f->export && feed_waits(f->export->feed)))
		return PUSH_MS;
	return f->listen.feed || f->export ? LOOK_MS : -1;
}

int feeds_end(struct feeds *f)
{
	struct export_status st;

	listen_end(&f->listen);
	exports_end(&f->exports);
	exports_status(&f->exports, &st);
	return st.left ? -1 : 0;
}

void feeds_status(const struct feeds *f, struct feeds_status *st)
{
	const struct serve_state *s = f->listen.state;

	*st = (struct feeds_status){.listens = f->listen.feed};
	if (f->export)
		export_status(f->export, &st->export);
	if (!s)
		return;
	st->clients = s->clients;
	st->joined = s->joined;
	st->refused = s->refused;
	st->given_up = s->given_up;
	st->client_lost = s->lost;
	st->listen_lost = feed_lost(f->listen.feed);
}

void feeds_close(struct feeds *f)
{
	listen_close(&f->listen);
	exports_close(&f->exports);
	f->export = NULL;
}
