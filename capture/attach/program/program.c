/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "capture/attach/facts/caps.h"
#include "bpf/capture.skel.h"
#include "bpf/layout.h"
#include "bpf/marker.h"
#include "bpf/sets.h"
#include "capture/attach/trace/drops.h"
#include "capture/attach/trace/kernel_types.h"
#include "util/clock.h"
#include "util/descriptors.h"
#include "util/log.h"
#include "util/memory_limit.h"
#include "util/no_bpf.h"
#include "util/uapi.h"
#include "first.h"
#include "own_program.h"
#include "program.h"
#include "rings.h"
#include "timers.h"
#include "capture/attach/trace/symbols.h"
#include "capture/attach/trace/trace.h"

/* Maps, programs, links, and what libbpf opens for a while; includes one map of rings. */
#define DESCRIPTORS_NEEDED 24

/* A page, or more if one entry of 16 bytes per ring would not fit; a power of two. */
static void configure_doorbell(struct program *p)
{
	uint32_t size = (uint32_t)sysconf(_SC_PAGESIZE);

	while (size < p->place.count * 32)
		size *= 2;
	bpf_map__set_max_entries(p->bpf->maps.doorbell, size);
}

/* As many as there may ever be: a driver may add queues when the program is attached. */
static void configure_sockets(struct program *p, const struct facts *f)
{
	uint32_t most = f->rx_queues > f->queues ? f->rx_queues : f->queues;

	bpf_map__set_autocreate(p->bpf->maps.sockets, p->plan.divert);
	bpf_map__set_max_entries(p->bpf->maps.sockets, most ? most : 1);
}

/* Which of all interfaces. */
static void configure_any(struct program *p, const struct afxdp_options *o)
{
	bool chosen = p->plan.any && o->interfaces[0];

	p->bpf->rodata->interfaces_chosen = chosen;
	bpf_map__set_autocreate(p->bpf->maps.left_out, p->plan.any);
	bpf_map__set_max_entries(p->bpf->maps.left_out, chosen ? LEFT_OUT_PLACES : 1);
}

static void configure_reduction(struct program *p, const struct afxdp_options *o)
{
	struct capture_bpf__rodata *ro = p->bpf->rodata;
	uint32_t flows = o->flow_table ? o->flow_table : CAPTURE_FLOWS_DEFAULT;

	ro->sample_every = o->sample;
	ro->slice_depth = o->slice.depth;
	ro->slice_more = o->slice.more;
	ro->flow_cutoff = o->flow_cutoff;
	bpf_map__set_autocreate(p->bpf->maps.flows, o->flow_cutoff != 0);
	bpf_map__set_max_entries(p->bpf->maps.flows, flows);
}

static void configure_sets(struct program *p, const struct afxdp_options *o)
{
	struct capture_bpf__rodata *ro = p->bpf->rodata;

	ro->sets_asked = o->sets_asked;
	ro->sets_wanted = o->sets_asked & SETS_WANTED;
	ro->sets_told = o->entries ? ro->sets_wanted : 0;
	bpf_map__set_autocreate(p->bpf->maps.sets, o->sets_asked != 0);
	bpf_map__set_max_entries(p->bpf->maps.sets, o->sets_asked ? o->sets_lines : 1);
}

static void configure_fate(struct program *p, const struct afxdp_options *o)
{
	const struct beside beside = {.observes = !p->plan.keeps_frames};
	struct capture_bpf__rodata *ro = p->bpf->rodata;

	ro->keeps_frames = p->plan.keeps_frames;
	memcpy(p->bpf->bss->beside, &beside, sizeof(beside));
	ro->after_drop = o->after_drop || p->plan.divert || p->plan.divert_by_ring;
	ro->rest_drop = o->rest_drop;
	ro->full_pass = o->full_pass;
	ro->watchdog = p->plan.keeps_frames ? options_watchdog(o) : 0;
	ro->watchdog_ticks = ro->watchdog / clock_tick();
	ro->read_first = p->plan.divert_by_ring;
	ro->queues_named = options_name_queues(o) && (p->plan.divert || p->plan.divert_by_ring);
	_Static_assert(sizeof(ro->queues_wanted) == sizeof(o->queues), "a bit for each");
	memcpy(ro->queues_wanted, o->queues, sizeof(o->queues));
}

static struct bpf_program *xdp_program(const struct program *p, bool bound, bool divert)
{
	if (divert)
		return bound ? p->bpf->progs.xdp_divert_dev : p->bpf->progs.xdp_divert;
	return bound ? p->bpf->progs.xdp_capture_dev : p->bpf->progs.xdp_capture;
}
#define XDP_PROGRAMS 4

struct bpf_program *program_at_xdp(const struct program *p)
{
	return xdp_program(p, p->plan.bound, p->plan.divert);
}

struct bpf_program *program_at_packet(const struct program *p)
{
	if (p->plan.namespaces)
		return p->bpf->progs.packet_namespaces;
	return p->plan.any ? p->bpf->progs.packet_any : p->bpf->progs.packet_socket;
}

/* Is the program called by another one, which is attached? (For packet sockets by packet_slots.) */
static bool has_slots(const struct plan *plan)
{
	return (plan->in == CAPTURE_HOOK_XDP && !plan->bound) || plan->in == CAPTURE_HOOK_FENTRY ||
	       plan->in == CAPTURE_HOOK_FEXIT || plan->in == CAPTURE_HOOK_DROPS;
}

/* Load only what the plan needs, because the kernel may not accept the rest. */
static void choose_programs(struct program *p, const struct facts *f)
{
	const struct plan *plan = &p->plan;
	bool xdp = plan->in == CAPTURE_HOOK_XDP;
	bool packet = plan->in == CAPTURE_HOOK_PACKET || plan->out == CAPTURE_HOOK_PACKET;

	bpf_program__set_autoload(p->bpf->progs.xdp_root,
				  xdp && !plan->bound && !plan->own && !plan->join);
	for (unsigned i = 0; i < XDP_PROGRAMS; i++)
		bpf_program__set_autoload(xdp_program(p, i & 1, i >> 1), false);
	bpf_program__set_autoload(program_at_xdp(p), xdp);
	bpf_program__set_autoload(p->bpf->progs.tc_ingress,
				  plan->in == CAPTURE_HOOK_TC || plan->proof == PLAN_CHANGES);
	bpf_program__set_autoload(p->bpf->progs.tc_egress, plan->out == CAPTURE_HOOK_TC);
	bpf_program__set_autoload(p->bpf->progs.packet_root, packet);
	bpf_program__set_autoload(p->bpf->progs.packet_socket, false);
	bpf_program__set_autoload(p->bpf->progs.packet_any, false);
	bpf_program__set_autoload(p->bpf->progs.packet_namespaces, false);
	bpf_program__set_autoload(program_at_packet(p), packet);
	bpf_map__set_autocreate(p->bpf->maps.packet_slots, packet);
	bpf_map__set_autocreate(p->bpf->maps.slots, has_slots(plan));
	p->bpf->rodata->bound_vlan = plan->vlan;
	p->bpf->rodata->bound_time = plan->time;
	p->bpf->rodata->bound_hash = plan->hash ? f->hash_function + 1u : 0;
	p->bpf->rodata->no_link_header = plan->no_link_header;
	p->bpf->rodata->mark_tags = plan->tags_beside && !plan->sent_tags_inside;
	p->bpf->rodata->tags_unsure = plan->tags_unsure;
	p->bpf->rodata->packet_outbound_only = plan->in != CAPTURE_HOOK_PACKET;
	p->bpf->rodata->packet_inbound_only = plan->out != CAPTURE_HOOK_PACKET;
}

/* Use the caller's map in place of ours. */
static int use_others(struct program *p, const struct afxdp_options *o, char *err, size_t size)
{
	struct bpf_map_info info = {0};
	uint32_t length = sizeof(info);

	if (!o->who_others)
		return 0;
	p->bpf->rodata->who_chooses = true;
	if (bpf_obj_get_info_by_fd(o->who_others, &info, &length) == 0 &&
	    info.type == BPF_MAP_TYPE_ARRAY && info.value_size == sizeof(struct epb_other) &&
	    info.max_entries == EPB_OTHERS &&
	    bpf_map__reuse_fd(p->bpf->maps.other_sockets, o->who_others) == 0)
		return 0;
	snprintf(err, size, "who-others=%d is no array map of %u struct epb_other", o->who_others,
		 EPB_OTHERS);
	return -EINVAL;
}

/*
 * For the socket of a frame: only the kernel's types say where a socket has its cookie. Before 6.2
 * a program can only read that of TCP sockets.
 */
static int configure_who(struct program *p, const struct afxdp_options *o, char *err, size_t size)
{
	/* The hooks of conntrack at the first netfilter hook. */
	static const char *const hooks[HARMLESS_HOOKS] = {"ipv4_conntrack_defrag",
							  "ipv4_conntrack_in", "ipv6_defrag",
							  "ipv6_conntrack_in"};
	struct bpf_program *programs[] = {program_at_xdp(p), p->bpf->progs.tc_ingress,
					  p->bpf->progs.tc_egress};
	int e = 0;

	p->bpf->rodata->who = o->who;
	bpf_map__set_autocreate(p->bpf->maps.addresses, o->who);
	bpf_map__set_autocreate(p->bpf->maps.asked_route, o->who);
	bpf_map__set_autocreate(p->bpf->maps.other_sockets, o->who_others);
	if (!o->who)
		return 0;
	for (unsigned i = 0; i < HARMLESS_HOOKS; i++)
		p->bpf->rodata->harmless_hooks[i] = symbols_address(hooks[i]);
	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]) && !e; i++)
		e = kernel_types_fill(programs[i], KFUNC_RDONLY_CAST, "bpf_rdonly_cast");
	p->bpf->rodata->who_casts = !e;
	return use_others(p, o, err, size);
}

static int explain_types(int e, const struct program *p, const char *function, char *err,
			 size_t size)
{
	char why[AFXDP_ERROR_SIZE];

	if (no_bpf_types("a capture at XDP", why, sizeof(why)))
		snprintf(err, size, "%s%s", why,
			 p->plan.divert || p->plan.divert_by_ring ? "" : ", or use hook=tc");
	else
		snprintf(err, size, "cannot find the kernel's %s: %s", function, strerror(-e));
	return e;
}

/* Bind the program to the device, and its calls to the functions by which the driver tells what is
 * asked for. */
static int bind_program(const struct program *p, const struct facts *f, char *err, size_t size)
{
	const struct plan *plan = &p->plan;
	const struct {
		bool wanted;
		uint32_t function;
		const char *name;
	} functions[] = {
		{plan->vlan, KFUNC_RX_VLAN_TAG, "bpf_xdp_metadata_rx_vlan_tag"},
		{plan->time, KFUNC_RX_TIMESTAMP, "bpf_xdp_metadata_rx_timestamp"},
		{plan->hash, KFUNC_RX_HASH, "bpf_xdp_metadata_rx_hash"},
	};
	struct bpf_program *program = program_at_xdp(p);

	if (!plan->bound)
		return 0;
	bpf_program__set_ifindex(program, f->ifindex);
	bpf_program__set_flags(program, BPF_F_XDP_HAS_FRAGS | BPF_F_XDP_DEV_BOUND_ONLY);
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		int e = functions[i].wanted ? kernel_types_fill(program, functions[i].function,
								functions[i].name)
					    : 0;

		if (e)
			return explain_types(e, p, functions[i].name, err, size);
	}
	return 0;
}

static int explain_load(int e, const struct program *p, const struct afxdp_options *o, char *err,
			size_t size)
{
	char why[AFXDP_ERROR_SIZE];
	bool refused = e == -EPERM || e == -EACCES || e == -ENOSYS;
	bool by_verifier = p->log && strstr(p->log, "BEGIN PROG LOAD LOG");
	char limits[NO_BPF_LIMITS_SIZE] = "";

	if (refused)
		no_bpf_limits(limits, sizeof(limits));

	if (refused && (caps_missing(why, sizeof(why)) || no_bpf_here(why, sizeof(why))))
		snprintf(err, size, "%s", why);
	else if (e == -ESRCH &&
		 no_bpf_types(p->traces ? "a capture on attached XDP programs" : "this capture",
			      why, sizeof(why)))
		snprintf(err, size, "%s%s", why, p->traces ? ", or use hook=tc" : "");
	else if (e == -ESRCH && memory_limit()) /* from libbpf: none of the files could be read */
		snprintf(err, size, "no memory for the kernel's BTF: raise %s", memory_limit());
	else if (p->plan.in == CAPTURE_HOOK_DROPS && e != -ENOMEM && e != -EMFILE && e != -ENFILE)
		drops_explain(e, err, size);
	else if (p->traces && e == -EPERM)
		snprintf(err, size,
			 "the kernel refuses fentry and fexit, which a capture on attached XDP programs needs%s; hook=tc captures behind them",
			 limits);
	else if (p->traces && e != -ENOMEM)
		snprintf(err, size,
			 "the kernel refuses fentry and fexit programs on that XDP program: %s; PCAP_AFXDP_DEBUG=1 shows its words",
			 strerror(-e));
	else if (refused && by_verifier)
		snprintf(err, size,
			 "the kernel's verifier refuses the capture program; PCAP_AFXDP_DEBUG=1 shows its words");
	else if (e == -EPERM || e == -EACCES)
		snprintf(err, size,
			 "the kernel refuses the capture program, though it lets this process use bpf(2): %s%s",
			 strerror(-e), limits);
	else if (e == -EFAULT) /* from image.c */
		snprintf(err, size,
			 "clang has put more on the stack of this build's capture programs than filters can spare: build it with clang 14 to 21");
	else if (e == -ENOMEM)
		snprintf(err, size,
			 "no memory for %u rings of %llu KiB: give a smaller %s=, or raise %s",
			 p->place.count, (unsigned long long)p->place.size >> 10,
			 o->pre_trigger ? "pre-trigger" : "ring",
			 memory_limit() ? memory_limit() : "the memory limit of the cgroup");
	else if (e == -EMFILE || e == -ENFILE)
		snprintf(err, size, "cannot load the capture program: %s (raise ulimit -n)",
			 strerror(-e));
	else if (no_bpf_by_age(5, 18, why, sizeof(why)))
		snprintf(err, size,
			 "cannot load the capture program: %s; it needs Linux 5.18 or newer, and this is %s",
			 strerror(-e), why);
	else if (e == -E2BIG && p->place.size > 2u << 20 && no_bpf_by_age(6, 0, why, sizeof(why)))
		snprintf(err, size,
			 "rings of more than 2M need Linux 6.0, and this is %s: give ring=2M", why);
	else
		snprintf(err, size,
			 "cannot load the capture program: %s; PCAP_AFXDP_DEBUG=1 shows the kernel's words",
			 strerror(-e));
	return e;
}

/*
 * The image for programs with a filter, which will take the place of the one just loaded: in slots,
 * or if that is NULL in its link.
 */
static int make_image(struct image *i, const struct program *p, const struct bpf_program *program,
		      const struct bpf_map *slots)
{
	int e = image_take(i, program, p->bpf->maps.rodata, p->bpf->obj,
			   p->bpf->rodata->sets_asked != 0);

	i->place = slots ? IMAGE_SLOT : IMAGE_LINK;
	i->fd = slots ? bpf_map__fd(slots) : -1;
	i->no_link_header = p->plan.no_link_header;
	i->cooked = p->plan.any;
	i->tag_beside = p->plan.tags_beside && i->type != BPF_PROG_TYPE_XDP &&
			!(p->plan.sent_tags_inside && strcmp(i->name, "tc_egress") == 0);
	return e;
}

static int take_image(struct program *p, const struct bpf_program *program,
		      const struct bpf_map *slots)
{
	int e = make_image(&p->images[p->image_count], p, program, slots);

	if (!e)
		p->image_count++;
	return e;
}

int program_take_images(struct program *p, const struct facts *f)
{
	const struct plan *plan = &p->plan;
	int e = 0;

	if (plan->in == CAPTURE_HOOK_XDP && !plan->join) {
		e = take_image(p, program_at_xdp(p), plan->bound ? NULL : p->bpf->maps.slots);
		p->images[0].flags =
			BPF_F_XDP_HAS_FRAGS | (plan->bound ? BPF_F_XDP_DEV_BOUND_ONLY : 0);
		p->images[0].ifindex = plan->bound ? f->ifindex : 0;
	}
	if (p->traces)
		e = trace_take(p);
	if (plan->in == CAPTURE_HOOK_DROPS)
		e = drops_take(p);
	if (!e && plan->in == CAPTURE_HOOK_TC)
		e = take_image(p, p->bpf->progs.tc_ingress, NULL);
	if (!e && plan->out == CAPTURE_HOOK_TC)
		e = take_image(p, p->bpf->progs.tc_egress, NULL);
	/* One program for both directions, or for the direction that has no better hook. */
	if (!e && (plan->in == CAPTURE_HOOK_PACKET || plan->out == CAPTURE_HOOK_PACKET))
		e = take_image(p, program_at_packet(p), p->bpf->maps.packet_slots);
	if (!e && plan->proof == PLAN_CHANGES)
		e = make_image(&p->spare, p, p->bpf->progs.tc_ingress, NULL);
	return e;
}

/*
 * What libbpf finds the kernel to lack, it remembers for the life of the process, even if only a
 * descriptor was lacking. So check that there are enough before libbpf looks. maps: number of ring
 * maps.
 */
static int check_descriptors(unsigned maps, char *err, size_t size)
{
	unsigned needed = DESCRIPTORS_NEEDED + maps - 1;
	int e = descriptors_try(needed);

	if (e)
		snprintf(err, size, "a capture needs %u descriptors more: %s (raise ulimit -n)",
			 needed, strerror(-e));
	return e;
}

/* Programs that trace read the kernel's structures; what joins a dispatcher is loaded by libxdp. */
static bool needs_types(const struct plan *plan)
{
	return plan->in == CAPTURE_HOOK_FENTRY || plan->in == CAPTURE_HOOK_FEXIT ||
	       plan->in == CAPTURE_HOOK_DROPS || plan->join || plan->namespaces;
}

/* The kernel's CONFIG_HAVE_EFFICIENT_UNALIGNED_ACCESS: without it the verifier refuses such
 * access. */
static bool is_access_unaligned(void)
{
#if defined(__x86_64__) || defined(__i386__) || defined(__aarch64__)
	return true;
#else
	return false;
#endif
}

/* The kernel's init/Makefile puts this into the version, which every container sees. */
static bool is_preempt_rt(void)
{
	struct utsname u;

	return uname(&u) == 0 && strstr(u.version, "PREEMPT_RT");
}

/*
 * If libbpf had no memory to find out whether arrays can be mapped, it silently makes maps that
 * cannot.
 */
static int load_object(struct program *p)
{
	int e = capture_bpf__load(p->bpf);

	return !e && !p->bpf->rodata ? -ENOMEM : e;
}

/* The object is part of this library, and not damaged: libelf only fails if memory is short. */
static int open_error(void)
{
	return errno >= __LIBBPF_ERRNO__START ? -ENOMEM : -errno;
}

int program_load(struct program *p, const struct afxdp_options *o, const struct facts *f, char *err,
		 size_t size)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts);
	int e = check_descriptors(1, err, size), no_types;
	char path[32];
	bool joins, unexplained = false;

	if (e)
		return e;

	log_begin();
	no_types = needs_types(&p->plan) || o->who ? -1 : kernel_types_none(path, sizeof(path));
	if (no_types >= 0)
		opts.btf_custom_path = path;
	p->bpf = capture_bpf__open_opts(&opts);
	if (!p->bpf) {
		e = open_error();
		snprintf(err, size, "cannot open the BPF object: %s", strerror(-e));
		goto out;
	}
	memcpy(p->bpf->rodata->interface_ids, o->interface_ids,
	       sizeof(p->bpf->rodata->interface_ids));
	p->bpf->rodata->unaligned_access = is_access_unaligned();
	p->bpf->rodata->preempt_rt = is_preempt_rt();
	p->bpf->rodata->clock_is_coarse = o->coarse_time;
	p->bpf->rodata->clock_is_tai =
		!o->coarse_time &&
		libbpf_probe_bpf_helper(BPF_PROG_TYPE_XDP, BPF_FUNC_ktime_get_tai_ns, NULL) == 1;
	e = rings_configure(p, o, f, err, size);
	if (!e && p->place.maps.count > 1)
		e = check_descriptors(p->place.maps.count, err, size);
	if (e)
		goto out;
	timers_configure(p, o);
	configure_doorbell(p);
	configure_sockets(p, f);
	configure_any(p, o);
	configure_reduction(p, o);
	configure_sets(p, o);
	configure_fate(p, o);
	choose_programs(p, f);
	e = bind_program(p, f, err, size);
	if (!e)
		e = configure_who(p, o, err, size);
	if (!e)
		e = trace_prepare(p, o, f, err, size);
	if (!e)
		e = drops_prepare(p, o, f, err, size);
	if (e)
		goto out;
	joins = p->plan.join && !o->trial;
	e = joins ? rings_make(p) : load_object(p);
	if (!e)
		e = timers_start(p);
	if (!e && o->who) /* on failure the map says that they are not known */
		addresses_open(&p->addresses, bpf_map__fd(p->bpf->maps.addresses));
	if (!e && !joins)
		e = program_take_images(p, f);
	unexplained = e;
	if (!e && p->plan.own) {
		p->own_fd = own_program_load(&p->own, o->xdp_obj, bpf_map__fd(p->bpf->maps.slots),
					     err, size);
		e = p->own_fd < 0 ? p->own_fd : 0;
	}
out:
	if (no_types >= 0)
		close(no_types);
	free(p->log);
	p->log = log_end();
	return unexplained ? explain_load(e, p, o, err, size) : e;
}

/*
 * Hooks and slots hold the programs that are attached, and images make those that replace them:
 * without this the first program would stay loaded as well. Those for counting drops, and for what
 * others attach, are still needed.
 */
void program_let_go(struct program *p)
{
	struct bpf_program *i;

	first_let_go(p);
	if (p->plan.join || p->plan.namespaces || p->plan.in == CAPTURE_HOOK_DROPS)
		return;
	bpf_object__for_each_program (i, p->bpf->obj)
		bpf_program__unload(i);
}

void program_unload(struct program *p)
{
	for (unsigned i = 0; i < IMAGES_MAX; i++)
		image_free(&p->images[i]);
	image_free(&p->spare);
	first_let_go(p);
	free(p->filter_log);
	p->filter_log = NULL;
	p->has_filter = false;
	p->image_count = 0;
	bpf_object__close(p->own);
	p->own = NULL;
	trace_release(p);
	drops_release(p);
	addresses_close(&p->addresses);
	capture_bpf__destroy(p->bpf);
	p->bpf = NULL;
	free(p->log);
	p->log = NULL;
}

int program_socket_fd(const struct program *p)
{
	bool packet = p->plan.in == CAPTURE_HOOK_PACKET || p->plan.out == CAPTURE_HOOK_PACKET;

	return p->bpf && packet ? bpf_program__fd(p->bpf->progs.packet_root) : -1;
}

int program_rings_fd(const struct program *p, unsigned i)
{
	return bpf_map__fd(rings_map(p, i));
}

int program_sockets_fd(const struct program *p)
{
	return p->plan.divert ? bpf_map__fd(p->bpf->maps.sockets) : -1;
}

int program_left_out_fd(const struct program *p)
{
	return p->bpf->rodata->interfaces_chosen ? bpf_map__fd(p->bpf->maps.left_out) : -1;
}

int program_sets_fd(const struct program *p)
{
	return p->bpf->rodata->sets_asked ? bpf_map__fd(p->bpf->maps.sets) : -1;
}

int program_doorbell_fd(const struct program *p)
{
	return bpf_map__fd(p->bpf->maps.doorbell);
}

int program_counters_fd(const struct program *p)
{
	_Static_assert(offsetof(struct capture_bpf__bss, beside) ==
				       offsetof(struct shared_page, beside) &&
			       offsetof(struct capture_bpf__bss, stirred) ==
				       offsetof(struct shared_page, stirred) &&
			       sizeof(struct capture_bpf__bss) == sizeof(struct shared_page),
		       "used through a mapping");

	return bpf_map__fd(p->bpf->maps.bss);
}

bool program_clock_is_tai(const struct program *p)
{
	return p->bpf->rodata->clock_is_tai;
}
