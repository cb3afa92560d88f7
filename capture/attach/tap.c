/* SPDX-License-Identifier: BSD-3-Clause */
#include <bpf/bpf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "caps.h"
#include "util/clock.h"
#include "hook.h"
#include "packet.h"
#include "capture/ring/ring.h"
#include "tap.h"

void tap_init(struct tap *t)
{
	*t = (struct tap){.ring_count = 0};
	for (unsigned i = 0; i < TAP_FDS; i++)
		t->fd[i] = -1;
}

void tap_warn(struct tap *t, const char *format, ...)
{
	size_t used = strlen(t->warning), left = sizeof(t->warning) - used;
	va_list args;

	if (used && left > 2)
		used += (size_t)snprintf(t->warning + used, left, "; ");
	va_start(args, format);
	vsnprintf(t->warning + used, sizeof(t->warning) - used, format, args);
	va_end(args);
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Stamps first: who has the hook next then sees them as they were, and does not rely on ours. */
void tap_detach(struct tap *t)
{
	stamp_restore(t->packet, &t->stamps);
	for (unsigned i = 0; i < IMAGES_MAX; i++)
		close_fd(&t->attachments[i]);
}

void tap_close(struct tap *t)
{
	tap_detach(t);
	for (unsigned i = 0; i < TAP_FDS; i++)
		close_fd(&t->fd[i]);
}

int tap_sender(const struct tap *t)
{
	for (unsigned i = 0; i < IMAGES_MAX; i++)
		if (t->attachments[i] >= 0 && !t->is_link[i])
			return t->attachments[i];
	return t->packet;
}

enum tap_state tap_state(const struct tap *t)
{
	enum tap_state state = t->passed && t->attachments[0] < 0 ? TAP_UNKNOWN : TAP_ATTACHED;

	for (unsigned i = 0; i < IMAGES_MAX; i++) {
		struct bpf_link_info info = {0};
		uint32_t length = sizeof(info);

		if (t->attachments[i] < 0)
			continue;
		/* A socket cannot tell, and before 5.19 nor can a link, without privilege. */
		if (!t->is_link[i] || bpf_obj_get_info_by_fd(t->attachments[i], &info, &length))
			state = TAP_UNKNOWN;
		else if (info.xdp.ifindex == 0) /* TCX links have theirs in the same place */
			return TAP_DETACHED;
	}
	return state;
}

int tap_check_interface(struct tap *t, const char *name, char *err, size_t size)
{
	int e = facts_get(name, &t->facts);

	if (e == -ENODEV) {
		snprintf(err, size, "%s: no such interface (see: ip link)", name);
	} else if (e) {
		snprintf(err, size, "cannot ask the kernel about %s: %s", name, strerror(-e));
	} else if (!(t->facts.flags & IFF_UP)) {
		snprintf(err, size, "%s is down: ip link set %s up", name, name);
		e = -ENETDOWN;
	}
	return e;
}

static int open_packet_socket(struct tap *t, const struct afxdp_options *o, char *err, size_t size)
{
	t->packet = packet_open(t->facts.ifindex, o->promiscuous);
	if (t->packet >= 0)
		return 0;
	if (t->packet != -EPERM || !caps_missing(err, size))
		snprintf(err, size, "cannot open a packet socket on %s: %s", o->ifname,
			 strerror(-t->packet));
	return t->packet;
}

static void warn_of_tags(struct tap *t, const struct afxdp_options *o)
{
	const char *name = o->ifname;
	/* What a veth's peer put beside the frame stays there, whatever this end is set to. */
	bool veth = strcmp(t->facts.kind, "veth") == 0;

	if (!o->vlan_off && t->facts.strips_vlan && t->plan.in == CAPTURE_HOOK_XDP && !t->plan.vlan)
		tap_warn(t,
			 "%s takes VLAN tags off before XDP sees the frames: they are missing here (to keep them: hook=tc%s%s%s)",
			 name, veth ? "" : ", or ethtool -K ", veth ? "" : name,
			 veth ? "" : " rxvlan off");
}

/* Why a bound program is not told something that was asked for. */
static const char *why_not_told(const struct tap *t, bool by_driver)
{
	if (t->plan.in != CAPTURE_HOOK_XDP)
		return "only the XDP hook is told of them";
	return by_driver ? "only native XDP is told of them"
			 : "its driver does not tell XDP of them";
}

/* For stamps that are converted: can they be? */
static int open_clock(struct tap *t, const struct afxdp_options *o)
{
	struct nic_clock c = {.synced = true};
	int e;

	if (!o->nic_synced)
		return 0;
	t->clock = c.ptp = stamp_open_clock(t->facts.clock);
	e = c.ptp < 0 ? c.ptp : nic_clock_compare(&c);
	if (e)
		close_fd(&t->clock);
	return e;
}

/* Before the program is loaded: a driver may reset the link for it. */
static void enable_stamps(struct tap *t, const struct afxdp_options *o)
{
	const char *why = NULL;
	int e = 0;

	if (!o->nic_time)
		return;
	if (t->plan.time)
		e = open_clock(t, o);
	else if (t->facts.gives_time && !t->facts.has_clock)
		why = "it has no clock that stamps every frame";
	else
		why = why_not_told(t, t->facts.gives_time);
	if (!e && !why)
		e = stamp_enable(t->packet, t->facts.ifindex, &t->stamps);
	if (!e && !why)
		return;
	t->plan.time = false;
	tap_warn(t, "time stamps are the host's, not those of %s: %s", o->ifname,
		 why ? why : strerror(-e));
}

/*
 * That the interface stamped every frame already may have been another capture's doing, which has
 * ended since and put back what was. Now the hook is ours, and with it the configuration.
 */
static void enable_stamps_again(struct tap *t, const struct afxdp_options *o)
{
	int e = 0;

	if (t->plan.time && !t->stamps.ifindex)
		e = stamp_enable(t->packet, t->facts.ifindex, &t->stamps);
	if (e)
		tap_warn(t, "time stamps are the host's, not those of %s: %s", o->ifname,
			 strerror(-e));
}

static void warn_of_hash(struct tap *t, const struct afxdp_options *o)
{
	if (o->hash && !t->plan.hash)
		tap_warn(t, "no hashes of %s are recorded: %s", o->ifname,
			 why_not_told(t, t->facts.gives_hash));
}

/* Before a program writes to them. */
static int prepare_rings(const struct tap *t, const struct afxdp_options *o)
{
	struct ring_set s = {.count = 0};
	int64_t offset = clock_offset(t->clock_is_tai);
	int e = ring_set_map_control(&s, t->rings, t->ring_count, t->ring_size);

	for (unsigned i = 0; i < s.count && !e; i++) {
		s.ring[i].control->clock_offset = offset;
		s.ring[i].control->snaplen = o->snaplen;
		s.ring[i].control->mode = o->filter_follows ? RING_KEEP_WHOLE : 0;
	}
	ring_set_unmap(&s);
	return e;
}

/* Descriptors of our own, so that it does not matter who loaded the program. */
static int take_rings(struct tap *t, const struct program *p)
{
	t->rings = fcntl(program_rings_fd(p), F_DUPFD_CLOEXEC, 3);
	t->ring_count = p->ring_count;
	t->ring_size = p->ring_size;
	t->clock_is_tai = program_clock_is_tai(p);
	return t->rings < 0 ? -errno : 0;
}

static int take_counters(struct tap *t, const struct program *p)
{
	t->doorbell = fcntl(program_doorbell_fd(p), F_DUPFD_CLOEXEC, 3);
	t->counters = fcntl(program_counters_fd(p), F_DUPFD_CLOEXEC, 3);
	if (p->plan.divert)
		t->sockets = fcntl(program_sockets_fd(p), F_DUPFD_CLOEXEC, 3);
	return t->doorbell < 0 || t->counters < 0 || (p->plan.divert && t->sockets < 0) ? -errno
											: 0;
}

/* The program into the dispatcher; the one for what is sent is attached as always. */
static int join(struct tap *t, struct program *p, const struct afxdp_options *o, char *err,
		size_t size)
{
	int e;

	if (!program_join) {
		snprintf(err, size, "only the loader process joins a dispatcher");
		return -EOPNOTSUPP;
	}
	e = program_join(p, o->ifname, &t->facts, err, size);
	return e ? e : program_take_images(p, &t->facts);
}

/* For when the loader has opened the tap, and ends before we do. */
static int take_slots(struct tap *t, const struct program *p, char *err, size_t size)
{
	for (unsigned i = 0; i < p->image_count; i++) {
		if (p->images[i].place != IMAGE_SLOT)
			continue;
		t->slots[i] = fcntl(p->images[i].fd, F_DUPFD_CLOEXEC, 3);
		if (t->slots[i] < 0) {
			int e = -errno;

			snprintf(err, size, "cannot keep the capture program: %s", strerror(-e));
			return e;
		}
	}
	return 0;
}

/* Load and attach at the hooks of the plan. */
static int open_hooks(struct tap *t, struct program *p, const struct afxdp_options *o, char *err,
		      size_t size)
{
	int e;

	enable_stamps(t, o);
	p->plan = t->plan;
	e = program_load(p, o, &t->facts, err, size);
	if (e)
		return e;
	e = take_rings(t, p);
	if (!e)
		e = prepare_rings(t, o);
	if (!e && t->plan.join) {
		e = join(t, p, o, err, size);
		if (e)
			return e;
	}
	if (!e)
		e = take_counters(t, p);
	if (e) {
		snprintf(err, size, "cannot map the capture rings: %s", strerror(-e));
		return e;
	}
	for (unsigned i = 0; i < p->image_count; i++)
		t->is_link[i] = p->images[i].type != BPF_PROG_TYPE_SOCKET_FILTER;
	e = hook_attach(p, o, &t->facts, t->attachments, err, size);
	if (!e)
		enable_stamps_again(t, o);
	return e ? e : take_slots(t, p, err, size);
}

static void close_hooks(struct tap *t, struct program *p)
{
	tap_detach(t);
	close_fd(&t->clock);
	close_fd(&t->rings);
	close_fd(&t->doorbell);
	close_fd(&t->sockets);
	close_fd(&t->counters);
	for (unsigned i = 0; i < IMAGES_MAX; i++)
		close_fd(&t->slots[i]);
	program_unload(p);
}

/* The next best hook has better luck, unless it is not the hook's fault. */
static bool is_of_the_hook(int e)
{
	return e != -EPERM && e != -ENOMEM && e != -ENODEV && e != -EMFILE && e != -ENFILE;
}

/* What a driver can it says only when asked: auto then takes the next best hook. */
static int open_hooks_or_tc(struct tap *t, struct program *p, const struct afxdp_options *o,
			    char *err, size_t size)
{
	struct afxdp_options tc = *o;
	int e = open_hooks(t, p, o, err, size);

	if (!e || o->hook != CAPTURE_HOOK_AUTO || t->plan.in != CAPTURE_HOOK_XDP ||
	    t->plan.divert || t->plan.own || t->plan.join || !is_of_the_hook(e))
		return e;
	close_hooks(t, p);
	t->warning[0] = 0;
	tap_warn(t, "capturing at tc: %s", err);
	tc.hook = CAPTURE_HOOK_TC;
	e = hook_choose(&t->plan, &tc, &t->facts, NULL, 0, err, size);
	return e ? e : open_hooks(t, p, &tc, err, size);
}

int tap_open(struct tap *t, struct program *p, const struct afxdp_options *o, char *err,
	     size_t size)
{
	int e;

	tap_init(t);
	e = tap_check_interface(t, o->ifname, err, size);
	if (!e)
		e = open_packet_socket(t, o, err, size);
	if (!e)
		e = hook_choose(&t->plan, o, &t->facts, t->warning, sizeof(t->warning), err, size);
	if (!e)
		e = open_hooks_or_tc(t, p, o, err, size);
	if (e) {
		tap_close(t);
		program_unload(p);
		return e;
	}
	warn_of_tags(t, o);
	warn_of_hash(t, o);
	return 0;
}

int tap_try(struct tap *t, const struct afxdp_options *o, char *err, size_t size)
{
	struct program p = {.bpf = NULL};
	int e;

	tap_init(t);
	e = facts_get(o->ifname, &t->facts);
	if (e)
		snprintf(err, size, "cannot ask the kernel about %s: %s", o->ifname, strerror(-e));
	if (!e)
		e = hook_choose(&t->plan, o, &t->facts, t->warning, sizeof(t->warning), err, size);
	if (e) {
		t->plan = (struct plan){.in = CAPTURE_HOOK_AUTO};
		return e;
	}
	warn_of_tags(t, o);
	warn_of_hash(t, o);
	p.plan = t->plan;
	e = program_load(&p, o, &t->facts, err, size);
	t->ring_count = p.ring_count;
	t->ring_size = p.ring_size;
	program_unload(&p);
	return e;
}
