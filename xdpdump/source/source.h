/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* A source of records: an interface with its capture. These functions print their own error
 * messages. */
#pragma once

#include <net/if.h>
#include <stdbool.h>
#include <stdint.h>

#include "capture/afxdpcapture.h"
#include "expression.h"
#include "xdpdump/os/interfaces.h"
#include "xdpdump/os/netns.h"
#include "xdpdump/plan/plan.h"
#include "xdpdump/os/programs.h"
#include "targets.h"

#define SOURCE_PATTERNS_SIZE 256

struct source {
	struct afxdp_options *options;
	char ifname[IFNAMSIZ];
	bool no_side[AFXDP_SIDES];	     /* this side is not captured */
	uint32_t interface_ids[AFXDP_SIDES]; /* numbers of its blocks in the file */
	uint32_t program; /* id of the XDP program to capture in; 0: capture at the hook */
	char function[PROGRAM_FUNCTION_SIZE]; /* ... the function of it */
	bool at_exit;			      /* ... at its exit */
	bool drops;			      /* captures what the host's stack drops */
	const char *netns;		      /* NULL: our own */
	struct netns_id netns_id;
	struct interface interface;
	struct expression filter;
	struct afxdp_matcher *trigger; /* what --trigger waits for; NULL: nothing */
	struct afxdp_capture *capture;
	struct afxdp_reader *reader; /* of all rings, or of one */
	bool raw_ip;		     /* frames have no Ethernet header */
	bool alone;		     /* no other source has interface blocks in its file */
	/* If it has many interfaces, one block is for all of them; NULL: it has one. */
	struct members *members;
	char patterns[SOURCE_PATTERNS_SIZE]; /* for their names, with spaces between; "": any */
	/* If they are in many network namespaces: */
	bool many_spaces;
	struct spaces *spaces;			   /* NULL: there is no keeper process */
	bool shares_spaces;			   /* with the source that reads its news */
	char space_patterns[SOURCE_PATTERNS_SIZE]; /* with spaces between */
	struct netns_list *names;     /* of namespaces, for drops in all of them; else NULL */
	uint64_t members_looked;      /* last time for those that have gone; CLOCK_MONOTONIC ns */
	uint64_t read;		      /* records read from the rings, including refused ones */
	int node;		      /* NUMA node; -1: not known, or there is only one */
	char place[AFXDP_SIDES][512]; /* where it captures, in words; "": not on this side */
	char programs[PROGRAMS_TEXT_SIZE]; /* in the XDP hook before us; "": none */
	bool has_run;
	struct afxdp_run run;	 /* if has_run: the records to read next */
	int lost;		 /* -errno why nothing more comes; 0: it still captures */
	uint64_t lost_time;	 /* since this time; CLOCK_MONOTONIC ns */
	const struct source *of; /* of a copy with its own reader: the original; NULL: no copy */
	const char *warned;	 /* the last result of afxdp_warning() */
	/* Warnings since the opening. The original publishes their length in changed; copies read
	 * no further. */
	char change[AFXDP_ERROR_SIZE];
	size_t changed;
	struct afxdp_stats last; /* the statistics, after the capture was closed */
};

/* Prepare a source; interface: its number in the plan. The filter is compiled for Ethernet, or if
 * the source has many interfaces for LINUX_SLL2. Returns 0 or -errno. */
int source_parse(struct source *s, const struct source_plan *plan, unsigned interface);
/* After that: capture in a program instead of at the hook. Returns 0 or -errno. */
int source_trace(struct source *s, const struct source_plan *plan, const struct target *t);
/* In place of source_parse(): capture what the host's stack drops of the interface. Returns 0 or
 * -errno. */
int source_drops(struct source *s, const struct source_plan *plan, unsigned interface);
/* "entry" (also at a hook), "exit" or "drop". */
const char *source_place(const struct source *s);
/* Start what has to start before any source has rings. there: the spaces of another source, which
 * are then shared; NULL: there are none. Returns 0 or -errno. Call source_close() also after a
 * failure. */
int source_prepare(struct source *s, const struct source_plan *plan, struct spaces *there);
/* Open the capture. *next: the number of the first free interface block, which is increased by
 * those that the source gets. Returns 0 or -errno. Call source_close() also after a failure. */
int source_open(struct source *s, const struct source_plan *plan, uint32_t *next);
void source_close(struct source *s);
/* Everything was read, and nothing more comes: close the capture and what it holds in the system.
 * The statistics stay. */
void source_release(struct source *s);
/* The same for a copy with its own reader: closes that reader, but not the capture, which is the
 * original's. */
void source_release_reader(struct source *s);

/* Detach the programs, and wait until none of them is still working on a frame. After that, all
 * frames that they counted as matched and not lost are in the rings. */
void source_stop(struct source *s);
/* The same without waiting, for callers that wait for the programs of several sources. */
void source_detach(struct source *s);
/* After source_stop(): was everything read? */
bool source_is_empty(struct source *s);
/* Get the statistics of the reader; after it was closed, the last ones. */
void source_stats(const struct source *s, struct afxdp_stats *stats);
/* Has its network namespace been deleted? While we capture, the kernel keeps the namespace, with
 * the interface in it. */
bool source_lacks_netns(const struct source *s);
/* Before this call a record has the host's time stamp, by which rings and interfaces are merged and
 * files begin. If the interface's time stamp was asked for, write it over the host's: records are
 * in memory that is ours until they are released. */
void source_set_time(const struct source *s, const struct epb_header *record);
/* e: the result of afxdp_wait() or a similar function, or -ENONET if source_lacks_netns(). Returns
 * -errno if the capture has ended, else 0. */
int source_judge(int e);
/* Tell the user about such an end; goes_on: other sources still capture. */
void source_explain(const struct source *s, int e, bool goes_on);

/* After it was opened: does it capture on this side? Then the side has an interface block. */
static inline bool source_has(const struct source *s, enum afxdp_side side)
{
	return s->place[side][0] != 0;
}

/* ... and do both sides have the same block? */
static inline bool source_has_one_block(const struct source *s)
{
	return s->interface_ids[AFXDP_RECEIVED] == s->interface_ids[AFXDP_SENT];
}

/* The header that its frames begin with; the same as a LINKTYPE_..., and in words. */
enum expression_link source_link(const struct source *s);
uint16_t source_link_type(const struct source *s);
const char *source_link_name(const struct source *s);
/* The interface's name, or the patterns for many interfaces. */
static inline const char *source_interface(const struct source *s)
{
	return s->patterns[0] ? s->patterns : s->ifname;
}

/* Write "NETNS/INTERFACE:FUNCTION()@fentry", of which only the interface is always there; or
 * "NETNS/INTERFACE:drops". */
#define SOURCE_NAME_SIZE 4096
void source_name(const struct source *s, char *text, size_t size);
/* Write in words where it captures: on one side, or on both with AFXDP_SIDES. */
#define SOURCE_DESCRIPTION_SIZE 1536
void source_describe(const struct source *s, enum afxdp_side side, char *text, size_t size);

/* "in user space" and the reason, if the kernel does not run the filter; else NULL. */
const char *source_slow_filter(const struct source *s);
/* ", time stamps of the interface (adapter)" or the like, if it has them; else "". */
const char *source_nic_time(const struct source *s);
