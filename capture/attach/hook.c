/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <arpa/inet.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/if_ether.h>
#include <linux/if_link.h>
#include <linux/if_packet.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "capture/attach/program/first.h"
#include "capture/attach/refusal/agree.h"
#include "capture/attach/facts/caps.h"
#include "capture/attach/facts/neighbors.h"
#include "capture/attach/refusal/conditions.h"
#include "capture/attach/trace/drops.h"
#include "bpf/capture.skel.h"
#include "util/uapi.h"
#include "hook.h"
#include "capture/attach/refusal/refusal.h"
#include "capture/attach/trace/trace.h"
#include "capture/attach/refusal/trial.h"
#include "capture/attach/refusal/words.h"

/* Without a relative program, BPF_F_BEFORE means before all others. */
static int attach_tcx(int program, unsigned ifindex, int type)
{
	LIBBPF_OPTS(bpf_link_create_opts, opts, .flags = BPF_F_BEFORE);

	return bpf_link_create(program, (int)ifindex, (enum bpf_attach_type)type, &opts);
}

int hook_attach_ingress(int program, unsigned ifindex)
{
	return attach_tcx(program, ifindex, TCX_INGRESS);
}

/* Before 1.3, libbpf has no member for the id of the other program: it is passed in that of the
 * type. */
static int attach_at_ingress(int program, unsigned ifindex)
{
	uint32_t other = neighbors_to_follow(ifindex);
	LIBBPF_OPTS(bpf_link_create_opts, opts, .flags = BPF_F_AFTER | BPF_F_ID,
		    .target_btf_id = other);
	int e = other ? bpf_link_create(program, (int)ifindex, (enum bpf_attach_type)TCX_INGRESS,
					&opts)
		      : -ENOENT;

	return e < 0 ? hook_attach_ingress(program, ifindex) : e; /* that one has gone */
}

/* Kernels before 6.6 do not know the attach type. */
static bool has_tcx(const struct facts *f)
{
	uint32_t count = 0;

	return bpf_prog_query((int)f->ifindex, (enum bpf_attach_type)TCX_INGRESS, 0, NULL, NULL,
			      &count) != -EINVAL;
}

static bool may_have_native_xdp(const struct facts *f)
{
	return facts_is_ethernet(f) && !(f->flags & IFF_LOOPBACK) &&
	       (!f->has_xdp_features || f->xdp_features & NETDEV_XDP_ACT_BASIC ||
		conditions_hide_xdp(f));
}

/* Nobody expects the drivers of other devices to support XDP. */
static bool is_card(const struct facts *f)
{
	return facts_is_ethernet(f) && !(f->flags & IFF_LOOPBACK) && !f->kind[0] && f->driver[0];
}

static bool tells_xdp_time(const struct facts *f)
{
	return f->gives_time && f->has_clock;
}

/* The driver puts stamps into the skb, whether or not it tells XDP programs. */
static bool tells_tc_time(const struct facts *f)
{
	return f->stamps && has_tcx(f);
}

bool hook_offers_time(const struct afxdp_options *o, const struct facts *f)
{
	bool xdp = o->hook == CAPTURE_HOOK_AUTO || o->hook == CAPTURE_HOOK_XDP;
	bool tc = o->hook == CAPTURE_HOOK_AUTO || o->hook == CAPTURE_HOOK_TC;

	return o->xdp_mode == CAPTURE_XDP_NATIVE &&
	       ((xdp && tells_xdp_time(f)) || (tc && tells_tc_time(f)));
}

/*
 * With any XDP program, a veth uses a queue of 256 frames, which drops frames if senders on several
 * CPUs overrun it, and its peer has no segmentation offload. tc changes neither, and costs the host
 * less.
 */
static bool suffers_from_xdp(const struct afxdp_options *o, const struct facts *f)
{
	bool wants_xdp = o->veth_xdp || o->after_drop || (o->hash && f->gives_hash);

	return strcmp(f->kind, "veth") == 0 && !wants_xdp;
}

/* If there is no native XDP, or the hook is held, warn of what the skb path implies. */
static enum capture_hook choose_auto(const struct afxdp_options *o, const struct facts *f,
				     char *warning, size_t size)
{
	char holder[128];

	if (o->xdp_mode == CAPTURE_XDP_SKB)
		return CAPTURE_HOOK_XDP;
	if (!may_have_native_xdp(f)) {
		if (is_card(f))
			snprintf(warning, size,
				 "capturing at tc: %s, the driver of %s, has no native XDP",
				 f->driver, o->ifname);
		return CAPTURE_HOOK_TC;
	}
	if (f->xdp_prog_id) {
		facts_describe_holder(f, holder, sizeof(holder));
		snprintf(warning, size,
			 "the XDP hook of %s is held by %s: capturing behind it, at tc; frames it drops, redirects or sends back are not seen",
			 o->ifname, holder);
		return CAPTURE_HOOK_TC;
	}
	if (o->nic_time && !tells_xdp_time(f) && tells_tc_time(f)) {
		snprintf(warning, size,
			 "capturing at tc, where %s has its time stamps: its driver does not report them to XDP",
			 o->ifname);
		return CAPTURE_HOOK_TC;
	}
	if (f->inactive_slaves) {
		snprintf(warning, size,
			 "capturing at tc: at XDP %s has the frames of its inactive slave as well, which the host leaves out",
			 o->ifname);
		return CAPTURE_HOOK_TC;
	}
	if (suffers_from_xdp(o, f))
		return CAPTURE_HOOK_TC;
	if (strcmp(f->kind, "veth") == 0)
		snprintf(warning, size,
			 "XDP on %s may drop frames under load, and its peer's TCP loses segmentation offload; hook=tc avoids that",
			 o->ifname);
	return CAPTURE_HOOK_XDP;
}

static int refuse(const struct afxdp_options *o, const struct facts *f, char *err, size_t size)
{
	if (!facts_is_ethernet(f) && !facts_is_raw_ip(f))
		snprintf(err, size,
			 "%s has frames of link type %u, which " AFXDP_PREFIX
			 " does not capture: use %s without " AFXDP_PREFIX,
			 o->ifname, f->type, o->ifname);
	else
		snprintf(err, size,
			 "%s has no Ethernet frames, and the XDP hook sees no others: %s",
			 o->ifname, refusal_remedy(o));
	return -EOPNOTSUPP;
}

/*
 * What a driver knows of a frame beside its bytes, above all tags that it takes off, it tells only
 * to a program that is bound to the device. A PROG_ARRAY does not take such a program.
 */
static void choose_told(struct plan *plan, const struct afxdp_options *o, const struct facts *f)
{
	if (o->xdp_obj[0]) /* a tail call cannot reach a program that is bound */
		return;
	plan->vlan = f->tags.stripped && f->gives_vlan && !o->vlan_off;
	plan->time = o->nic_time && tells_xdp_time(f);
	plan->hash = o->hash && f->gives_hash;
	plan->bound = plan->vlan || plan->time || plan->hash;
}

/*
 * With zero-copy, sockets cost less than the rings; without it, more. The kernel drops frames that
 * a socket has no room for, and if there are very many queues, not each can have a socket.
 */
static bool wants_sockets(const struct afxdp_options *o, const struct facts *f)
{
	if (options_ask_for_sockets(o))
		return true;
	return !o->by_ring && !o->full_pass && !o->entries && o->xdp_mode == CAPTURE_XDP_NATIVE &&
	       facts_may_have_zero_copy(f) &&
	       (options_name_queues(o) || f->queues <= CAPTURE_QUEUES_MAX);
}

/* For captures that are only possible at XDP. */
static int choose_xdp(struct plan *plan, const struct afxdp_options *o, const struct facts *f,
		      char *err, size_t size)
{
	bool divert = o->engine == CAPTURE_ENGINE_DIVERT;
	char holder[128];

	if ((!divert && !o->xdp_obj[0]) || o->no_received)
		return 0;
	if (f->xdp_prog_id) {
		facts_describe_holder(f, holder, sizeof(holder));
		snprintf(err, size,
			 "the XDP hook of %s is held by %s, and %s needs it: end that program",
			 o->ifname, holder, divert ? "engine=divert" : "xdp-obj=");
		return -EBUSY;
	}
	plan->in = CAPTURE_HOOK_XDP;
	plan->divert = divert && wants_sockets(o, f);
	plan->divert_by_ring = divert && !plan->divert;
	plan->own = o->xdp_obj[0];
	return 0;
}

/* Only XDP has dispatchers, and their programs are not bound to a device. */
static int choose_join(struct plan *plan, const struct afxdp_options *o, const struct facts *f,
		       char *err, size_t size)
{
	if (o->hook == CAPTURE_HOOK_TC || o->hook == CAPTURE_HOOK_PACKET) {
		snprintf(err, size, "join=on is for the XDP hook: leave it out, or hook=%s",
			 o->hook == CAPTURE_HOOK_TC ? "tc" : "packet");
		return -EINVAL;
	}
	if (!facts_is_ethernet(f))
		return refuse(o, f, err, size);
	plan->in = CAPTURE_HOOK_XDP;
	plan->join = true;
	return 0;
}

/* A capture that keeps frames from the host must not keep any on suspicion. */
static void choose_tags(struct plan *plan, const struct afxdp_options *o, const struct facts *f)
{
	plan->tags_beside = o->tags_beside && !plan->no_link_header && !plan->keeps_frames;
	if (!plan->tags_beside)
		return;
	plan->tags_unsure = plan->in == CAPTURE_HOOK_XDP;
	plan->sent_tags_inside = plan->out == CAPTURE_HOOK_TC && !f->inserts_vlan;
}

/* If other programs come first, or call ours, nobody knows how many frames should come. */
static enum plan_proof choose_proof(const struct plan *plan, const struct afxdp_options *o,
				    const struct facts *f, bool tcx)
{
	if (plan->in != CAPTURE_HOOK_XDP || plan->own || plan->join || f->xdp_attached ||
	    o->xdp_mode != CAPTURE_XDP_NATIVE || o->trial)
		return PLAN_PROVES_NOTHING;
	return o->hook == CAPTURE_HOOK_AUTO && !plan->keeps_frames && tcx && !o->loader_off
		       ? PLAN_CHANGES
		       : PLAN_TELLS;
}

/* A program at XDP or tc belongs to one interface, and the kernel takes 20 ms to attach or detach
 * it. */
static int choose_any(struct plan *plan, const struct afxdp_options *o, char *err, size_t size)
{
	int e = agree_any(o, err, size);

	if (e)
		return e;
	*plan = (struct plan){.any = true,
			      .namespaces = o->namespaces,
			      .no_link_header = true,
			      .in = o->no_received ? CAPTURE_HOOK_AUTO : CAPTURE_HOOK_PACKET,
			      .out = o->no_sent ? CAPTURE_HOOK_AUTO : CAPTURE_HOOK_PACKET};
	return 0;
}

/* A dropped frame cannot be kept from the host, and no device tells what it knew of it. */
static int choose_drops(struct plan *plan, const struct afxdp_options *o, const struct facts *f,
			char *err, size_t size)
{
	int e = agree_drops(o, err, size);

	if (e)
		return e;
	*plan = (struct plan){.in = CAPTURE_HOOK_DROPS,
			      .no_link_header = !options_are_any(o) && facts_is_raw_ip(f)};
	return 0;
}

/* At another hook it would see nothing, and nobody would know why. */
static int refuse_more(const struct afxdp_options *o, const struct facts *f, char *err, size_t size)
{
	bool hook = o->hook == CAPTURE_HOOK_XDP || o->hook == CAPTURE_HOOK_TC;
	const char *more = agree_needs_more(o);

	if (!hook && !more)
		return 0;
	snprintf(err, size,
		 "%s is a device of kind %s, whose packets only packet sockets see as they are: %s%s%s",
		 o->ifname, f->kind, hook ? "use hook=packet" : "leave ", hook ? "" : more,
		 hook ? "" : " out");
	return -EOPNOTSUPP;
}

int hook_choose(struct plan *plan, const struct afxdp_options *o, const struct facts *f,
		char *warning, size_t warning_size, char *err, size_t size)
{
	bool tcx;
	int e;

	if (o->hook == CAPTURE_HOOK_DROPS)
		return choose_drops(plan, o, f, err, size);
	if (options_are_any(o))
		return choose_any(plan, o, err, size);
	tcx = has_tcx(f) && !facts_needs_packet_socket(f);
	*plan = (struct plan){.in = o->hook, .no_link_header = facts_is_raw_ip(f)};
	if (o->hook == CAPTURE_HOOK_FENTRY || o->hook == CAPTURE_HOOK_FEXIT)
		return agree_trace(o, err, size);
	if (!facts_is_ethernet(f) && !facts_is_raw_ip(f))
		return refuse(o, f, err, size);
	e = agree_interface(o, err, size);
	if (!e && facts_needs_packet_socket(f))
		e = refuse_more(o, f, err, size);
	if (!e)
		e = choose_xdp(plan, o, f, err, size);
	if (e)
		return e;
	if (o->join && !o->no_received) {
		e = choose_join(plan, o, f, err, size);
		if (e)
			return e;
	}
	if (plan->in == CAPTURE_HOOK_AUTO && !o->no_received)
		plan->in = choose_auto(o, f, warning, warning_size);
	if (plan->in == CAPTURE_HOOK_XDP && !facts_is_ethernet(f))
		return refuse(o, f, err, size);
	if (plan->in == CAPTURE_HOOK_TC && !tcx)
		plan->in = CAPTURE_HOOK_PACKET;
	if (o->no_received)
		plan->in = CAPTURE_HOOK_AUTO;
	if (plan->in == CAPTURE_HOOK_PACKET && o->after_drop) {
		snprintf(err, size, "after=drop needs native XDP, or Linux 6.6 for hook=tc");
		return -EOPNOTSUPP;
	}
	if (plan->in == CAPTURE_HOOK_XDP && !plan->join && o->xdp_mode == CAPTURE_XDP_NATIVE)
		choose_told(plan, o, f);
	if (plan->in == CAPTURE_HOOK_TC)
		plan->time = o->nic_time && f->stamps;
	/* Loopback receives what it sends: once is enough. */
	if (!(f->flags & IFF_LOOPBACK) && !o->no_sent)
		plan->out = tcx && plan->in != CAPTURE_HOOK_PACKET && !o->sent_at_packet
				    ? CAPTURE_HOOK_TC
				    : CAPTURE_HOOK_PACKET;
	plan->keeps_frames = plan->divert || plan->divert_by_ring || o->after_drop;
	choose_tags(plan, o, f);
	plan->proof = choose_proof(plan, o, f, tcx);
	return 0;
}

/* So that the root program finds it. */
static int fill_slot(const struct bpf_map *slots, int fd)
{
	uint32_t slot = 0;

	return bpf_map_update_elem(bpf_map__fd(slots), &slot, &fd, BPF_ANY) ? -errno : 0;
}

static int attach_xdp(struct program *p, const struct afxdp_options *o, const struct facts *f)
{
	LIBBPF_OPTS(bpf_link_create_opts, opts,
		    .flags = o->xdp_mode == CAPTURE_XDP_SKB ? XDP_FLAGS_SKB_MODE
							    : XDP_FLAGS_DRV_MODE);
	int e, capture = first_fd(p, 0, program_at_xdp(p));

	if (p->plan.bound)
		return bpf_link_create(capture, (int)f->ifindex, BPF_XDP, &opts);
	e = fill_slot(p->bpf->maps.slots, capture);
	if (e)
		return e;
	return bpf_link_create(p->plan.own ? p->own_fd : bpf_program__fd(p->bpf->progs.xdp_root),
			       (int)f->ifindex, BPF_XDP, &opts);
}

/*
 * A packet socket whose filter is our root program; number 0: all interfaces. It is bound last,
 * because it sees nothing until then. With namespaces=on, the caller's sockets see frames, and this
 * one none.
 */
static int attach_packet(struct program *p, unsigned number, const struct facts *f)
{
	struct sockaddr_ll to = {.sll_family = AF_PACKET,
				 .sll_protocol = htons(ETH_P_ALL),
				 .sll_ifindex = (int)f->ifindex};
	int root = bpf_program__fd(p->bpf->progs.packet_root), fd;
	int e = fill_slot(p->bpf->maps.packet_slots, first_fd(p, number, program_at_packet(p)));

	if (e)
		return e;
	fd = socket(AF_PACKET, (p->plan.any ? SOCK_DGRAM : SOCK_RAW) | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	if (setsockopt(fd, SOL_SOCKET, SO_ATTACH_BPF, &root, sizeof(root)) == 0 &&
	    (p->plan.namespaces || bind(fd, (struct sockaddr *)&to, sizeof(to)) == 0))
		return fd;
	e = -errno;
	close(fd);
	return e;
}

static int attach_one(struct program *p, const struct image *i, const struct afxdp_options *o,
		      const struct facts *f)
{
	unsigned number = (unsigned)(i - p->images);

	switch (i->type) {
	case BPF_PROG_TYPE_XDP:
		return attach_xdp(p, o, f);
	case BPF_PROG_TYPE_SOCKET_FILTER:
		return attach_packet(p, number, f);
	case BPF_PROG_TYPE_TRACING:
		return p->plan.in == CAPTURE_HOOK_DROPS ? drops_attach(p) : trace_attach(p);
	default:
		return strcmp(i->name, "tc_egress") == 0
			       ? attach_tcx(first_fd(p, number, p->bpf->progs.tc_egress),
					    f->ifindex, TCX_EGRESS)
			       : attach_at_ingress(first_fd(p, number, p->bpf->progs.tc_ingress),
						   f->ifindex);
	}
}

static void explain(int e, const struct image *i, const struct afxdp_options *o, char *err,
		    size_t size)
{
	if (e == -ERANGE && i->type == BPF_PROG_TYPE_SCHED_CLS)
		snprintf(err, size,
			 "%s has 63 programs at tc already, which is the limit: end another capture, or use hook=packet",
			 o->ifname);
	else
		snprintf(err, size, "cannot attach %s to %s: %s", i->name, o->ifname, strerror(-e));
}

/*
 * A driver has refused the program, and says why only to a tracepoint: listen to that, and try once
 * more. So if nothing is refused, no program is loaded for listening.
 */
static int attach_xdp_again(struct program *p, int refusal, const struct afxdp_options *o,
			    const struct facts *f, char *err, size_t size)
{
	struct words w = {.link = -1};

	if (!o->trial && words_listen(&w))
		refusal = attach_xdp(p, o, f);
	if (refusal < 0)
		refusal = refusal_explain(refusal, words_text(&w), o, f, err, size);
	words_end(&w);
	return refusal;
}

int hook_attach(struct program *p, const struct afxdp_options *o, const struct facts *f,
		int holders[IMAGES_MAX], char *err, size_t size)
{
	for (unsigned i = 0; i < p->image_count; i++) {
		int fd = o->trial ? trial_attach(p, &p->images[i], o, f)
				  : attach_one(p, &p->images[i], o, f);

		if (fd == -EPERM && caps_missing(err, size))
			return fd;
		if (fd < 0 && p->images[i].type == BPF_PROG_TYPE_XDP)
			fd = attach_xdp_again(p, fd, o, f, err, size);
		else if (fd < 0)
			explain(fd, &p->images[i], o, err, size);
		if (fd < 0)
			return fd;
		if (o->trial) {
			if (p->images[i].place == IMAGE_LINK)
				p->images[i].place = IMAGE_NOWHERE;
			continue;
		}
		holders[i] = fd;
		if (p->images[i].place != IMAGE_SLOT)
			p->images[i].fd = fd;
	}
	return 0;
}
