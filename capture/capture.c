/* SPDX-License-Identifier: BSD-3-Clause */
/* A capture from open to close. Each part has a file of its own; here they are put together. */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "capture_private.h"
#include "clock.h"
#include "packet.h"
#include "passed.h"

/* The clock's offset and the link are looked at this often, when there is no sign of a change. */
#define CHECK_EVERY_NS NS_PER_SEC
/* Frames that the kernel could not send at once are tried again this often. */
#define FLUSH_EVERY_NS NS_PER_MS
/* Of a capture that has no rings of the program, for what it sends itself. */
#define OWN_RING_SIZE (4u << 20)

static void set_clock_offset(struct capture *c)
{
	int64_t offset = clock_offset(c->tap.clock_is_tai);

	for (unsigned i = 0; i < c->rings.controlled; i++)
		__atomic_store_n(&c->rings.ring[i].control->clock_offset, offset, __ATOMIC_RELAXED);
}

static int map_counters(struct capture *c)
{
	void *p = mmap(NULL, SIDES * sizeof(*c->lost_no_ring), PROT_READ, MAP_SHARED,
		       c->tap.counters, 0);

	if (p == MAP_FAILED)
		return -errno;
	c->lost_no_ring = p;
	return 0;
}

static int map_rings(struct capture *c, char *err, size_t size)
{
	int e = 0;

	if (c->tap.passed)
		ring_set_init(&c->rings, OWN_RING_SIZE);
	else
		e = ring_set_map(&c->rings, c->tap.rings, c->tap.ring_count, c->tap.ring_size);
	if (!e && !c->tap.passed)
		e = map_counters(c);
	if (!e)
		e = wait_open(&c->wait, &c->rings, c->tap.doorbell, c->options.immediate);
	if (e)
		snprintf(err, size, "cannot map the capture rings: %s", strerror(-e));
	c->merge.rings = &c->rings;
	return e;
}

/*
 * Open the tap here, and start the loader for filters that come after the application has dropped
 * its privileges; or, where the privilege is missing, have the loader open it.
 */
static int open_tap(struct capture *c, char *err, size_t size)
{
	const struct capture_options *o = &c->options;
	int e = tap_open(&c->tap, &c->program, o, err, size);
	char why[CAPTURE_ERROR_SIZE];

	if (e == -EPERM && !o->loader_off && o->engine == CAPTURE_ENGINE_TAP)
		return loader_open(&c->loader, o, &c->tap, why, sizeof(why)) == 0 ? 0 : e;
	if (e || o->loader_off || !o->filter_follows)
		return e;
	if (loader_start(&c->loader, &c->tap, c->program.images, c->program.image_count, why,
			 sizeof(why)))
		tap_warn(&c->tap,
			 "filters set after privileges are dropped will run in user space%s: %s",
			 c->tap.stamps.ifindex
				 ? ", and the interface goes on stamping frames after that"
				 : "",
			 why);
	return 0;
}

/* The sockets as sources beside the rings, which have what is sent. */
static int add_sockets(struct capture *c)
{
	int e = 0;

	for (unsigned i = 0; i < c->divert.count && !e; i++) {
		e = ring_set_add(&c->rings, &c->divert.sockets[i]);
		if (!e)
			e = wait_add_socket(&c->wait, xsk_fd(&c->divert.sockets[i]));
	}
	return e;
}

static int open_sockets(struct capture *c, char *err, size_t size)
{
	struct divert *d = &c->divert;
	int e;

	if (!c->tap.plan.divert)
		return 0;
	d->foreign = c->tap.foreign;
	e = divert_open(d, &c->options, &c->tap.facts, c->tap.sockets,
			c->tap.plan.time || c->tap.plan.hash, err, size);
	if (e)
		return e;
	e = inject_open(&c->inject, divert_sender(d), divert_frame_max(&c->tap.facts), &c->options,
			&c->rings, &c->wait);
	if (!e)
		e = add_sockets(c);
	if (e)
		snprintf(err, size, "cannot read the AF_XDP sockets: %s", strerror(-e));
	divert_describe(d, c->sockets, sizeof(c->sockets));
	return e;
}

/* The loader joins the dispatcher, since it has to leave it whatever becomes of this process. */
static int join_by_loader(struct capture *c, char *err, size_t size)
{
	if (c->options.loader_off) {
		snprintf(err, size,
			 "join=on needs the loader process, which leaves the dispatcher "
			 "at the end: leave loader=off out");
		return -EINVAL;
	}
	return loader_open(&c->loader, &c->options, &c->tap, err, size);
}

static int open_any_tap(struct capture *c, char *err, size_t size)
{
	return c->options.join && !c->options.out_only ? join_by_loader(c, err, size)
						       : open_tap(c, err, size);
}

static int open_steps(struct capture *c, char *err, size_t size)
{
	bool passed = c->options.sock_fd_count || c->options.prog_fd;
	int e = passed ? passed_open(&c->tap, &c->options, err, size) : open_any_tap(c, err, size);

	if (!e)
		e = map_rings(c, err, size);
	if (!e)
		e = open_sockets(c, err, size);
	if (!e && passed)
		e = passed_attach(&c->tap, &c->options, err, size);
	if (e)
		return e;
	c->asks = facts_open();
	c->filter.images = c->program.images;
	c->filter.image_count = c->program.image_count;
	c->filter.loader = &c->loader;
	c->filter.ifindex = c->tap.facts.ifindex;
	c->filter.kernel_only =
		!passed && (c->tap.plan.divert || c->options.after_drop) && !c->options.rest_drop;
	c->nic_dropped_before = c->tap.facts.nic_dropped;
	c->holder = c->tap.facts.xdp_prog_id;
	c->nic_clock = (struct nic_clock){.synced = c->options.nic_synced, .ptp = c->tap.clock};
	if (c->tap.plan.time && c->options.nic_synced)
		e = nic_clock_compare(&c->nic_clock); /* as it was when the tap was opened */
	if (e) {
		snprintf(err, size, "the clock of %s cannot be compared with the host's: %s",
			 c->options.ifname, strerror(-e));
		return e;
	}
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
	tap_init(&c->tap);
	c->loader = (struct loader){.socket = -1, .alive = -1};
	c->wait = (struct wait){.epoll = -1, .timer = -1, .event = -1, .sockets = -1};
	filter_state_init(&c->filter, &c->rings, c->options.snaplen, o->filter_follows);
	e = open_steps(c, err, size);
	if (e) {
		capture_close(c);
		return e;
	}
	c->divert.owns = true;
	*out = c;
	return 0;
}

/* May frames be kept from the host? */
static void set_armed(struct capture *c, bool armed)
{
	for (unsigned i = 0; i < c->rings.controlled; i++)
		__atomic_store_n(&c->rings.ring[i].control->armed, armed, __ATOMIC_RELAXED);
}

void capture_stop(struct capture *c)
{
	set_armed(c, false);
	c->stopped = true;
	loader_stop(&c->loader); /* it holds the links as well */
	if (!c->divert.count || !divert_closes_first(&c->tap.facts))
		tap_detach(&c->tap);
}

void capture_close(struct capture *c)
{
	if (!c)
		return;
	capture_stop(c);
	if (c->asks)
		mnl_socket_close(c->asks);
	wait_close(&c->wait);
	inject_close(&c->inject);
	divert_close(&c->divert);
	filter_state_free(&c->filter);
	ring_set_unmap(&c->rings);
	if (c->lost_no_ring)
		munmap((void *)c->lost_no_ring, SIDES * sizeof(*c->lost_no_ring));
	program_unload(&c->program);
	tap_close(&c->tap);
	free(c);
}

const char *capture_warning(const struct capture *c)
{
	return c->tap.warning[0] ? c->tap.warning : NULL;
}

/* The reader is here. */
void capture_begin_read(struct capture *c)
{
	if (!c->reading) {
		c->reading = true;
		filter_state_begin(&c->filter);
		set_armed(c, !c->stopped);
	}
	filter_state_adopt(&c->filter, &c->merge);
	wait_resume(&c->wait);
}

static int hand_out(struct capture *c, struct capture_run *run)
{
	run->changed = &c->filter.pending;
	c->wait.busy = true;
	return 1;
}

int capture_run(struct capture *c, struct capture_run *run)
{
	capture_begin_read(c);
	return merge_run(&c->merge, run) ? hand_out(c, run) : 0;
}

int capture_run_seen(struct capture *c, struct capture_run *run)
{
	capture_begin_read(c);
	return merge_run_seen(&c->merge, run) ? hand_out(c, run) : 0;
}

/* Does the next look come later than at once? */
static bool is_paced(const struct capture *c)
{
	return !c->options.immediate && !c->merge.crowded;
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

uint32_t capture_keep(const struct capture *c, const struct merge *m, const struct epb_header *r,
		      uint64_t refused[SIDES])
{
	uint32_t keep;

	if (merge_trusts(m, r))
		return r->caplen;
	keep = refine_run(c->filter.current, r);
	if (!keep) {
		refused[epb_is_sent(r) ? SIDE_SENT : SIDE_RECEIVED]++;
		return 0;
	}
	if (keep > c->options.snaplen)
		keep = c->options.snaplen;
	return keep < r->caplen ? keep : r->caplen;
}

uint32_t capture_refine(struct capture *c, const struct epb_header *r)
{
	return capture_keep(c, &c->merge, r, c->refused);
}

/* Links hold on to a program that is traced, also when it is no longer in the hook. */
static int check_traced(struct capture *c)
{
	int e = facts_refresh(&c->tap.facts, c->asks);

	if (e == -ENODEV)
		return e;
	return c->tap.facts.xdp_prog_id == c->holder ? 0 : -ENOLINK;
}

/* Nothing of ours tells whether the dispatcher still has our program; that there is none does. */
static int check_dispatcher(struct capture *c)
{
	int e = facts_refresh(&c->tap.facts, c->asks);

	if (e == -ENODEV)
		return e;
	return e || c->tap.facts.xdp_prog_id ? 0 : -ENOLINK;
}

/* Is the interface still there, and are we still on it? */
static int check_link(struct capture *c)
{
	if (c->program.traces)
		return check_traced(c);
	if (c->tap.plan.join)
		return check_dispatcher(c);
	switch (tap_state(&c->tap)) {
	case TAP_ATTACHED: /* also after a move to another namespace */
		return 0;
	case TAP_DETACHED:
		return facts_refresh(&c->tap.facts, c->asks) ? -ENODEV : -ENOLINK;
	default:
		return facts_refresh(&c->tap.facts, c->asks) == -ENODEV ? -ENODEV : 0;
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
	/* Parts are read by others, who come to what is left when they are told of the end. */
	return !c->parts && wait_pending(&c->wait) ? 0 : check_link(c);
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
	if (limit < 0 || limit > CHECK_EVERY_NS)
		limit = CHECK_EVERY_NS;
	if (xsk_tx_flush(&c->inject.tx) && limit > FLUSH_EVERY_NS)
		limit = FLUSH_EVERY_NS;
	e = wait_sleep(&c->wait, limit, c->merge.held);
	if (e == -ETIME)
		e = timeout_ms < 0 || limit < timeout_ms * NS_PER_MS ? 0 : e;
	return e;
}

void capture_gather(struct capture *c, int timeout_ms)
{
	int64_t left = wait_pace(&c->wait);

	if (!is_paced(c))
		return;
	if (timeout_ms > 0 && left > timeout_ms * NS_PER_MS)
		left = timeout_ms * NS_PER_MS;
	left += (int64_t)(c->merge.looked - clock_monotonic());
	if (left > 0 && check(c) == 0) /* an error comes again in capture_wait() */
		wait_sleep(&c->wait, left, c->merge.held);
}

void capture_rest(struct capture *c)
{
	/* Nothing comes to a socket before the first read, for which who selects must be woken. */
	bool first = c->divert.count && !c->reading;
	bool unsent = xsk_tx_flush(&c->inject.tx);
	bool more = is_paced(c) ? merge_has_seen(&c->merge) : wait_pending(&c->wait);

	wait_rest(&c->wait, first || more, c->merge.held || unsent);
}

int capture_fd(const struct capture *c)
{
	return c->wait.epoll;
}

const char *capture_hooks(const struct capture *c)
{
	const struct plan *p = &c->tap.plan;

	switch (p->in) {
	case CAPTURE_HOOK_XDP:
		if (p->join && p->out == CAPTURE_HOOK_AUTO)
			return "xdp, in a dispatcher";
		if (p->join)
			return p->out == CAPTURE_HOOK_TC
				       ? "xdp, in a dispatcher, and tc for sent frames"
				       : "xdp, in a dispatcher, and a packet socket for sent "
					 "frames";
		if (p->out == CAPTURE_HOOK_AUTO)
			return "xdp";
		return p->out == CAPTURE_HOOK_TC ? "xdp, and tc for sent frames"
						 : "xdp, and a packet socket for sent frames";
	case CAPTURE_HOOK_TC:
		return "tc";
	case CAPTURE_HOOK_PACKET:
		return "packet socket";
	case CAPTURE_HOOK_FENTRY:
		return "fentry";
	case CAPTURE_HOOK_FEXIT:
		return "fexit";
	default:
		return p->out == CAPTURE_HOOK_TC ? "tc, sent frames only"
						 : "packet socket, sent frames only";
	}
}

const char *capture_sockets(const struct capture *c)
{
	return c->divert.count ? c->sockets : NULL;
}

bool capture_offers_nic_time(const char *device, bool synced)
{
	struct capture_options o = {.nic_time = true};
	char unread[CAPTURE_ERROR_SIZE];
	struct facts f;

	return capture_parse_device(device, &o, unread, sizeof(unread)) == 0 &&
	       o.xdp_mode == CAPTURE_XDP_NATIVE &&
	       (o.hook == CAPTURE_HOOK_AUTO || o.hook == CAPTURE_HOOK_XDP) &&
	       facts_get(o.ifname, &f) == 0 && f.gives_time && f.has_clock &&
	       (!synced || f.clock >= 0);
}

bool capture_has_nic_time(const struct capture *c)
{
	return c->tap.plan.time;
}

uint64_t capture_time(struct capture *c, const struct epb_header *r)
{
	return c->tap.plan.time ? nic_clock_time(&c->nic_clock, r) : epb_time(r);
}

bool capture_has_link_header(const struct capture *c)
{
	return !c->tap.plan.no_link_header;
}

void capture_set_directions(struct capture *c, bool in, bool out)
{
	uint32_t unwanted = (in ? 0 : EPB_FLAG_INBOUND) | (out ? 0 : EPB_FLAG_OUTBOUND);

	for (unsigned i = 0; i < c->rings.controlled; i++)
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

/* While frames are under way it is not known; where none are, what did not arrive did not. */
static void count_sockets(const struct capture *c, struct capture_stats *s, uint64_t diverted)
{
	uint64_t received;

	divert_count(&c->divert, s, &received);
	if (c->tap.passed) { /* nobody says more than the sockets do */
		s->offered += received + s->lost_socket;
		s->matched += received + s->lost_socket;
		s->side_seen[SIDE_RECEIVED] += received + s->lost_socket;
		s->side_matched[SIDE_RECEIVED] += received + s->lost_socket;
	}
	if (c->stopped && !wait_pending(&c->wait) && diverted > received + s->lost_socket)
		s->lost_redirect = diverted - received - s->lost_socket;
	s->side_lost[SIDE_RECEIVED] += s->no_socket + s->lost_socket + s->lost_redirect;
}

void capture_count_refused(struct capture_stats *s, const uint64_t refused[SIDES])
{
	for (enum side i = 0; i < SIDES; i++) {
		s->refused += refused[i];
		s->side_refused[i] += refused[i];
	}
}

void capture_count_no_ring(struct capture_stats *s, const struct capture *c)
{
	for (enum side i = 0; i < SIDES && c->lost_no_ring; i++) {
		uint64_t n = ring_counter(&c->lost_no_ring[i]);

		s->lost_no_ring += n;
		s->side_seen[i] += n;
		s->side_matched[i] += n;
		s->side_lost[i] += n;
	}
}

int capture_stats(struct capture *c, struct capture_stats *s)
{
	uint64_t diverted = 0;

	memset(s, 0, sizeof(*s));
	for (unsigned i = 0; i < c->rings.controlled; i++) {
		const struct ring_control *r = c->rings.ring[i].control;

		ring_count(r, s);
		s->no_socket += ring_counter(&r->no_socket);
		diverted += ring_counter(&r->diverted);
	}
	if (c->divert.count)
		count_sockets(c, s, diverted);
	capture_count_no_ring(s, c);
	capture_count_refused(s, c->refused);
	s->injected = c->inject.by_socket;
	s->injected_packet = c->inject.by_packet;
	s->unstamped = c->nic_clock.missing;
	facts_refresh(&c->tap.facts, c->asks); /* gone: what was last known */
	s->nic_dropped = c->tap.facts.nic_dropped - c->nic_dropped_before;
	__atomic_store_n(&c->nic_dropped, s->nic_dropped, __ATOMIC_RELAXED);
	return 0;
}

int capture_inject(struct capture *c, const void *frame, size_t length)
{
	int n = -EOPNOTSUPP;

	if (inject_takes(&c->inject, length))
		n = inject_send(&c->inject, frame, length);
	if (n != -EOPNOTSUPP)
		return n;
	if (c->tap.packet < 0)
		return length > divert_frame_max(&c->tap.facts) ? -EMSGSIZE : -EINVAL;
	n = packet_send(c->tap.packet, c->tap.facts.ifindex, frame, length);
	c->inject.by_packet += n >= 0;
	return n;
}
