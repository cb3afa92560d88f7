/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <linux/membarrier.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "affinity.h"
#include "default_route.h"
#include "netns.h"
#include "refine.h"
#include "report.h"
#include "source.h"

/* Far longer than any program works on a frame; where the kernel cannot wait for them. */
#define GRACE_NS (10 * NS_PER_MS)

static int compile(struct expression *e, const char *text, enum expression_link link,
		   uint32_t snaplen)
{
	char err[1024];

	if (expression_compile(e, text, link, snaplen, err, sizeof(err)) == 0)
		return 0;
	complain("%s", err);
	return -EINVAL;
}

static int compile_filter(struct source *s, const struct options *o, enum expression_link link)
{
	expression_free(&s->filter);
	return compile(&s->filter, o->expression, link, o->snaplen);
}

static int compile_trigger(struct source *s, const struct options *o, enum expression_link link)
{
	struct expression e;
	int status = compile(&e, o->trigger, link, CAPTURE_SNAPLEN_MAX);

	refine_free(s->trigger);
	s->trigger = NULL;
	if (!status && e.n)
		status = refine_new(&s->trigger, e.insns, e.n, s->interface.index);
	expression_free(&e);
	return status;
}

int source_parse(struct source *s, const struct options *o, unsigned interface)
{
	const char *name = o->interfaces[interface];
	char device[512], err[CAPTURE_ERROR_SIZE] = "out of memory";

	*s = (struct source){.netns = o->netns[interface]};
	if (compile_filter(s, o, LINK_ETHERNET) || compile_trigger(s, o, LINK_ETHERNET))
		return -EINVAL;
	if ((size_t)snprintf(device, sizeof(device), "%s%s", name, o->engine) >= sizeof(device)) {
		complain("%.32s...: no such interface", name);
		return -ENODEV;
	}
	s->engine = (struct capture_options){.snaplen = o->snaplen,
					     .in_only = o->direction == DIRECTION_IN,
					     .out_only = o->direction == DIRECTION_OUT,
					     .promiscuous = o->promiscuous,
					     .coarse_time = o->stamps == STAMPS_HOST_LOWPREC,
					     .nic_time = stamps_are_nics(o->stamps),
					     .nic_synced = o->stamps == STAMPS_ADAPTER,
					     .filter_follows = s->filter.n != 0};
	if (capture_parse_device(device, &s->engine, err, sizeof(err))) {
		complain("%s", err);
		return -EINVAL;
	}
	return 0;
}

static bool is_traced(const struct source *s)
{
	return s->engine.program != 0;
}

const char *source_place(const struct source *s)
{
	return s->engine.hook == CAPTURE_HOOK_FEXIT ? "exit" : "entry";
}

/* Rings for all of them are to take no more memory than those of one capture. */
static void share_rings(struct capture_options *e, unsigned sharers)
{
	uint64_t total = e->ring_total ? e->ring_total : CAPTURE_RING_TOTAL_DEFAULT;

	if (e->ring_size && !e->ring_total)
		return;
	e->ring_total = total / sharers < RING_SIZE_MIN ? RING_SIZE_MIN : total / sharers;
}

int source_trace(struct source *s, const struct options *o, const struct target *t,
		 unsigned sharers)
{
	if (s->engine.hook != CAPTURE_HOOK_AUTO) {
		complain(
			"the hook is chosen by --program-names and --rx-capture: leave --hook out");
		return -EINVAL;
	}
	s->engine.hook = t->exit ? CAPTURE_HOOK_FEXIT : CAPTURE_HOOK_FENTRY;
	s->engine.program = t->program;
	s->engine.verdicts = t->exit ? o->verdicts : 0;
	s->engine.loader_off = true; /* it opens none of these */
	snprintf(s->engine.function, sizeof(s->engine.function), "%s", t->function);
	share_rings(&s->engine, sharers);
	return 0;
}

/* Compiled once more where frames have no Ethernet header, which only the open capture tells. */
static int set_filter(struct source *s, const struct options *o)
{
	char err[CAPTURE_ERROR_SIZE] = "";
	int e = 0;

	if (!s->filter.n)
		return 0;
	if (!capture_has_link_header(s->capture))
		e = compile_filter(s, o, LINK_RAW_IP);
	if (e)
		return e;
	e = capture_set_filter(s->capture, s->filter.insns, s->filter.n, err, sizeof(err));
	if (e)
		complain("%s", err);
	return e;
}

static const char *nic_time_text(const struct source *s)
{
	if (!capture_has_nic_time(s->capture))
		return "";
	return s->engine.nic_synced ? ", time stamps of the interface (adapter)"
				    : ", time stamps of the interface (adapter_unsynced)";
}

/* In words, where frames are captured; the first ones are those of xdp-tools. */
static void find_place(struct source *s)
{
	const char *hooks = capture_hooks(s->capture);
	const char *behind = strstr(hooks, "packet") ? "packet socket" : "tc hook";
	char name[32], at[CAPTURE_FUNCTION_SIZE + 64], to[80] = "";
	uint32_t id = s->engine.program;

	if (capture_sockets(s->capture))
		snprintf(to, sizeof(to), " to AF_XDP sockets (%s)", capture_sockets(s->capture));
	snprintf(at, sizeof(at), "%s", behind);
	if (is_traced(s)) {
		snprintf(at, sizeof(at), "XDP program ID %u func %s", id, s->engine.function);
	} else if (strncmp(hooks, "xdp", 3) == 0) {
		id = interface_program(s->engine.ifname, name, sizeof(name));
		snprintf(at, sizeof(at), "XDP program ID %u%s%s", id, name[0] ? " func " : "",
			 name); /* told to the privileged only */
	}
	if (!s->engine.out_only)
		snprintf(s->place[SIDE_RECEIVED], sizeof(s->place[SIDE_RECEIVED]), "ingress %s%s%s",
			 at, to, nic_time_text(s));
	if (!s->engine.in_only)
		snprintf(s->place[SIDE_SENT], sizeof(s->place[SIDE_SENT]), "egress %s", behind);
}

/*
 * The filter is set while the privilege is there, so that the loader is of use only where it is
 * missing. And for what is changed about the interface so that it stamps frames: it is put back
 * when we no longer can.
 */
static int open_capture(struct source *s)
{
	char err[CAPTURE_ERROR_SIZE] = "", why[CAPTURE_ERROR_SIZE] = "";
	bool loader_off = s->engine.loader_off;
	int e;

	if (s->engine.nic_time)
		s->engine.filter_follows = true; /* it is started for that */
	else
		s->engine.loader_off = loader_off || !s->engine.join;
	e = capture_open(&s->capture, &s->engine, err, sizeof(err));
	s->engine.loader_off = loader_off;
	if (e == -EPERM && !loader_off &&
	    capture_open(&s->capture, &s->engine, why, sizeof(why)) == 0)
		return 0;
	if (e)
		complain("%s", err);
	return e;
}

/* Whoever is logged in through it would be cut off. */
static int check_way_out(const struct source *s, const struct options *o)
{
	const struct capture_options *e = &s->engine;
	const char *how = e->engine == CAPTURE_ENGINE_DIVERT ? "--engine divert" : "--after drop";

	if (o->yes || o->direction == DIRECTION_OUT ||
	    (e->engine == CAPTURE_ENGINE_TAP && !e->after_drop) ||
	    !default_route_uses(s->interface.index))
		return 0;
	complain("%s has the default route, and %s keeps frames from the host: if that is meant, "
		 "say "
		 "--yes",
		 e->ifname, how);
	return -EPERM;
}

/* In the file. */
static void number_sides(struct source *s, uint32_t *next)
{
	struct capture_options *e = &s->engine;

	/* Loopback receives what it sends, and sockets that were passed only receive. */
	if (s->interface.loopback || e->sock_fd_count || e->prog_fd)
		e->in_only = true;
	e->interface_ids[SIDE_RECEIVED] = *next;
	if (!e->in_only && !e->out_only)
		++*next;
	e->interface_ids[SIDE_SENT] = (*next)++;
}

static int open_here(struct source *s, const struct options *o, uint32_t *next)
{
	int e = interface_get(&s->interface, s->engine.ifname);

	if (!e && s->interface.loopback && o->direction == DIRECTION_OUT) {
		complain("what %s sends it receives too, and is captured there: --direction in",
			 s->engine.ifname);
		return -EINVAL;
	}
	if (!e)
		e = check_way_out(s, o);
	if (e == -EPERM)
		return e;
	number_sides(s, next);
	interface_programs(s->engine.ifname, s->programs, sizeof(s->programs));
	s->node = s->netns ? -1 : affinity_near(s->engine.ifname);
	e = open_capture(s); /* which tells what is wrong with the interface */
	if (e)
		return e;
	e = compile_trigger(s, o,
			    capture_has_link_header(s->capture) ? LINK_ETHERNET : LINK_RAW_IP);
	if (!e)
		e = set_filter(s, o);
	if (!e) /* the program with the filter is another one */
		find_place(s);
	return e;
}

void source_describe(const struct source *s, enum side side, char *text, size_t size)
{
	const char *received = side == SIDE_SENT ? "" : s->place[SIDE_RECEIVED];
	const char *sent = side == SIDE_RECEIVED ? "" : s->place[SIDE_SENT];

	snprintf(text, size, "%s%s%s%s%s%s", s->netns ? "network namespace " : "",
		 s->netns ? s->netns : "", s->netns ? ", " : "", received,
		 received[0] && sent[0] ? ", " : "", sent);
}

int source_open(struct source *s, const struct options *o, uint32_t *next)
{
	int home, left, e = netns_enter(s->netns, &home);

	if (e)
		return e;
	e = open_here(s, o, next);
	left = netns_leave(home);
	return e ? e : left;
}

void source_close(struct source *s)
{
	capture_close(s->capture);
	s->capture = NULL;
	s->has_run = false;
	expression_free(&s->filter);
	refine_free(s->trigger);
	s->trigger = NULL;
}

void source_stop(struct source *s)
{
	const struct timespec grace = {.tv_nsec = GRACE_NS};

	capture_stop(s->capture);
	/* It waits for all readers of RCU, which running programs are. */
	if (syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0))
		nanosleep(&grace, NULL);
}

bool source_is_empty(struct source *s)
{
	struct capture_stats stats;

	if (s->part)
		return capture_part_is_empty(s->part, s->read);
	capture_stats(s->capture, &stats);
	return s->read >= capture_stats_records(&stats);
}
