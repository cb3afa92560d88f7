/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xdpdump/os/affinity.h"
#include "util/grace.h"
#include "xdpdump/os/complain.h"
#include "device.h"
#include "patterns.h"
#include "xdpdump/os/netns.h"
#include "xdpdump/os/netns_list.h"
#include "xdpdump/os/notes.h"
#include "pcapng/format.h"
#include "xdpdump/spaces/keeper.h"
#include "xdpdump/spaces/spaces.h"
#include "members.h"
#include "source.h"
#include "words.h"

#define COOKED_HEADER 20u /* of LINUX_SLL2 */
#define COOKED_MORE   8u

static int compile(struct expression *e, const char *text, struct expression_terms terms)
{
	char err[1024];

	if (expression_compile(e, text, terms, err, sizeof(err)) == 0)
		return 0;
	complain("%s", err);
	return -EINVAL;
}

static int compile_trigger(struct expression *e, const struct options *o, enum expression_link link)
{
	return compile(e, o->trigger,
		       (struct expression_terms){link, AFXDP_SNAPLEN_MAX, o->as_written});
}

/* Where nobody reads until it comes. */
static bool kernel_pulls(const struct options *o)
{
	return o->pre_trigger && o->trigger;
}

static int add_trigger(struct source *s, const struct options *o, enum expression_link link)
{
	struct expression e;
	int status = compile_trigger(&e, o, link);

	if (status)
		return status;
	status = expression_pull(&s->filter, &e, o->snaplen);
	if (status)
		complain("--trigger: %s", strerror(-status));
	expression_free(&e);
	return status;
}

static int compile_filter(struct source *s, const struct options *o, enum expression_link link)
{
	int e;

	expression_free(&s->filter);
	e = compile(&s->filter, o->expression,
		    (struct expression_terms){link, o->snaplen, o->as_written});
	return e || !kernel_pulls(o) ? e : add_trigger(s, o, link);
}

static int match_trigger(struct source *s, const struct options *o, enum expression_link link)
{
	struct expression e;
	int status = compile_trigger(&e, o, link);

	afxdp_matcher_free(s->trigger);
	s->trigger = NULL;
	if (!status && e.n && !kernel_pulls(o) && link == LINK_COOKED)
		status = afxdp_matcher_new_cooked(&s->trigger, e.insns, e.n);
	else if (!status && e.n && !kernel_pulls(o))
		status = afxdp_matcher_new(&s->trigger, e.insns, e.n, s->interface.index);
	expression_free(&e);
	return status;
}

static int set_stamps(struct source *s, enum stamps stamps)
{
	int e = device_set(s->options, "coarse-time", stamps == STAMPS_HOST_LOWPREC ? "on" : "off");

	if (!e)
		e = device_set(s->options, "nic-time", stamps_are_nics(stamps) ? "on" : "off");
	return e ? e
		 : device_set(s->options, "nic-synced", stamps == STAMPS_ADAPTER ? "on" : "off");
}

static int parse_device(struct source *s, const struct options *o, const char *name)
{
	s->options = device_new(o);
	if (!s->options || device_options(s->options, o, name) || set_stamps(s, o->stamps))
		return -EINVAL;
	s->no_side[AFXDP_RECEIVED] = afxdp_options_have(s->options, "received", "off");
	s->no_side[AFXDP_SENT] = afxdp_options_have(s->options, "sent", "off");
	snprintf(s->ifname, sizeof(s->ifname), "%s", afxdp_options_interface(s->options));
	return 0;
}

static int refuse_vlan(const struct options *o)
{
	if (!expression_asks_for_vlan(o->expression) && !expression_asks_for_vlan(o->trigger))
		return 0;
	complain("%s", EXPRESSION_NO_VLAN);
	return -EINVAL;
}

/* The library keeps so much more, for who has another header. */
static uint32_t snaplen_of_cooked(uint32_t snaplen)
{
	return snaplen > COOKED_HEADER + COOKED_MORE ? snaplen - COOKED_MORE : snaplen;
}

/* What is open in them is no one's but the keeper's. */
static int parse_spaces(struct source *s, const struct options *o)
{
	s->many_spaces = true;
	if (patterns_join_netns(o, s->space_patterns, sizeof(s->space_patterns)))
		return -EINVAL;
	s->netns = s->space_patterns;
	return 0;
}

static int add_members(struct source *s)
{
	s->members = members_new();
	if (s->members)
		return 0;
	complain("out of memory");
	return -ENOMEM;
}

/* Of patterns together the first is the source. */
static int parse_many(struct source *s, const struct options *o, unsigned interface)
{
	char *device;
	int e;

	if (patterns_join(o, interface, s->patterns, sizeof(s->patterns)) || refuse_vlan(o))
		return -EINVAL;
	if (netns_is_pattern(s->netns) && parse_spaces(s, o))
		return -EINVAL;
	e = add_members(s);
	if (e)
		return e;
	if (compile_filter(s, o, LINK_COOKED) || match_trigger(s, o, LINK_COOKED))
		return -EINVAL;
	device = pattern_device(o->interfaces[interface]);
	e = device ? parse_device(s, o, device) : -ENOMEM;
	free(device);
	if (!e && s->many_spaces)
		e = device_set(s->options, "namespaces", "on");
	else if (!e && s->patterns[0])
		e = device_set(s->options, "interfaces", s->patterns);
	return e ? e : device_set_number(s->options, "snaplen", snaplen_of_cooked(o->snaplen));
}

enum expression_link source_link(const struct source *s)
{
	if (s->members && !s->drops)
		return LINK_COOKED;
	return s->raw_ip ? LINK_RAW_IP : LINK_ETHERNET;
}

uint16_t source_link_type(const struct source *s)
{
	static const uint16_t types[] = {LINKTYPE_ETHERNET, LINKTYPE_RAW, LINKTYPE_LINUX_SLL2};

	return types[source_link(s)];
}

const char *source_link_name(const struct source *s)
{
	static const char *const names[] = {"Ethernet", "raw IP", "LINUX_SLL2"};

	return names[source_link(s)];
}

int source_parse(struct source *s, const struct options *o, unsigned interface)
{
	const char *name = o->interfaces[interface];

	*s = (struct source){.netns = o->netns[interface]};
	if (pattern_has_many(o, interface))
		return parse_many(s, o, interface);
	if (compile_filter(s, o, LINK_ETHERNET) || match_trigger(s, o, LINK_ETHERNET))
		return -EINVAL;
	return parse_device(s, o, name);
}

static bool is_traced(const struct source *s)
{
	return s->program != 0;
}

const char *source_place(const struct source *s)
{
	return s->drops ? "drop" : s->at_exit ? "exit" : "entry";
}

int source_trace(struct source *s, const struct options *o, const struct target *t)
{
	int e;

	if (!afxdp_options_have(s->options, "hook", NULL)) {
		complain(
			"the hook is chosen by --program-names and --rx-capture: leave --hook out");
		return -EINVAL;
	}
	s->program = t->program;
	s->at_exit = t->exit;
	snprintf(s->function, sizeof(s->function), "%s", t->function);
	e = device_set(s->options, "place", source_place(s));
	if (!e)
		e = device_set_number(s->options, "program", t->program);
	if (!e)
		e = device_set(s->options, "function", t->function);
	if (!e)
		e = device_set_number(s->options, "verdicts", t->exit ? o->verdicts : 0);
	if (!e)
		e = device_set(s->options, "loader", "off"); /* it opens none of these */
	return e;
}

/*
 * The program knows one namespace, or takes all there are, also those that have no name. Which of
 * them and of their interfaces are wanted the reader knows, as of frames.
 */
static int find_drops(struct source *s, const struct options *o, unsigned interface)
{
	if (pattern_has_many(o, interface) &&
	    patterns_join(o, interface, s->patterns, sizeof(s->patterns)))
		return -EINVAL;
	if (!netns_is_pattern(s->netns))
		return 0;
	if (parse_spaces(s, o))
		return -EINVAL;
	if (strcmp(s->netns, "all") != 0 || s->patterns[0])
		return add_members(s);
	s->names = netns_list_new();
	return s->names ? 0 : -ENOMEM;
}

/* Of one interface, of all, or of those by whose names the reader chooses. */
static int parse_drops(struct source *s, const struct options *o, unsigned interface)
{
	const char *name = o->interfaces[interface];

	*s = (struct source){.netns = o->netns[interface], .drops = true};
	if (find_drops(s, o, interface))
		return -EINVAL;
	if (compile_filter(s, o, LINK_ETHERNET) || match_trigger(s, o, LINK_ETHERNET))
		return -EINVAL;
	return parse_device(s, o, pattern_has_many(o, interface) ? AFXDP_ANY : name);
}

int source_drops(struct source *s, const struct options *o, unsigned interface)
{
	static const char *const what[][2] = {
		{"place", "drops"}, {"loader", "off"}, {"promiscuous", "off"},
		{"received", "on"}, {"sent", "on"},
	};
	struct afxdp_options *drops;
	char name[DEVICE_NAME_SIZE];
	int e = parse_drops(s, o, interface);

	if (e)
		return e;
	drops = device_new(o);
	device_name(name, s->ifname);
	e = drops ? device_drops(drops, o, name) : -ENOMEM;
	afxdp_options_free(s->options);
	s->options = drops;
	s->no_side[AFXDP_RECEIVED] = s->no_side[AFXDP_SENT] = false;
	for (size_t i = 0; i < sizeof(what) / sizeof(what[0]) && !e; i++)
		e = device_set(drops, what[i][0], what[i][1]);
	if (!e && s->many_spaces)
		e = device_set(drops, "namespaces", "on");
	else if (!e && s->patterns[0])
		e = device_set(drops, "interfaces", s->patterns);
	if (!e && o->stamps == STAMPS_HOST_LOWPREC)
		e = device_set(drops, "coarse-time", "on");
	if (!e && o->drop_reasons)
		e = device_set(drops, "drop-reasons", o->drop_reasons);
	return e;
}

/* Compiled once more where frames have no Ethernet header, which only the open capture tells. */
static int set_filter(struct source *s, const struct options *o)
{
	char err[AFXDP_ERROR_SIZE] = "";
	int e = 0;

	if (!s->filter.n)
		return 0;
	if (source_link(s) == LINK_RAW_IP)
		e = compile_filter(s, o, LINK_RAW_IP);
	if (e)
		return e;
	e = afxdp_set_filter(s->capture, s->filter.insns, s->filter.n, err, sizeof(err));
	if (e) {
		complain("%s", err);
		return e;
	}
	if (kernel_pulls(o) && afxdp_filter_level(s->capture) == AFXDP_LEVEL_USER) {
		complain("%s: only the kernel can wait for --trigger after --pre-trigger, but the filter runs %s: leave one of them out, and give SIGUSR2 in place of --trigger",
			 s->ifname, afxdp_filter_text(s->capture));
		return -EOPNOTSUPP;
	}
	return 0;
}

const char *source_slow_filter(const struct source *s)
{
	bool slow = s->capture && s->filter.n && afxdp_filter_level(s->capture) == AFXDP_LEVEL_USER;

	return slow ? afxdp_filter_text(s->capture) : NULL;
}

const char *source_nic_time(const struct source *s)
{
	if (!afxdp_has_nic_time(s->capture))
		return "";
	return afxdp_options_have(s->options, "nic-synced", "on")
		       ? ", time stamps of the interface (adapter)"
		       : ", time stamps of the interface (adapter_unsynced)";
}

/* One block of the file is of both sides. */
static void find_place_of_many(struct source *s)
{
	const char *sides = s->no_side[AFXDP_SENT]	 ? "ingress"
			    : s->no_side[AFXDP_RECEIVED] ? "egress"
							 : "ingress and egress";

	snprintf(s->place[AFXDP_RECEIVED], sizeof(s->place[AFXDP_RECEIVED]), "%s packet socket",
		 sides);
}

/* In words, where frames are captured; the first ones are those of xdp-tools. */
static void find_place(struct source *s)
{
	const char *hooks = afxdp_hooks(s->capture);
	const char *behind = strstr(hooks, "packet") ? "packet socket" : "tc hook";
	char at[PROGRAM_FUNCTION_SIZE + 64], to[96] = "";
	struct xdp_program p;

	if (s->drops) {
		snprintf(s->place[AFXDP_RECEIVED], sizeof(s->place[AFXDP_RECEIVED]),
			 "dropped by the host's stack");
		if (!s->members) /* one block of the file is of both sides */
			snprintf(s->place[AFXDP_SENT], sizeof(s->place[AFXDP_SENT]),
				 "dropped by the host's stack, on the way out");
		return;
	}
	if (afxdp_diverted_to(s->capture))
		snprintf(to, sizeof(to), " to %s", afxdp_diverted_to(s->capture));
	snprintf(at, sizeof(at), "%s", strncmp(hooks, "tc", 2) == 0 ? "tc hook" : behind);
	if (is_traced(s)) {
		snprintf(at, sizeof(at), "XDP program ID %u func %s", s->program, s->function);
	} else if (strncmp(hooks, "xdp", 3) == 0) {
		interface_program(s->ifname, &p);
		snprintf(at, sizeof(at), "XDP program ID %u%s%s", p.id,
			 p.function[0] ? " func " : "",
			 p.function); /* the privileged alone can see it */
	}
	if (s->members) {
		find_place_of_many(s);
		return;
	}
	if (!s->no_side[AFXDP_RECEIVED])
		snprintf(s->place[AFXDP_RECEIVED], sizeof(s->place[AFXDP_RECEIVED]),
			 "ingress %s%s%s", at, to, source_nic_time(s));
	if (!s->no_side[AFXDP_SENT])
		snprintf(s->place[AFXDP_SENT], sizeof(s->place[AFXDP_SENT]), "egress %s", behind);
}

/*
 * The filter is set while the privilege is there, so that the loader is of use only where it is
 * missing. And for what is changed about the interface so that it stamps frames: it is put back
 * when we no longer can.
 */
static int open_capture(struct source *s, bool trial, char *err, size_t size)
{
	bool nic_time = afxdp_options_have(s->options, "nic-time", "on");
	const char *follows = nic_time ? "later" : s->filter.n ? "at-once" : "no";
	int e = device_set(s->options, "filter-follows", follows);

	if (!e)
		e = device_set(s->options, "begin", "held");

	if (!e && trial)
		e = device_set(s->options, "trial", "on");
	if (!e)
		e = afxdp_open(&s->capture, s->options, err, size);
	s->warned = e ? NULL : afxdp_warning(s->capture);
	return e;
}

/*
 * libpcap compares the link type of a second interface block, LINKTYPE_RAW, with its own number for
 * the first one's, DLT_RAW, which is another (libpcap issue 1252): it refuses every such file.
 */
static bool needs_one_block(const struct source *s)
{
	struct afxdp_interface i;

	return s->alone && !afxdp_look(s->ifname, &i, sizeof(i)) && i.is_raw_ip;
}

/* In the file. */
static int number_sides(struct source *s, uint32_t *next)
{
	int e = 0;

	if (s->members) { /* records name their interface by themselves */
		s->interface_ids[AFXDP_RECEIVED] = s->interface_ids[AFXDP_SENT] = (*next)++;
		return 0;
	}
	/* Loopback receives what it sends, and borrowed sockets only receive. */
	if ((s->interface.loopback && !s->drops) ||
	    !afxdp_options_have(s->options, "sock-fds", NULL) ||
	    !afxdp_options_have(s->options, "prog-fd", NULL)) {
		s->no_side[AFXDP_SENT] = true;
		e = device_set(s->options, "sent", "off");
	}
	s->interface_ids[AFXDP_RECEIVED] = *next;
	if (!s->no_side[AFXDP_SENT] && !s->no_side[AFXDP_RECEIVED] && !needs_one_block(s))
		++*next;
	s->interface_ids[AFXDP_SENT] = (*next)++;
	if (!e)
		e = device_set_number(s->options, "interface-received",
				      s->interface_ids[AFXDP_RECEIVED]);
	return e ? e
		 : device_set_number(s->options, "interface-sent", s->interface_ids[AFXDP_SENT]);
}

static int open_sides(struct source *s, const struct options *o, uint32_t *next, char *err,
		      size_t size)
{
	int e = number_sides(s, next);

	return e ? e : open_capture(s, o->trial, err, size);
}

/* Sent frames that nobody asked for by name are no reason to have none. */
static int open_received(struct source *s, const struct options *o, uint32_t *next, char *err,
			 size_t size)
{
	char why[AFXDP_ERROR_SIZE], text[2 * AFXDP_ERROR_SIZE];
	int e = device_set(s->options, "sent", "off");

	snprintf(why, sizeof(why), "%s", err);
	s->no_side[AFXDP_SENT] = true;
	if (!e)
		e = open_sides(s, o, next, err, size);
	if (!e)
		note("capturing only what %s receives, because what it sends cannot be captured: %s",
		     s->ifname, words_of_command(why, text, sizeof(text)));
	return e;
}

static int open_what_can_be(struct source *s, const struct options *o, uint32_t *next)
{
	char err[AFXDP_ERROR_SIZE] = "", text[2 * AFXDP_ERROR_SIZE];
	uint32_t first = *next;
	int e = open_sides(s, o, next, err, sizeof(err));

	if (e && o->both_by_default && !s->drops && !s->no_side[AFXDP_SENT]) {
		*next = first;
		e = open_received(s, o, next, err, sizeof(err));
	}
	if (e && err[0])
		complain("%s", words_of_command(err, text, sizeof(text)));
	if (e)
		return e;
	s->reader = afxdp_reader(s->capture);
	s->raw_ip = !afxdp_has_link_header(s->capture);
	return 0;
}

static int look_at_interface(struct source *s)
{
	if (!s->members && strcmp(s->ifname, AFXDP_ANY) != 0)
		return interface_get(&s->interface, s->ifname);
	memcpy(s->interface.name, s->ifname, sizeof(s->interface.name));
	return 0;
}

static int open_here(struct source *s, const struct options *o, uint32_t *next)
{
	int e = look_at_interface(s);

	if (!e && s->interface.loopback && !s->drops && o->direction == DIRECTION_OUT) {
		complain("what %s sends it also receives, and that is captured: give --direction in",
			 s->ifname);
		return -EINVAL;
	}
	if (!s->members)
		interface_programs(s->ifname, s->programs, sizeof(s->programs));
	s->node = s->netns || s->members ? -1 : affinity_near(s->ifname);
	e = open_what_can_be(s, o, next); /* which tells what is wrong with the interface */
	if (e)
		return e;
	e = match_trigger(s, o, source_link(s));
	if (!e)
		e = set_filter(s, o);
	if (!e) /* the program with the filter is another one */
		find_place(s);
	return e;
}

void source_name(const struct source *s, char *text, size_t size)
{
	snprintf(text, size, "%s%s%s%s%s%s%s", s->netns ? s->netns : "", s->netns ? "/" : "",
		 source_interface(s),
		 s->drops     ? ":drops"
		 : s->program ? ":"
			      : "",
		 s->function, s->program ? "()@f" : "", s->program ? source_place(s) : "");
}

void source_describe(const struct source *s, enum afxdp_side side, char *text, size_t size)
{
	const char *received = side == AFXDP_SENT ? "" : s->place[AFXDP_RECEIVED];
	const char *sent = side == AFXDP_RECEIVED ? "" : s->place[AFXDP_SENT];

	snprintf(text, size, "%s%s%s%s%s%s%s", s->netns ? "network namespace" : "",
		 s->many_spaces ? "s "
		 : s->netns	? " "
				: "",
		 s->netns ? s->netns : "", s->netns ? ", " : "", received,
		 received[0] && sent[0] ? ", " : "", sent);
}

int source_prepare(struct source *s, const struct options *o, struct spaces *there)
{
	struct keeper_orders orders = {.sees_frames = !s->drops};

	if (!s->many_spaces || !s->members || o->trial)
		return 0;
	if (there) {
		s->spaces = spaces_share(there);
		s->shares_spaces = true;
		return 0;
	}
	for (unsigned i = 0; i < o->interface_count; i++) {
		if (!netns_is_pattern(o->netns[i]))
			continue;
		if (strcmp(o->netns[i], "all") == 0)
			orders.all = true;
		else
			orders.patterns[orders.count++] = o->netns[i];
	}
	return spaces_prepare(&s->spaces, &orders);
}

int source_open(struct source *s, const struct options *o, uint32_t *next)
{
	int home, left, e;

	if (s->many_spaces) {
		e = open_here(s, o, next);
		if (e || !s->spaces || s->shares_spaces)
			return e;
		return spaces_begin(s->spaces, s->drops ? -1 : afxdp_socket_program(s->capture));
	}
	s->netns_id = netns_identify(s->netns); /* before: another may get the number later */
	e = netns_enter(s->netns, &home);
	if (e)
		return e;
	e = open_here(s, o, next);
	left = netns_leave(home);
	return e ? e : left;
}

static void close_spaces(struct source *s)
{
	spaces_close(s->spaces);
	s->spaces = NULL;
}

void source_close(struct source *s)
{
	spaces_stop(s->spaces);
	afxdp_close(s->capture);
	s->capture = NULL;
	s->reader = NULL;
	s->has_run = false;
	afxdp_options_free(s->options);
	s->options = NULL;
	expression_free(&s->filter);
	afxdp_matcher_free(s->trigger);
	s->trigger = NULL;
	members_free(s->members);
	s->members = NULL;
	netns_list_free(s->names);
	s->names = NULL;
	close_spaces(s);
	netns_forget(&s->netns_id);
}

void source_detach(struct source *s)
{
	afxdp_stop(s->capture);
	spaces_stop(s->spaces);
}

void source_stop(struct source *s)
{
	source_detach(s);
	grace_wait();
}

bool source_is_empty(struct source *s)
{
	return !s->reader || afxdp_reader_is_empty(s->reader, s->read);
}

void source_stats(const struct source *s, struct afxdp_stats *stats)
{
	if (s->reader)
		afxdp_reader_stats(s->reader, stats, sizeof(*stats));
	else
		*stats = s->last;
}

/* What stays of it. */
static void forget_reader(struct source *s)
{
	source_stats(s, &s->last);
	s->reader = NULL;
	s->has_run = false;
}

void source_release(struct source *s)
{
	forget_reader(s);
	afxdp_close(s->capture);
	s->capture = NULL;
	close_spaces(s);
	netns_forget(&s->netns_id);
}

void source_release_reader(struct source *s)
{
	struct afxdp_reader *own = s->reader;

	forget_reader(s);
	afxdp_reader_close(own);
	s->capture = NULL;
}

bool source_lacks_netns(const struct source *s)
{
	return s->netns && !s->many_spaces && netns_is_deleted(s->netns, &s->netns_id);
}

int source_judge(int e)
{
	return e == -ETIME || e == -EINTR ? 0 : e;
}

void source_explain(const struct source *s, int e, bool goes_on)
{
	const char *more = goes_on ? ": the capture goes on without it" : "";

	if (e == -ENODEV)
		complain("%s has disappeared%s", s->ifname, more);
	else if (e == -ENONET && s->netns_id.process)
		complain("process %s has ended, whose network namespace %s is in%s", s->netns,
			 s->ifname, more);
	else if (e == -ENONET)
		complain("%s has disappeared with network namespace %s, which was deleted%s",
			 s->ifname, s->netns, more);
	else if (e == -ENOLINK && s->program)
		complain("the XDP program of %s was detached or replaced%s", s->ifname, more);
	else if (e == -EBADMSG)
		complain("ring corrupted: something in this process has written into the memory that packets of %s are in, so nothing more is read from it; check the machine's memory, and report it%s",
			 s->ifname, more);
	else if (e == -ENOLINK)
		complain("another program has detached the capture from %s%s", s->ifname, more);
	else if (e == -EOWNERDEAD && s->many_spaces)
		complain("the process that keeps the sockets in network namespaces %s has ended%s",
			 s->netns, more);
	else if (e == -EOWNERDEAD)
		complain("the loader process has ended, and with it what it kept for the capture of %s%s",
			 s->ifname, more);
	else
		complain("waiting for packets of %s: %s%s", s->ifname, strerror(-e), more);
}
