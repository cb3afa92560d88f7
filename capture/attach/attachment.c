/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <bpf/bpf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "capture/attach/facts/caps.h"
#include "carrier.h"
#include "hold_signals.h"
#include "default_route.h"
#include "util/clock.h"
#include "hook.h"
#include "capture/attach/facts/neighbors.h"
#include "capture/attach/program/first.h"
#include "packet.h"
#include "capture/ring/ring.h"
#include "attachment.h"
#include "capture/attach/program/rings.h"
#include "capture/attach/program/timers.h"
#include "util/no_bpf.h"

#define END_MS	200 /* how long a capture that has ended may hold the XDP hook */
#define LOOK_MS 10

void attachment_init(struct attachment *a)
{
	*a = (struct attachment){.place.count = 0};
	for (unsigned i = 0; i < ATTACHMENT_FDS; i++)
		a->fd[i] = -1;
}

void attachment_warn(struct attachment *a, const char *format, ...)
{
	size_t used = strlen(a->warning), left = sizeof(a->warning) - used;
	va_list args;

	if (used && left > 2)
		used += (size_t)snprintf(a->warning + used, left, "; ");
	va_start(args, format);
	vsnprintf(a->warning + used, sizeof(a->warning) - used, format, args);
	va_end(args);
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Stamps first: whoever gets the hook next then sees the original configuration, and does not rely
 * on ours. */
void attachment_detach(struct attachment *a)
{
	stamp_restore(a->packet, &a->stamps);
	for (unsigned i = 0; i < IMAGES_MAX; i++)
		close_fd(&a->holders[i]);
}

void attachment_close(struct attachment *a)
{
	attachment_detach(a);
	for (unsigned i = 0; i < ATTACHMENT_FDS; i++)
		close_fd(&a->fd[i]);
}

void attachment_close_received(struct attachment *a)
{
	close_fd(&a->holders[0]);
	close_fd(&a->slots[0]);
}

static void close_rings(struct attachment *a)
{
	for (unsigned i = 0; i < RING_MAPS_MAX; i++)
		close_fd(&a->rings[i]);
}

void attachment_mapped(struct attachment *a)
{
	close_rings(a);
	close_fd(&a->doorbell);
	close_fd(&a->counters);
	close_fd(&a->sets);
	close_fd(&a->left_out);
}

int attachment_sender(const struct attachment *a)
{
	for (unsigned i = 0; i < IMAGES_MAX; i++)
		if (a->holders[i] >= 0 && !a->is_link[i])
			return a->holders[i];
	return a->packet;
}

bool attachment_is_at_tc(const struct attachment *a)
{
	return a->plan.in == CAPTURE_HOOK_TC || a->plan.out == CAPTURE_HOOK_TC;
}

int attachment_link(const struct attachment *a, unsigned i)
{
	enum capture_hook in = a->plan.in;
	bool traces =
		in == CAPTURE_HOOK_FENTRY || in == CAPTURE_HOOK_FEXIT || in == CAPTURE_HOOK_DROPS;

	return a->is_link[i] && !traces && !a->plan.join ? a->holders[i] : -1;
}

bool attachment_is_detached(int link)
{
	struct bpf_link_info info = {0};
	uint32_t length = sizeof(info);

	/* For TCX links, the interface is at the same place in the struct. */
	return link >= 0 && bpf_obj_get_info_by_fd(link, &info, &length) == 0 &&
	       info.xdp.ifindex == 0;
}

enum attachment_state attachment_state(const struct attachment *a)
{
	enum attachment_state state =
		a->borrowed && a->holders[0] < 0 ? ATTACHMENT_UNKNOWN : ATTACHMENT_HOLDS;

	for (unsigned i = 0; i < IMAGES_MAX; i++) {
		struct bpf_link_info info = {0};
		uint32_t length = sizeof(info);

		if (a->holders[i] < 0)
			continue;
		/* A socket cannot tell; before 5.19, without privilege, nor can a link. */
		if (!a->is_link[i] || bpf_obj_get_info_by_fd(a->holders[i], &info, &length))
			state = ATTACHMENT_UNKNOWN;
		else if (info.xdp.ifindex == 0) /* the same place for TCX links */
			return ATTACHMENT_DETACHED;
	}
	return state;
}

int attachment_check_interface(struct attachment *a, const char *name, char *err, size_t size)
{
	int e = 0;

	if (strcmp(name, AFXDP_ANY) == 0)
		facts_of_any(&a->facts);
	else
		e = facts_get(name, &a->facts);
	if (e == -ENODEV) {
		snprintf(err, size, "%s: no such interface (see: ip link)", name);
	} else if (e) {
		snprintf(err, size, "cannot ask the kernel about %s: %s", name, strerror(-e));
	} else if (!(a->facts.flags & IFF_UP)) {
		snprintf(err, size, "%s is down: ip link set %s up", name, name);
		e = -ENETDOWN;
	}
	return e;
}

static int open_packet_socket(struct attachment *a, const struct afxdp_options *o, char *err,
			      size_t size)
{
	bool promiscuous = o->promiscuous && !o->trial && !options_are_any(o);

	a->packet = packet_open(a->facts.ifindex, promiscuous);
	if (a->packet >= 0)
		return 0;
	if (a->packet != -EPERM || (!caps_missing(err, size) && !no_bpf_here(err, size)))
		snprintf(err, size, "cannot open a packet socket on %s: %s", o->ifname,
			 strerror(-a->packet));
	return a->packet;
}

static void warn_of_tags(struct attachment *a, const struct afxdp_options *o)
{
	const struct tags *t = &a->facts.tags;
	const char *name = o->ifname;

	if (!o->vlan_off && t->stripped && a->plan.in == CAPTURE_HOOK_XDP && !a->plan.vlan)
		attachment_warn(a,
				"%s takes VLAN tags off before XDP sees the frames: they are missing here (to keep them: hook=tc%s%s%s%s)",
				name, t->keep[0] ? ", or ethtool -K " : "", t->keep[0] ? name : "",
				t->keep[0] ? " " : "", t->keep);
}

/* Only if XDP was asked for by name: auto chooses tc for such a bond. */
static void warn_of_slaves(struct attachment *a, const struct afxdp_options *o)
{
	if (a->facts.inactive_slaves && a->plan.in == CAPTURE_HOOK_XDP)
		attachment_warn(a,
				"at XDP %s has the frames of its inactive slave as well, which the host leaves out (to leave them out: hook=tc)",
				o->ifname);
}

/* The programs of our links. Returns how many. */
static unsigned own_programs(const struct attachment *a, uint32_t ids[IMAGES_MAX])
{
	unsigned n = 0;

	for (unsigned i = 0; i < IMAGES_MAX; i++) {
		struct bpf_link_info info = {0};
		uint32_t length = sizeof(info);

		if (a->is_link[i] && a->holders[i] >= 0 &&
		    bpf_obj_get_info_by_fd(a->holders[i], &info, &length) == 0)
			ids[n++] = info.prog_id;
	}
	return n;
}

/*
 * The capture does not show what others do to a frame after us. Without CAP_SYS_ADMIN the kernel
 * only tells the id of a program, so we recognize our own by that.
 */
static void warn_of_neighbors(struct attachment *a, const struct afxdp_options *o)
{
	uint32_t own[IMAGES_MAX];
	char names[192];

	if (a->plan.out == CAPTURE_HOOK_TC &&
	    neighbors_at_egress(a->facts.ifindex, own, own_programs(a, own), names, sizeof(names)))
		attachment_warn(a,
				"sent frames of %s are shown as they were before tc programs: %s (as they leave: sent-at=packet)",
				o->ifname, names);
}

/* They would be cut, which whoever reads the file should know. */
static void warn_of_big_frames(struct attachment *a, const struct program *p,
			       const struct afxdp_options *o)
{
	if (rings_want_big(p, o, &a->facts) && !p->ring_is_big)
		attachment_warn(a, "BIG TCP frames of %s are cut to %u bytes: %s has them whole",
				o->ifname, CAPLEN_MAX,
				o->pre_trigger ? "a larger ring-total=" : "ring=2M or more");
}

/* Why a bound program does not get something that was asked for. */
static const char *why_not_told(const struct attachment *a, bool by_driver)
{
	if (a->plan.in != CAPTURE_HOOK_XDP)
		return "only the XDP hook gets them";
	return by_driver ? "only native XDP gets them" : "its driver does not report them to XDP";
}

/* For stamps that are to be converted: is that possible? */
static int open_clock(struct attachment *a, const struct afxdp_options *o)
{
	struct nic_clock c = {.synced = true};
	int e;

	if (!o->nic_synced)
		return 0;
	a->clock = c.ptp = stamp_open_clock(a->facts.clock);
	e = c.ptp < 0 ? c.ptp : nic_clock_compare(&c);
	if (e)
		close_fd(&a->clock);
	return e;
}

static const char *why_no_stamps(const struct attachment *a)
{
	if (a->plan.in == CAPTURE_HOOK_TC)
		return "it has no clock that stamps frames";
	if (a->plan.in != CAPTURE_HOOK_XDP)
		return "only XDP and tc get them";
	if (a->facts.gives_time && !a->facts.has_clock)
		return "it has no clock that stamps every frame";
	return why_not_told(a, a->facts.gives_time);
}

static void warn_of_stamps(struct attachment *a, const char *name, const char *why)
{
	attachment_warn(a, "time stamps are the host's, not those of %s: %s", name, why);
}

/* Called before the program is loaded, because a driver may reset the link for this. */
static void enable_stamps(struct attachment *a, const struct afxdp_options *o)
{
	int e = 0;

	if (!o->nic_time)
		return;
	if (!a->plan.time) {
		warn_of_stamps(a, o->ifname, why_no_stamps(a));
		return;
	}
	e = open_clock(a, o);
	if (!e && !o->trial)
		e = stamp_enable(a->packet, a->facts.ifindex, a->facts.stamps, &a->stamps);
	if (e) {
		a->plan.time = false;
		warn_of_stamps(a, o->ifname, strerror(-e));
	} else if (!a->facts.has_clock) {
		attachment_warn(a, "%s stamps only frames of PTP: the others have the host's time",
				o->ifname);
	}
}

/*
 * If the interface already stamped every frame, that may have been for another capture, which has
 * ended since and restored the old configuration. Now the hook is ours, and so is the
 * configuration.
 */
static void enable_stamps_again(struct attachment *a, const struct afxdp_options *o)
{
	int e = 0;

	if (a->plan.time && !a->stamps.ifindex && !o->trial)
		e = stamp_enable(a->packet, a->facts.ifindex, a->facts.stamps, &a->stamps);
	if (e)
		warn_of_stamps(a, o->ifname, strerror(-e));
}

static void warn_of_hash(struct attachment *a, const struct afxdp_options *o)
{
	if (o->hash && !a->plan.hash)
		attachment_warn(a, "no hashes of %s are recorded: %s", o->ifname,
				why_not_told(a, a->facts.gives_hash));
}

/* Called before any program writes to them. */
static int prepare_rings(const struct attachment *a, const struct program *p,
			 const struct afxdp_options *o)
{
	struct ring_set s = {.count = 0};
	int64_t offset = clock_offset(a->clock_is_tai);
	int e = ring_set_map_control(&s, a->rings, &a->place);

	if (!e)
		rings_describe(p, &s);
	for (unsigned i = 0; i < s.count && !e; i++) {
		s.ring[i].control->clock_offset = offset;
		s.ring[i].control->snaplen = o->snaplen;
		s.ring[i].control->mode = o->filter_follows ? RING_KEEP_WHOLE : 0;
		/* Record nothing before afxdp_keep_newest(), or before the gate opens. */
		s.ring[i].control->unwanted =
			(o->pre_trigger ? EPB_FLAG_INBOUND | EPB_FLAG_OUTBOUND : 0) |
			(o->held ? RING_GATE_BEGINS : 0);
		s.ring[i].control->gate = RING_GATE_NEVER;
	}
	ring_set_unmap(&s);
	return e;
}

/* Make copies of the descriptors, so that it does not matter who loaded the program. */
static int take_rings(struct attachment *a, const struct program *p)
{
	a->place = p->place;
	a->shares_ring = p->shares_ring;
	a->clock_is_tai = program_clock_is_tai(p);
	for (unsigned i = 0; i < p->place.maps.count; i++) {
		a->rings[i] = fcntl(program_rings_fd(p, i), F_DUPFD_CLOEXEC, 3);
		if (a->rings[i] < 0)
			return -errno;
	}
	return 0;
}

static int take_counters(struct attachment *a, const struct program *p)
{
	a->doorbell = fcntl(program_doorbell_fd(p), F_DUPFD_CLOEXEC, 3);
	a->counters = fcntl(program_counters_fd(p), F_DUPFD_CLOEXEC, 3);
	if (timers_fd(p) >= 0)
		a->timers = fcntl(timers_fd(p), F_DUPFD_CLOEXEC, 3);
	if (p->plan.divert)
		a->sockets = fcntl(program_sockets_fd(p), F_DUPFD_CLOEXEC, 3);
	if (program_left_out_fd(p) >= 0)
		a->left_out = fcntl(program_left_out_fd(p), F_DUPFD_CLOEXEC, 3);
	if (program_sets_fd(p) >= 0)
		a->sets = fcntl(program_sets_fd(p), F_DUPFD_CLOEXEC, 3);
	if (a->doorbell < 0 || a->counters < 0 || (p->plan.divert && a->sockets < 0) ||
	    (timers_fd(p) >= 0 && a->timers < 0) || (program_sets_fd(p) >= 0 && a->sets < 0) ||
	    (program_left_out_fd(p) >= 0 && a->left_out < 0))
		return -errno;
	return 0;
}

/* Put the program into the dispatcher; the one for sent frames is attached as usual. */
static int join(struct attachment *a, struct program *p, const struct afxdp_options *o, char *err,
		size_t size)
{
	int e;

	if (!p->join && o->trial) /* only the loader process could tell */
		return 0;
	if (!p->join) {
		snprintf(err, size, "only the loader process joins a dispatcher");
		return -EOPNOTSUPP;
	}
	e = p->join(p, o, &a->facts, err, size);
	return e || o->trial ? e : program_take_images(p, &a->facts);
}

/* Needed if the loader has opened the attachment, and ends before this process does. */
static int take_slots(struct attachment *a, const struct program *p, char *err, size_t size)
{
	for (unsigned i = 0; i < p->image_count; i++) {
		if (p->images[i].place != IMAGE_SLOT)
			continue;
		a->slots[i] = fcntl(p->images[i].fd, F_DUPFD_CLOEXEC, 3);
		if (a->slots[i] < 0) {
			int e = -errno;

			snprintf(err, size, "cannot keep the capture program: %s", strerror(-e));
			return e;
		}
	}
	return 0;
}

/* If a driver takes its card down for the program, no frame would come until the card is up
 * again. */
static void await_carrier(struct attachment *a, const struct afxdp_options *o, uint64_t since)
{
	char text[16];
	uint64_t down;
	bool up;

	down = carrier_await(a->facts.name, since, &up);
	snprintf(text, sizeof(text), "%.1f", (double)down / NS_PER_SEC);
	if (down && up)
		attachment_warn(a,
				"the link of %s was down for %s s, because its driver resets it for an XDP program",
				o->ifname, text);
	else if (down)
		attachment_warn(a,
				"the link of %s has been down since an XDP program came, for %s s",
				o->ifname, text);
}

/* Load and attach at the hooks of the plan. *since: when the kernel was asked to attach. */
static int load_and_attach(struct attachment *a, struct program *p, const struct afxdp_options *o,
			   uint64_t *since, char *err, size_t size)
{
	int e;

	enable_stamps(a, o);
	p->plan = a->plan;
	e = program_load(p, o, &a->facts, err, size);
	if (e)
		return e;
	e = take_rings(a, p);
	if (!e)
		e = prepare_rings(a, p, o);
	if (!e && a->plan.join) {
		e = join(a, p, o, err, size);
		if (e)
			return e;
	}
	if (!e)
		e = take_counters(a, p);
	if (e) {
		snprintf(err, size, "cannot map the capture rings: %s", strerror(-e));
		return e;
	}
	if (a->plan.divert && p->open_sockets && !o->trial)
		e = p->open_sockets(p->owner, err, size);
	if (e)
		return e;
	for (unsigned i = 0; i < p->image_count; i++)
		a->is_link[i] = p->images[i].type != BPF_PROG_TYPE_SOCKET_FILTER;
	first_load(p, o);
	*since = clock_monotonic();
	return hook_attach(p, o, &a->facts, a->holders, err, size);
}

/* In the loader process an alarm ends loads that take long: limit.c. */
static int open_hooks(struct attachment *a, struct program *p, const struct afxdp_options *o,
		      char *err, size_t size)
{
	bool native = a->plan.in == CAPTURE_HOOK_XDP && o->xdp_mode == CAPTURE_XDP_NATIVE;
	bool was_up = native && !o->trial && carrier_is_up(a->facts.name);
	uint64_t since = 0;
	sigset_t before;
	int e;

	if (!p->builder)
		hold_signals(&before);
	e = load_and_attach(a, p, o, &since, err, size);
	if (!p->builder)
		release_signals(&before);
	if (!e && was_up)
		await_carrier(a, o, since);
	if (!e)
		enable_stamps_again(a, o);
	if (!e)
		e = take_slots(a, p, err, size);
	if (!e && !o->trial)
		program_let_go(p);
	return e;
}

static void close_hooks(struct attachment *a, struct program *p)
{
	attachment_detach(a);
	close_fd(&a->clock);
	close_rings(a);
	close_fd(&a->doorbell);
	close_fd(&a->timers);
	close_fd(&a->sockets);
	close_fd(&a->sets);
	close_fd(&a->left_out);
	close_fd(&a->counters);
	for (unsigned i = 0; i < IMAGES_MAX; i++)
		close_fd(&a->slots[i]);
	program_unload(p);
}

/* Is trying the next best hook useful? Not for these errors, which have other causes. */
static bool is_of_the_hook(int e)
{
	return e != -EPERM && e != -ENOMEM && e != -ENODEV && e != -EMFILE && e != -ENFILE;
}

/* What a driver supports shows only when it is asked: hook=auto then uses the next best hook. */
static int open_hooks_or_tc(struct attachment *a, struct program *p, const struct afxdp_options *o,
			    char *err, size_t size)
{
	struct afxdp_options tc = *o;
	int e = open_hooks(a, p, o, err, size);

	if (!e || o->hook != CAPTURE_HOOK_AUTO || a->plan.in != CAPTURE_HOOK_XDP ||
	    a->plan.divert || a->plan.divert_by_ring || a->plan.own || a->plan.join ||
	    !is_of_the_hook(e))
		return e;
	close_hooks(a, p);
	a->warning[0] = 0;
	attachment_warn(a, "capturing at tc: %s", err);
	tc.hook = CAPTURE_HOOK_TC;
	tc.xdp_mode = CAPTURE_XDP_NATIVE; /* has no effect there */
	e = hook_choose(&a->plan, &tc, &a->facts, NULL, 0, err, size);
	return e ? e : open_hooks(a, p, &tc, err, size);
}

/*
 * A capture that has ended holds the XDP hook until its loader has ended too, and until all that
 * look at its program (bpftool, another capture that begins) have let go of it.
 */
static void await_end(struct facts *f, const struct afxdp_options *o)
{
	uint32_t holder = f->xdp_prog_id;

	if (!holder || (o->hook != CAPTURE_HOOK_AUTO && o->hook != CAPTURE_HOOK_XDP) ||
	    !neighbors_may_be_capture(holder))
		return;
	for (int ms = 0; ms < END_MS && f->xdp_prog_id == holder; ms += LOOK_MS) {
		clock_sleep(LOOK_MS);
		if (facts_refresh(f, NULL))
			break;
	}
}

int attachment_open(struct attachment *a, struct program *p, const struct afxdp_options *o,
		    char *err, size_t size)
{
	int e;

	attachment_init(a);
	e = attachment_check_interface(a, o->ifname, err, size);
	if (!e)
		e = open_packet_socket(a, o, err, size);
	if (!e) {
		await_end(&a->facts, o);
		e = hook_choose(&a->plan, o, &a->facts, a->warning, sizeof(a->warning), err, size);
	}
	if (!e)
		e = default_route_spare(o, &a->facts, err, size);
	if (!e)
		e = open_hooks_or_tc(a, p, o, err, size);
	if (e) {
		attachment_close(a);
		program_unload(p);
		return e;
	}
	warn_of_neighbors(a, o);
	warn_of_big_frames(a, p, o);
	warn_of_tags(a, o);
	warn_of_slaves(a, o);
	warn_of_hash(a, o);
	return 0;
}

int attachment_try(struct attachment *a, const struct afxdp_options *o, char *err, size_t size)
{
	struct program p = {.bpf = NULL};
	struct afxdp_options trial = *o;
	int e = 0;

	trial.trial = true;
	attachment_init(a);
	if (options_are_any(o))
		facts_of_any(&a->facts);
	else
		e = facts_get(o->ifname, &a->facts);
	if (e)
		snprintf(err, size, "cannot ask the kernel about %s: %s", o->ifname, strerror(-e));
	if (!e) {
		await_end(&a->facts, o);
		e = hook_choose(&a->plan, o, &a->facts, a->warning, sizeof(a->warning), err, size);
	}
	if (e) {
		a->plan = (struct plan){.in = CAPTURE_HOOK_AUTO};
		return e;
	}
	a->plan.proof = PLAN_PROVES_NOTHING;
	e = open_hooks_or_tc(a, &p, &trial, err, size);
	warn_of_neighbors(a, o);
	if (!e)
		warn_of_big_frames(a, &p, o);
	warn_of_tags(a, o);
	warn_of_slaves(a, o);
	warn_of_hash(a, o);
	a->place = p.place;
	attachment_close(a);
	program_unload(&p);
	return e;
}
