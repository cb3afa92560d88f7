/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* A capture from open to close. Each part has a file of its own; this file puts them together. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "capture/attach/facts/caps.h"
#include "capture/attach/program/first.h"
#include "capture_private.h"
#include "capture/divert/borrowed.h"
#include "util/memory_limit.h"
#include "util/standard.h"

static int map_page(struct afxdp_capture *c)
{
	void *p = mmap(NULL, sizeof(*c->page), PROT_READ | PROT_WRITE, MAP_SHARED,
		       c->attachment.counters, 0);

	if (p == MAP_FAILED)
		return -errno;
	c->page = p;
	c->reading.rings.stirred = c->page->stirred;
	return 0;
}

static int map_rings(struct afxdp_capture *c, char *err, size_t size)
{
	int e = 0;

	c->reading.tells = options_watchdog(&c->options) != 0;
	c->reading.reduces = c->options.slice.depth || c->options.flow_cutoff;
	c->reading.silent = c->options.pre_trigger != 0;
	if (!c->attachment.borrowed)
		e = ring_set_map(&c->reading.rings, c->attachment.rings, &c->attachment.place);
	if (!e && !c->attachment.borrowed)
		e = map_page(c);
	if (!e)
		e = reading_open_all(&c->reader, &c->reading, c->attachment.doorbell);
	if (e)
		snprintf(err, size, "cannot map the capture rings: %s", strerror(-e));
	return e;
}

/*
 * The privilege is missing: ask the loader to open the attachment, without sockets. If it could do
 * more than this process, its error is returned; else the error says how to get the privilege.
 */
static int open_by_loader(struct afxdp_capture *c, char *err, size_t size)
{
	bool helps = !c->options.loader_off && !options_ask_for_sockets(&c->options) &&
		     !c->options.xdp_obj[0] && !c->options.namespaces;
	char why[AFXDP_ERROR_SIZE] = "";
	int e;

	divert_close(&c->divert);
	e = helps ? loader_open(&c->loader, &c->options, &c->attachment, &c->program, why,
				sizeof(why))
		  : -EPERM;
	if (!e)
		return 0;
	if (helps && !c->loader.helpless) {
		snprintf(err, size, "%s", why);
		return e;
	}
	caps_explain(helps ? loader_path() : NULL, why, err, size);
	return -EPERM;
}

/*
 * The loader can load a filter, and stop a load that takes long, so what that needs is not kept
 * here as well. Programs that trace are kept: some counts are only to be had through their
 * descriptors.
 */
static void leave_to_loader(struct afxdp_capture *c)
{
	if (c->loader.socket < 0 || c->program.traces || c->program.drop_names ||
	    c->options.xdp_obj[0])
		return;
	c->reading.filter.image_count = 0;
	program_unload(&c->program);
}

static void warn_of_loader(struct afxdp_capture *c, const char *why)
{
	attachment_warn(&c->attachment,
			"filters set after privileges are dropped will run in user space%s: %s",
			c->attachment.stamps.ifindex
				? ", and the interface goes on stamping frames after that"
				: "",
			why);
}

/* Filters may come after the application has dropped its privileges. */
static bool needs_loader(const struct afxdp_capture *c)
{
	return c->options.filter_follows == CAPTURE_FOLLOWS_LATER;
}

/* The loader processes start while the rings are mapped. */
static void await_loader(struct afxdp_capture *c)
{
	bool begins = c->loader.socket >= 0 && !c->loader.pid;
	char why[AFXDP_ERROR_SIZE];

	if (begins && loader_started(&c->loader, why, sizeof(why))) {
		if (needs_loader(c))
			warn_of_loader(c, why);
		/* Its pipe is closed, so do not read from that number. */
		wait_set_news(&c->reader.wait, -1);
		c->watch.looked_after = false;
	}
	files_await(c);
}

/* Open the attachment in this process, or if it lacks the privilege, by the loader. */
static int open_attachment(struct afxdp_capture *c, char *err, size_t size)
{
	int e = attachment_open(&c->attachment, &c->program, &c->options, err, size);
	char why[AFXDP_ERROR_SIZE];

	if ((e == -EPERM || e == -EACCES) && caps_missing(why, sizeof(why)))
		return open_by_loader(c, err, size);
	return e;
}

/* A capture that needs none for filters has it check whether frames come, and who comes to tc. */
static void start_loader(struct afxdp_capture *c)
{
	const struct afxdp_options *o = &c->options;
	char why[AFXDP_ERROR_SIZE];

	if (c->attachment.borrowed || c->loader.socket >= 0 || o->loader_off ||
	    (!needs_loader(c) && !c->attachment.plan.proof && !attachment_is_at_tc(&c->attachment)))
		return;
	if (loader_start(&c->loader, &c->attachment, &c->program, why, sizeof(why)) &&
	    needs_loader(c))
		warn_of_loader(c, why);
}

/* Add the sockets as sources beside the rings, which have the frames that others send. */
static int add_sockets(struct afxdp_capture *c)
{
	int e = 0;

	for (unsigned i = 0; i < c->divert.count && !e; i++) {
		e = ring_set_add(&c->reading.rings, &c->divert.sockets[i]);
		if (!e)
			e = wait_add_socket(&c->reader.wait, xsk_fd(&c->divert.sockets[i]));
	}
	/* Sent frames are in the rings of CPUs, if they are captured. */
	if (c->divert.count && c->options.no_sent)
		c->reading.first = c->reading.rings.controlled;
	return e;
}

/* What the sockets would only copy, the rings can do as well. */
static int divert_by_ring(struct afxdp_capture *c, char *err, size_t size)
{
	char why[AFXDP_ERROR_SIZE];
	int e;

	snprintf(why, sizeof(why), "%s", err);
	attachment_close(&c->attachment);
	program_unload(&c->program);
	c->options.by_ring = true;
	e = open_attachment(c, err, size);
	if (!e)
		attachment_warn(&c->attachment,
				"diverted to the rings, because not every queue of %s can have a zero-copy socket: %s",
				c->options.ifname, why);
	return e;
}

static int open_sockets(struct afxdp_capture *c, char *err, size_t size)
{
	const struct attachment *a = &c->attachment;
	int e = a->borrowed ? 0 : divert_check_queues(&c->options, &a->facts, err, size);

	if (e)
		return e;
	c->divert.foreign = a->foreign;
	e = divert_open(&c->divert, &c->options, &a->facts, a->sockets,
			a->plan.time || a->plan.hash, err, size);
	c->by_ring = e && !options_ask_for_sockets(&c->options);
	return e;
}

/* So that it is known whether every queue has a socket before a driver resets its card for a
 * program. */
static int open_sockets_first(void *owner, char *err, size_t size)
{
	struct afxdp_capture *c = owner;

	return divert_needs_program(&c->attachment.facts) ? 0 : open_sockets(c, err, size);
}

static int open_diverted(struct afxdp_capture *c, int e, char *err, size_t size)
{
	const struct plan *plan = &c->attachment.plan;

	if (!e && plan->divert_by_ring)
		return divert_check_queues(&c->options, &c->attachment.facts, err, size);
	if (!e && plan->divert && !c->divert.count)
		e = open_sockets(c, err, size);
	return e && c->by_ring ? divert_by_ring(c, err, size) : e;
}

static int read_sockets(struct afxdp_capture *c, char *err, size_t size)
{
	struct divert *d = &c->divert;
	int e;

	if (!c->attachment.plan.divert)
		return 0;
	e = inject_add_socket(&c->inject, divert_sender(d), divert_frame_max(&c->attachment.facts));
	if (!e)
		e = add_sockets(c);
	if (e)
		snprintf(err, size, "cannot read the AF_XDP sockets: %s", strerror(-e));
	return e;
}

/* The loader joins the dispatcher, because it must leave it whatever becomes of this process. */
static int join_by_loader(struct afxdp_capture *c, char *err, size_t size)
{
	if (c->options.loader_off) {
		snprintf(err, size,
			 "join=on needs the loader process, which leaves the dispatcher at the end: leave loader=off out");
		return -EINVAL;
	}
	return loader_open(&c->loader, &c->options, &c->attachment, &c->program, err, size);
}

/* Say where diverted frames go. */
static void describe_divert(struct afxdp_capture *c)
{
	unsigned rings = c->attachment.place.count - c->attachment.shares_ring;

	divert_describe(&c->divert, c->sockets, sizeof(c->sockets));
	if (c->divert.count)
		snprintf(c->diverted_to, sizeof(c->diverted_to), "AF_XDP sockets (%s)", c->sockets);
	else if (c->attachment.plan.divert_by_ring)
		snprintf(c->diverted_to, sizeof(c->diverted_to), "the ring%s of %u CPU%s",
			 rings == 1 ? "" : "s", rings, rings == 1 ? "" : "s");
}

static int open_any_attachment(struct afxdp_capture *c, char *err, size_t size)
{
	const struct afxdp_options *o = &c->options;
	bool watches = o->hook == CAPTURE_HOOK_FENTRY || o->hook == CAPTURE_HOOK_FEXIT ||
		       o->hook == CAPTURE_HOOK_DROPS; /* these refuse join=on themselves */

	return o->join && !o->no_received && !watches ? join_by_loader(c, err, size)
						      : open_attachment(c, err, size);
}

static void prepare_filter(struct afxdp_capture *c, bool borrowed)
{
	struct filter_state *f = &c->reading.filter;

	f->images = c->program.images;
	f->image_count = c->program.image_count;
	f->loader = &c->loader;
	f->by_loader = c->attachment.plan.proof == PLAN_CHANGES;
	f->ifindex = c->attachment.facts.ifindex;
	f->resets = c->attachment.plan.bound && facts_resets_at_swap(&c->attachment.facts);
	if (c->program.filter_error) {
		filter_state_refused(f, c->program.filter_error, c->program.filter_log,
				     c->options.filter, c->options.filter_n, !c->program.bpf);
		c->program.filter_log = NULL;
	}
	f->link = c->attachment.plan.any ? FILTER_LINK_SLL2 : FILTER_LINK_OWN;
	f->tags_beside = c->attachment.plan.tags_beside;
	/* xdpdump writes the id of the program that has the filter into its files. */
	f->at_once = c->attachment.plan.keeps_frames || c->options.sample > 1 ||
		     c->options.slice.depth || c->options.flow_cutoff || c->options.pre_trigger ||
		     c->options.filter_follows == CAPTURE_FOLLOWS_AT_ONCE;
	f->kernel_sees_all =
		!c->program.traces && !c->program.drop_names && !c->attachment.plan.tags_unsure;
	f->kernel_only = !borrowed && c->attachment.plan.keeps_frames && !c->options.rest_drop;
}

static int know_filter(struct afxdp_capture *c, char *err, size_t size)
{
	const struct program *p = &c->program;
	const struct afxdp_options *o = &c->options;
	int e = p->has_filter ? filter_state_know(&c->reading.filter, o->filter, o->filter_n,
						  FIRST_GENERATION, p->level, p->filter_log,
						  p->bpf ? "" : ", by the loader")
			      : 0;

	if (e)
		snprintf(err, size, "out of memory");
	return e;
}

/*
 * The loader tells when a link is detached. When it ends, so do the promiscuity and the packet
 * sockets that it has kept, and nothing else tells.
 */
static int watch_loader(struct afxdp_capture *c)
{
	const struct plan *p = &c->attachment.plan;

	int e = 0;

	if (c->attachment.capture_only && (c->options.promiscuous || p->in == CAPTURE_HOOK_PACKET ||
					   p->out == CAPTURE_HOOK_PACKET))
		e = watch_process(&c->watch, c->loader.alive);
	if (e || c->loader.alive < 0)
		return e;
	c->watch.looked_after = !c->program.traces && !p->join;
	/* xdpdump changes its network namespace; programs that use libpcap do not. */
	if (c->watch.looked_after && c->options.filter_follows == CAPTURE_FOLLOWS_LATER)
		watch_ask_seldom(&c->watch);
	return wait_set_news(&c->reader.wait,
			     c->watch.loader >= 0 ? c->watch.loader : c->loader.alive);
}

/* Without a loader the reader checks this, and changes nothing. /sys has no alternative names. */
static void prove(struct afxdp_capture *c)
{
	const struct plan *p = &c->attachment.plan;

	if (!p->proof || c->attachment.borrowed || c->loader.socket >= 0 ||
	    !proof_open(&c->proof, c->attachment.facts.name, (int)c->attachment.facts.ifindex))
		return;
	proof_begin(&c->proof, &c->reading.rings, (const uint64_t *)c->page->lost_no_ring,
		    p->divert || p->divert_by_ring);
	c->reader.proof = &c->proof;
}

static int map_left_out(struct afxdp_capture *c)
{
	void *p;

	if (c->attachment.left_out < 0)
		return 0;
	p = mmap(NULL, LEFT_OUT_PLACES * sizeof(*c->left_out), PROT_READ | PROT_WRITE, MAP_SHARED,
		 c->attachment.left_out, 0);
	if (p == MAP_FAILED)
		return -errno;
	c->left_out = p;
	return 0;
}

/* For drops, the reader decides by the number of the interface which are wanted. */
static bool reads_links(const struct afxdp_capture *c)
{
	const struct plan *p = &c->attachment.plan;

	return p->any ? !p->namespaces : p->in == CAPTURE_HOOK_DROPS && c->options.interfaces[0];
}

static int prepare_reader(struct afxdp_capture *c)
{
	struct afxdp_reader *r = &c->reader;
	int e;

	watch_open(&c->watch, &c->attachment, c->program.traces);
	if (c->attachment.facts.ifindex)
		watch_counters(&c->watch, c->attachment.facts.name);
	if (c->page)
		c->watch.beside = &c->page->beside;
	r->capture = c;
	r->watch = &c->watch;
	r->tx = &c->inject.tx;
	r->nic_clock =
		(struct nic_clock){.synced = c->options.nic_synced, .ptp = c->attachment.clock};
	r->has_nic_time = c->attachment.plan.time;
	if (addresses_fd(&c->program.addresses) >= 0) {
		e = wait_hear_addresses(&r->wait, &c->program.addresses);
		if (e)
			return e;
	}
	c->reading.drop_names = c->program.drop_names;
	c->reading.clock_is_tai = c->attachment.clock_is_tai;
	c->reading.read_first = c->attachment.plan.divert || c->attachment.plan.divert_by_ring;
	if (c->attachment.facts.ifindex && !reads_links(c) && !c->program.traces)
		wait_hear_of(&r->wait, c->attachment.facts.ifindex);
	if (reads_links(c)) { /* it hears of interfaces that come from now on */
		r->wait.table = &c->links;
		if (c->options.filter_follows == CAPTURE_FOLLOWS_LATER) /* libpcap: cook.c asks */
			wait_hear_later(&r->wait);
		e = map_left_out(c);
		if (!e)
			e = links_open(&c->links, c->options.interfaces, c->left_out);
		if (e)
			return e;
	}
	/* As at the time when the attachment was opened. */
	return r->has_nic_time && c->options.nic_synced ? nic_clock_compare(&r->nic_clock) : 0;
}

static int open_steps(struct afxdp_capture *c, char *err, size_t size)
{
	bool borrowed = c->options.sock_fds.count || c->options.prog_fd;
	int e = borrowed ? borrowed_open(&c->attachment, &c->options, err, size)
			 : open_any_attachment(c, err, size);

	e = open_diverted(c, e, err, size);
	if (!e)
		e = sets_begin(&c->sets, &c->options, c->attachment.sets, err, size);
	if (!e) {
		files_keep(c);
		start_loader(c);
		e = map_rings(c, err, size);
	}
	inject_open(&c->inject, &c->attachment);
	if (!e)
		e = read_sockets(c, err, size);
	if (!e && borrowed)
		e = borrowed_attach(&c->attachment, &c->options, err, size);
	if (e)
		return e;
	files_warn(c);
	describe_divert(c);
	prepare_filter(c, borrowed);
	e = know_filter(c, err, size);
	if (e)
		return e;
	c->nic_dropped_before = c->attachment.facts.nic_dropped;
	e = prepare_reader(c);
	if (e) {
		snprintf(err, size,
			 reads_links(c) ? "%s: the kernel does not list the interfaces: %s"
					: "the clock of %s cannot be compared with the host's: %s",
			 c->options.ifname, strerror(-e));
		return e;
	}
	attachment_mapped(&c->attachment);
	e = wait_poll(&c->reader.wait); /* the notices of our own changes are no news */
	c->reader.wait.links_changed = c->reader.wait.in_vain = false;
	if (!e)
		e = watch_loader(c);
	if (e)
		snprintf(err, size, "cannot read the link notifications of %s: %s",
			 c->options.ifname, strerror(-e));
	return e;
}

int afxdp_open(struct afxdp_capture **out, const struct afxdp_options *o, char *err, size_t size)
{
	struct afxdp_capture *c = calloc(1, sizeof(*c));
	unsigned held;
	int e;

	*out = NULL;
	if (!c) {
		snprintf(err, size, "out of memory");
		return -ENOMEM;
	}
	c->options = *o;
	c->program = (struct program){.open_sockets = open_sockets_first, .owner = c};
	if (!o->snaplen || o->snaplen > AFXDP_SNAPLEN_MAX)
		c->options.snaplen = AFXDP_SNAPLEN_MAX;
	/* The LINUX_SLL header, which a program may ask for, is shorter than the record's. */
	if (options_are_any(o) && o->hook != CAPTURE_HOOK_DROPS &&
	    c->options.snaplen <= AFXDP_SNAPLEN_MAX - COOKED_MORE)
		c->options.snaplen += COOKED_MORE;
	attachment_init(&c->attachment);
	c->watch.loader = -1;
	c->watch.dropped = (struct dropped){-1, -1};
	c->watch.sides[SIDE_RECEIVED] = c->watch.sides[SIDE_SENT] = -1;
	c->loader = c->reloader = (struct loader){.socket = -1, .alive = -1};
	c->reader.wait =
		(struct wait){.epoll = -1, .timer = -1, .event = -1, .sockets = -1, .news = -1};
	c->reading.immediate = o->immediate;
	filter_state_init(&c->reading.filter, &c->reading.rings, c->options.snaplen,
			  o->filter_follows);
	c->proof = (struct proof){.received = -1, .multicast = -1};
	held = standard_hold();
	e = sets_open(&c->sets, &c->options, err, size);
	if (!e)
		e = open_steps(c, err, size);
	await_loader(c);
	if (!e) {
		if (c->program.has_filter && c->reading.filter.by_loader && c->loader.socket >= 0)
			loader_remember(&c->loader, o->filter, o->filter_n, FIRST_GENERATION);
		leave_to_loader(c);
		prove(c);
		if (c->attachment.facts.ifindex && !c->watch.looked_after)
			watch_sides(&c->watch, c->attachment.facts.name);
	}
	standard_release(held);
	c->options.filter = NULL;
	if (e) {
		memory_limit_add(err, size);
		options_add_environment(err, size);
		afxdp_close(c);
		return e;
	}
	c->divert.owns = true;
	*out = c;
	return 0;
}

void afxdp_stop(struct afxdp_capture *c)
{
	reading_stop(&c->reading);
	wait_set_news(&c->reader.wait, -1);
	watch_process(&c->watch, -1);
	loader_stop(&c->loader); /* it also holds the links */
	/* The caller's sockets still run the program: their records are no longer wanted. */
	if (c->attachment.plan.namespaces)
		ring_set_unwanted(&c->reading.rings, EPB_FLAG_INBOUND | EPB_FLAG_OUTBOUND);
	if (!c->divert.count || !divert_needs_program(&c->attachment.facts))
		attachment_detach(&c->attachment);
}

void afxdp_close(struct afxdp_capture *c)
{
	if (!c)
		return;
	afxdp_stop(c);
	watch_close(&c->watch);
	proof_close(&c->proof);
	links_close(&c->links);
	reading_close(&c->reader);
	inject_close(&c->inject);
	divert_close(&c->divert);
	loader_stop(&c->reloader);
	sets_close(&c->sets);
	filter_state_free(&c->reading.filter);
	ring_set_unmap(&c->reading.rings);
	if (c->page)
		munmap(c->page, sizeof(*c->page));
	if (c->left_out)
		munmap(c->left_out, LEFT_OUT_PLACES * sizeof(*c->left_out));
	program_unload(&c->program);
	attachment_close(&c->attachment);
	free(c);
}

const char *afxdp_warning(const struct afxdp_capture *c)
{
	/* Pairs with show_next() in capture/read/news.c. */
	const char *notice = __atomic_load_n(&c->watch.notice, __ATOMIC_ACQUIRE);
	const char *of_sets;

	if (!notice && c->attachment.warning[0])
		notice = c->attachment.warning;
	of_sets = files_hear(c, notice);
	return of_sets ? of_sets : notice;
}

struct afxdp_reader *afxdp_reader(struct afxdp_capture *c)
{
	return &c->reader;
}

unsigned afxdp_rings(const struct afxdp_capture *c)
{
	return c->reading.rings.count - c->reading.first;
}

int afxdp_reader_open(struct afxdp_reader **r, struct afxdp_capture *c, unsigned number)
{
	int e;

	*r = malloc(sizeof(**r));
	if (!*r)
		return -ENOMEM;
	e = reading_open_one(*r, &c->reader, number);
	if (e) {
		afxdp_reader_close(*r);
		*r = NULL;
	}
	return e;
}

void afxdp_reader_close(struct afxdp_reader *r)
{
	if (r)
		reading_close(r);
	free(r);
}

int afxdp_set_filter(struct afxdp_capture *c, const struct sock_filter *f, unsigned n, char *err,
		     size_t size)
{
	return filter_state_set(&c->reading.filter, f, n, err, size);
}

enum afxdp_level afxdp_filter_level(const struct afxdp_capture *c)
{
	return c->reading.filter.level;
}

const char *afxdp_filter_text(const struct afxdp_capture *c)
{
	return c->reading.filter.text;
}

const char *afxdp_filter_log(const struct afxdp_capture *c)
{
	return c->reading.filter.log;
}

const char *afxdp_hooks(const struct afxdp_capture *c)
{
	const struct plan *p = &c->attachment.plan;

	switch (p->in) {
	case CAPTURE_HOOK_XDP:
		if (p->join && p->out == CAPTURE_HOOK_AUTO)
			return "xdp, in a dispatcher";
		if (p->join)
			return p->out == CAPTURE_HOOK_TC
				       ? "xdp, in a dispatcher, and tc for sent frames"
				       : "xdp, in a dispatcher, and a packet socket for sent frames";
		if (p->out == CAPTURE_HOOK_AUTO)
			return "xdp";
		return p->out == CAPTURE_HOOK_TC ? "xdp, and tc for sent frames"
						 : "xdp, and a packet socket for sent frames";
	case CAPTURE_HOOK_TC:
		return p->out == CAPTURE_HOOK_PACKET ? "tc, and a packet socket for sent frames"
						     : "tc";
	case CAPTURE_HOOK_PACKET:
		return "packet socket";
	case CAPTURE_HOOK_FENTRY:
		return "fentry";
	case CAPTURE_HOOK_FEXIT:
		return "fexit";
	case CAPTURE_HOOK_DROPS:
		return "drops of the host's stack";
	default:
		return p->out == CAPTURE_HOOK_TC ? "tc, sent frames only"
						 : "packet socket, sent frames only";
	}
}

const char *afxdp_sockets(const struct afxdp_capture *c)
{
	return c->divert.count ? c->sockets : NULL;
}

const char *afxdp_diverted_to(const struct afxdp_capture *c)
{
	return c->diverted_to[0] ? c->diverted_to : NULL;
}

bool afxdp_has_nic_time(const struct afxdp_capture *c)
{
	return c->attachment.plan.time;
}

bool afxdp_is_promiscuous(const struct afxdp_capture *c)
{
	return !c->attachment.borrowed || c->attachment.facts.promiscuous;
}

bool afxdp_has_link_header(const struct afxdp_capture *c)
{
	return !c->attachment.plan.no_link_header;
}

bool afxdp_is_cooked(const struct afxdp_capture *c)
{
	return c->attachment.plan.any;
}

int afxdp_socket_program(const struct afxdp_capture *c)
{
	return c->attachment.plan.namespaces ? program_socket_fd(&c->program) : -1;
}

void afxdp_set_link(struct afxdp_capture *c, enum afxdp_link link)
{
	if (c->attachment.plan.any)
		c->reading.filter.link =
			link == AFXDP_LINK_SLL ? FILTER_LINK_SLL : FILTER_LINK_SLL2;
}

bool afxdp_has_tags_beside(const struct afxdp_capture *c)
{
	return c->attachment.plan.tags_beside;
}

void afxdp_set_directions(struct afxdp_capture *c, bool in, bool out)
{
	c->reading.unwanted = (in ? 0 : EPB_FLAG_INBOUND) | (out ? 0 : EPB_FLAG_OUTBOUND);
	if (!c->reading.silent)
		ring_set_unwanted(&c->reading.rings, c->reading.unwanted);
}

int afxdp_inject(struct afxdp_capture *c, const void *frame, size_t length)
{
	int n = inject_by_socket(&c->inject, frame, length, wait_is_blocking(&c->reader.wait));

	if (n != -EOPNOTSUPP || c->attachment.capture_only)
		return n;
	if (c->attachment.packet < 0)
		return length > divert_frame_max(&c->attachment.facts) ? -EMSGSIZE : -EINVAL;
	return inject_by_packet(&c->inject, &c->attachment, &c->reading.rings, frame, length);
}
