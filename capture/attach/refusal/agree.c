/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <stdio.h>
#include <sys/auxv.h>

#include "agree.h"

/* The option that takes frames from the host; NULL: none. */
static const char *taker(const struct afxdp_options *o)
{
	return o->engine == CAPTURE_ENGINE_DIVERT ? "engine=divert"
	       : o->after_drop			  ? "after=drop"
						  : NULL;
}

/* The option that does more than observe, other than join=on; NULL: none. */
static const char *actor(const struct afxdp_options *o)
{
	return taker(o) ? taker(o) : o->rest_drop ? "rest=drop" : o->xdp_obj[0] ? "xdp-obj=" : NULL;
}

/* The option by which less than whole packets, or not all, are captured; NULL: none. */
static const char *reducer(const struct afxdp_options *o)
{
	return o->slice.depth ? "slice=" : o->flow_cutoff ? "flow-cutoff=" : NULL;
}

/* The option that only works with sockets; NULL: none. */
static const char *socket_option(const struct afxdp_options *o)
{
	return o->zero_copy != CAPTURE_ZERO_COPY_AUTO ? "zero-copy="
	       : o->busy_poll			      ? "busy-poll="
						      : "sock-fds= or prog-fd=";
}

const char *agree_needs_more(const struct afxdp_options *o)
{
	return o->xdp_mode == CAPTURE_XDP_SKB ? "xdp-mode=skb"
	       : actor(o)		      ? actor(o)
	       : o->join		      ? "join=on"
					      : NULL;
}

/* An option without effect is either a mistake, or somebody relies on its effect. */
static const char *check_effect(const struct afxdp_options *o)
{
	bool divert = o->engine == CAPTURE_ENGINE_DIVERT;
	bool behind = o->hook == CAPTURE_HOOK_TC || o->hook == CAPTURE_HOOK_PACKET;

	if (!divert && o->zero_copy == CAPTURE_ZERO_COPY_ON)
		return "zero-copy=on is for engine=divert: add that, or leave it out";
	if (!divert && o->busy_poll)
		return "busy-poll=on is for engine=divert: add that, or leave it out";
	if (!divert && !afxdp_options_have(o, "queues", NULL))
		return "queues= is for engine=divert: add that, or leave it out";
	if (o->entries && !(o->sets_asked & SETS_WANTED))
		return "entries=on names lines of hosts=, ports= and their src- and dst- forms: give one of these, or leave it out";
	if (o->flow_table && !o->flow_cutoff)
		return "flow-table= is for flow-cutoff=: add that, or leave it out";
	if (o->sets_max && !(o->sets_asked & ~(SET_FLOWS | SET_FLOW_CALLS)))
		return "set-max= is for hosts=, ports= and their like: add one, or leave it out";
	if (behind && o->xdp_mode == CAPTURE_XDP_SKB)
		return "xdp-mode=skb is for the XDP hook: leave it out, or hook=";
	return NULL;
}

/* Each of these messages is about two options. */
static const char *check_engine(const struct afxdp_options *o)
{
	bool divert = o->engine == CAPTURE_ENGINE_DIVERT;
	bool keeps = options_keep_frames(o);

	if (divert && (o->hook == CAPTURE_HOOK_TC || o->hook == CAPTURE_HOOK_PACKET))
		return "engine=divert is at XDP only: leave hook= out";
	if (o->xdp_obj[0] && (o->hook == CAPTURE_HOOK_TC || o->hook == CAPTURE_HOOK_PACKET))
		return "xdp-obj= is for the XDP hook: leave hook= out";
	if (o->xdp_obj[0] && (o->nic_time || o->hash))
		return "time stamps and hashes of the interface need a program that is bound to it, which does not go with xdp-obj=";
	if (divert && o->sample > 1)
		return "engine=divert delivers every frame: leave sample= out";
	if (divert && o->slice.depth)
		return "engine=divert delivers every frame whole: leave slice= out";
	if (divert && o->flow_cutoff)
		return "engine=divert delivers every frame: leave flow-cutoff= out";
	if (divert && o->after_drop)
		return "after=drop is for engine=tap: what engine=divert delivers never reaches the host";
	if (o->entries && options_ask_for_sockets(o))
		return "zero-copy=, busy-poll= and sock-fds= give frames to sockets, in which there is no room for entries: leave these out, or entries=on";
	if (o->who && divert)
		return "engine=divert keeps frames from the host, so no socket gets them: leave who=on out";
	if (o->who && o->coarse_time)
		return "who=on needs exact time stamps, since sockets change hands between two ticks: leave coarse-time=on (-j host_lowprec) out";
	if (o->who_others && !o->who)
		return "who-others= is for who=on: add that, or leave it out";
	if (o->who && o->join)
		return "a dispatcher does not load a program that looks for sockets: leave join=on out";
	if (o->rest_drop && !keeps)
		return "rest=drop is only for engine=divert or after=drop";
	if (o->rest_drop && o->sets_asked)
		return "rest=drop drops what the filter leaves out, and knows nothing of files of addresses or ports: leave one of the two out";
	if (o->full_pass && !keeps)
		return "full=pass is only for engine=divert or after=drop";
	if (o->watchdog && o->watchdog != CAPTURE_WATCHDOG_OFF && !keeps)
		return "watchdog= is only for engine=divert or after=drop";
	if (o->after_drop && o->hook == CAPTURE_HOOK_PACKET)
		return "after=drop needs hook=xdp or hook=tc: a packet socket cannot drop";
	return check_effect(o);
}

static int refuse(const char *why, char *err, size_t size)
{
	snprintf(err, size, "%s", why);
	return -EINVAL;
}

/* An option that takes frames from the host cannot be combined with every other. */
static int check_taker(const struct afxdp_options *o, char *err, size_t size)
{
	const char *given = taker(o);

	if (!given)
		return 0;
	/* The capabilities of this program are not for others to cut the host off with. */
	if (getauxval(AT_SECURE))
		snprintf(err, size,
			 "%s keeps frames from the host, and is not for programs with file capabilities or setuid: run it as root",
			 given);
	else if (o->pre_trigger)
		snprintf(err, size,
			 "%s keeps frames from the host, but until the trigger nobody reads: leave one of the two out",
			 given);
	else if (o->full_pass && options_ask_for_sockets(o))
		snprintf(err, size,
			 "full=pass is for rings, because the kernel drops what a socket has no room for: leave %s out",
			 socket_option(o));
	else
		return 0;
	return -EINVAL;
}

int agree_interface(const struct afxdp_options *o, char *err, size_t size)
{
	const char *why = check_engine(o);
	int e = check_taker(o, err, size);

	if (e)
		return e;
	if (o->join && actor(o)) {
		snprintf(err, size, "join=on only observes: leave %s out", actor(o));
		return -EINVAL;
	}
	return why ? refuse(why, err, size) : 0;
}

int agree_any(const struct afxdp_options *o, char *err, size_t size)
{
	const char *acts = actor(o) ? actor(o) : o->join ? "join=on" : NULL;
	bool hook = o->hook != CAPTURE_HOOK_AUTO && o->hook != CAPTURE_HOOK_PACKET;

	if (acts)
		snprintf(err, size, "any only observes: leave %s out, or name an interface", acts);
	else if (hook || o->xdp_mode == CAPTURE_XDP_SKB)
		snprintf(err, size,
			 "any is captured by a packet socket: leave %s out, or name an interface",
			 hook ? "hook=" : "xdp-mode=");
	else if (reducer(o))
		snprintf(err, size, "%s is for one interface: leave it out, or name one",
			 reducer(o));
	else
		return agree_interface(o, err, size);
	return -EINVAL;
}

static int check_observer(const struct afxdp_options *o, const char *who, char *err, size_t size)
{
	const char *acts = actor(o) ? actor(o) : o->join ? "join=on" : NULL;

	if (!acts)
		return check_effect(o) ? refuse(check_effect(o), err, size) : 0;
	snprintf(err, size, "%s only observes: leave %s out", who, acts);
	return -EINVAL;
}

static int refuse_sets(const char *who, char *err, size_t size)
{
	snprintf(err, size,
		 "%s takes no files of addresses or ports: leave hosts=, ports= and their like out",
		 who);
	return -EINVAL;
}

int agree_trace(const struct afxdp_options *o, char *err, size_t size)
{
	if (o->sets_asked)
		return refuse_sets("a capture on attached XDP programs", err, size);
	return check_observer(o, "a capture on attached XDP programs", err, size);
}

int agree_drops(const struct afxdp_options *o, char *err, size_t size)
{
	int e = o->sets_asked ? refuse_sets("a capture of drops", err, size)
			      : check_observer(o, "a capture of drops", err, size);

	if (e || !reducer(o))
		return e;
	snprintf(err, size, "%s is not for drops: leave it out", reducer(o));
	return -EINVAL;
}
