/* SPDX-License-Identifier: BSD-3-Clause */
/* A capture from open to close. Each part has a file of its own; here they are put together. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "caps.h"
#include "capture.h"
#include "clock.h"
#include "facts.h"
#include "filter_state.h"
#include "hook.h"
#include "loader.h"
#include "merge.h"
#include "packet.h"
#include "program.h"
#include "wait.h"

/* The clock's offset and the link are looked at this often, when there is no sign of a change. */
#define CHECK_EVERY_NS NS_PER_SEC

struct capture {
	struct capture_options options;
	struct facts facts;
	struct program program;
	struct ring_set rings;
	struct merge merge;
	struct wait wait;
	struct filter_state filter;
	struct loader loader;
	int packet;	  /* socket for promiscuity and sending; -1: none */
	uint64_t refused; /* records the refining filter rejected */
	uint64_t nic_dropped_before;
	uint64_t checked; /* CLOCK_MONOTONIC ns of the last check */
	bool reading;	  /* the first read has begun */
	char warning[CAPTURE_ERROR_SIZE];
};

static int check_interface(struct capture *c, char *err, size_t size)
{
	const char *name = c->options.ifname;
	int e = facts_get(name, &c->facts);

	if (e == -ENODEV) {
		snprintf(err, size, "%s: no such interface (see: ip link)", name);
	} else if (e) {
		snprintf(err, size, "cannot ask the kernel about %s: %s", name, strerror(-e));
	} else if (!(c->facts.flags & IFF_UP)) {
		snprintf(err, size, "%s is down: ip link set %s up", name, name);
		e = -ENETDOWN;
	}
	c->nic_dropped_before = c->facts.nic_dropped;
	return e;
}

static int open_packet_socket(struct capture *c, char *err, size_t size)
{
	c->packet = packet_open(c->facts.ifindex, c->options.promiscuous);
	if (c->packet >= 0)
		return 0;
	if (c->packet != -EPERM || !caps_missing(err, size))
		snprintf(err, size, "cannot open a packet socket on %s: %s", c->options.ifname,
			 strerror(-c->packet));
	return c->packet;
}

static void set_clock_offset(struct capture *c)
{
	int64_t offset = clock_offset(program_clock_is_tai(&c->program));

	for (unsigned i = 0; i < c->rings.count; i++)
		__atomic_store_n(&c->rings.ring[i].control->clock_offset, offset, __ATOMIC_RELAXED);
}

static int map_rings(struct capture *c, char *err, size_t size)
{
	int e = ring_set_map(&c->rings, program_rings_fd(&c->program), c->program.ring_count,
			     c->program.ring_size);

	if (!e)
		e = wait_open(&c->wait, &c->rings, program_doorbell_fd(&c->program),
			      c->options.immediate);
	if (e)
		snprintf(err, size, "cannot map the capture rings: %s", strerror(-e));
	c->merge.rings = &c->rings;
	return e;
}

/* Append a sentence to the warning. */
static void warn(struct capture *c, const char *format, ...)
{
	size_t used = strlen(c->warning), left = sizeof(c->warning) - used;
	va_list args;

	if (used && left > 2)
		used += (size_t)snprintf(c->warning + used, left, "; ");
	va_start(args, format);
	vsnprintf(c->warning + used, sizeof(c->warning) - used, format, args);
	va_end(args);
}

static void warn_of_tags(struct capture *c)
{
	if (c->facts.strips_vlan && c->program.plan.in == CAPTURE_HOOK_XDP &&
	    !c->program.plan.bound)
		warn(c,
		     "%s takes VLAN tags off before XDP sees the frames: they are missing here (to "
		     "keep them: hook=tc, or ethtool -K %s rxvlan off)",
		     c->options.ifname, c->options.ifname);
}

/* For filters that come after the application has dropped its privileges. */
static void start_loader(struct capture *c)
{
	char why[CAPTURE_ERROR_SIZE];

	if (c->options.loader_off || !c->options.filter_follows)
		return;
	if (loader_start(&c->loader, c->program.images, c->program.image_count, why, sizeof(why)))
		warn(c, "filters set after privileges are dropped will run in user space: %s", why);
}

/* Load and attach at the hooks of the plan. */
static int open_hooks(struct capture *c, char *err, size_t size)
{
	int e = program_load(&c->program, &c->options, &c->facts, err, size);

	if (!e)
		e = map_rings(c, err, size);
	if (e)
		return e;
	c->filter.images = c->program.images;
	c->filter.image_count = c->program.image_count;
	c->filter.loader = &c->loader;
	c->filter.ifindex = c->facts.ifindex;
	filter_state_apply(&c->filter);
	set_clock_offset(c);
	return hook_attach(&c->program, &c->options, &c->facts, err, size);
}

static void close_hooks(struct capture *c)
{
	wait_close(&c->wait);
	ring_set_unmap(&c->rings);
	program_unload(&c->program);
}

/* The driver says what it can only when asked: auto then takes the next best hook. */
static int open_hooks_or_tc(struct capture *c, char *err, size_t size)
{
	struct plan *plan = &c->program.plan;
	int e = open_hooks(c, err, size);

	if (!e || c->options.hook != CAPTURE_HOOK_AUTO || plan->in != CAPTURE_HOOK_XDP ||
	    e == -EPERM || e == -ENOMEM || e == -ENODEV)
		return e;
	close_hooks(c);
	c->warning[0] = 0;
	warn(c, "capturing at tc: %s", err);
	c->options.hook = CAPTURE_HOOK_TC;
	e = hook_choose(plan, &c->options, &c->facts, NULL, 0, err, size);
	return e ? e : open_hooks(c, err, size);
}

static int open_steps(struct capture *c, char *err, size_t size)
{
	int e = check_interface(c, err, size);

	if (!e)
		e = open_packet_socket(c, err, size);
	if (!e)
		e = hook_choose(&c->program.plan, &c->options, &c->facts, c->warning,
				sizeof(c->warning), err, size);
	if (!e)
		e = open_hooks_or_tc(c, err, size);
	if (e)
		return e;
	warn_of_tags(c);
	start_loader(c);
	return wait_poll(&c->wait); /* the notices of what we did ourselves are no news */
}

int capture_open(struct capture **out, const struct capture_options *o, char *err, size_t size)
{
	struct capture *c = calloc(1, sizeof(*c));
	int e;

	*out = NULL;
	if (!c) {
		snprintf(err, size, "out of memory");
		return -ENOMEM;
	}
	c->options = *o;
	if (!o->snaplen || o->snaplen > CAPTURE_SNAPLEN_MAX)
		c->options.snaplen = CAPTURE_SNAPLEN_MAX;
	c->packet = c->loader.socket = c->loader.alive = -1;
	c->program.attachments[0] = c->program.attachments[1] = -1;
	filter_state_init(&c->filter, &c->rings, c->options.snaplen, o->filter_follows);
	c->wait = (struct wait){.epoll = -1, .timer = -1, .event = -1};
	e = open_steps(c, err, size);
	if (e)
		capture_close(c);
	else
		*out = c;
	return e;
}

void capture_close(struct capture *c)
{
	if (!c)
		return;
	loader_stop(&c->loader);
	close_hooks(c);
	filter_state_free(&c->filter);
	if (c->packet >= 0)
		close(c->packet);
	free(c);
}

const char *capture_warning(const struct capture *c)
{
	return c->warning[0] ? c->warning : NULL;
}

int capture_run(struct capture *c, struct capture_run *run)
{
	if (!c->reading) {
		c->reading = true;
		filter_state_begin(&c->filter);
	}
	filter_state_adopt(&c->filter, &c->merge);
	wait_resume(&c->wait);
	if (!merge_run(&c->merge, run))
		return 0;
	run->changed = &c->filter.pending;
	c->wait.busy = true;
	return 1;
}

void capture_run_done(struct capture *c, const struct capture_run *run,
		      const struct epb_header *next)
{
	merge_done(&c->merge, run, next);
}

int capture_set_filter(struct capture *c, const struct sock_filter *f, unsigned n, char *err,
		       size_t size)
{
	return filter_state_set(&c->filter, f, n, err, size);
}

enum capture_rung capture_filter_rung(const struct capture *c)
{
	return c->filter.rung;
}

const char *capture_filter_text(const struct capture *c)
{
	return c->filter.text;
}

const char *capture_filter_log(const struct capture *c)
{
	return c->filter.log;
}

uint32_t capture_refine(struct capture *c, const struct epb_header *r)
{
	uint32_t keep;

	if (merge_trusts(&c->merge, r))
		return r->caplen;
	keep = refine_run(c->filter.current, r);
	if (!keep) {
		c->refused++;
		return 0;
	}
	if (keep > c->options.snaplen)
		keep = c->options.snaplen;
	return keep < r->caplen ? keep : r->caplen;
}

/* Is the interface still there, and are we still on it? */
static int check_link(struct capture *c)
{
	switch (hook_state(&c->program)) {
	case HOOK_ATTACHED: /* also after a move to another namespace */
		return 0;
	case HOOK_DETACHED:
		return facts_refresh(&c->facts) ? -ENODEV : -ENOLINK;
	default:
		return facts_refresh(&c->facts) == -ENODEV ? -ENODEV : 0;
	}
}

/* Once a second, or when something happened to a link. Records that are left come first. */
static int check(struct capture *c)
{
	uint64_t now = clock_monotonic();

	if (!c->wait.links_changed && now - c->checked < CHECK_EVERY_NS)
		return 0;
	c->checked = now;
	c->wait.links_changed = false;
	set_clock_offset(c);
	return wait_pending(&c->wait) ? 0 : check_link(c);
}

int capture_poll(struct capture *c)
{
	int e = wait_poll(&c->wait);

	return e ? e : check(c);
}

int capture_wait(struct capture *c, int timeout_ms)
{
	int64_t limit = timeout_ms < 0 ? -1 : timeout_ms * NS_PER_MS;
	int e = check(c);

	if (e)
		return e;
	if (c->merge.held) /* too young to be sure of its order: it will not be for long */
		limit = WINDOW_NS;
	else if (limit < 0 || limit > CHECK_EVERY_NS)
		limit = CHECK_EVERY_NS;
	e = wait_sleep(&c->wait, limit);
	if (e == -ETIME)
		e = c->merge.held || timeout_ms < 0 || limit < timeout_ms * NS_PER_MS ? 0 : e;
	return e;
}

void capture_rest(struct capture *c)
{
	wait_rest(&c->wait, wait_pending(&c->wait));
}

int capture_fd(const struct capture *c)
{
	return c->wait.epoll;
}

bool capture_has_link_header(const struct capture *c)
{
	return !c->program.plan.no_link_header;
}

void capture_set_directions(struct capture *c, bool in, bool out)
{
	uint32_t unwanted = (in ? 0 : EPB_FLAG_INBOUND) | (out ? 0 : EPB_FLAG_OUTBOUND);

	for (unsigned i = 0; i < c->rings.count; i++)
		__atomic_store_n(&c->rings.ring[i].control->unwanted, unwanted, __ATOMIC_RELAXED);
}

void capture_wake(struct capture *c)
{
	wait_wake(&c->wait);
}

int capture_set_blocking(struct capture *c, bool blocking)
{
	return wait_set_blocking(&c->wait, blocking);
}

int capture_stats(struct capture *c, struct capture_stats *s)
{
	memset(s, 0, sizeof(*s));
	for (unsigned i = 0; i < c->rings.count; i++) {
		const struct ring_control *r = c->rings.ring[i].control;

		s->offered += ring_counter(&r->offered);
		s->matched += ring_counter(&r->matched);
		s->lost_full += ring_counter(&r->lost_full);
		s->lost_copy += ring_counter(&r->lost_copy);
		s->lost_reentry += ring_counter(&r->lost_reentry);
		s->truncated += ring_counter(&r->truncated);
		s->bells += ring_counter(&r->bells);
	}
	s->lost_no_ring = program_lost_no_ring(&c->program);
	s->refused = c->refused;
	facts_refresh(&c->facts); /* gone: what was last known */
	s->nic_dropped = c->facts.nic_dropped - c->nic_dropped_before;
	return 0;
}

int capture_inject(struct capture *c, const void *frame, size_t length)
{
	return packet_send(c->packet, c->facts.ifindex, frame, length);
}
