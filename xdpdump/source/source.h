/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Where records come from: an interface with its capture. Complains itself where something fails.
 */
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
	bool no_side[AFXDP_SIDES];	      /* that is not captured */
	uint32_t interface_ids[AFXDP_SIDES];  /* in the file */
	uint32_t program;		      /* that it captures in; 0: it is at the hook */
	char function[PROGRAM_FUNCTION_SIZE]; /* ... of this program */
	bool at_exit;			      /* ... and at its end */
	bool drops;			      /* it is what the host's stack drops */
	const char *netns;		      /* NULL: ours */
	struct netns_id netns_id;
	struct interface interface;
	struct expression filter;
	struct afxdp_matcher *trigger; /* what --trigger waits for; NULL: nothing */
	struct afxdp_capture *capture;
	struct afxdp_reader *reader; /* of it, or of one of its rings */
	bool raw_ip;		     /* frames have no Ethernet header */
	bool alone;		     /* no other has interface blocks in its file */
	/* It has many interfaces: then one block is of all of them; NULL: it has one. */
	struct members *members;
	char patterns[SOURCE_PATTERNS_SIZE]; /* of their names, with blanks in between; "": any */
	/* They are in many network namespaces. */
	bool many_spaces;
	struct spaces *spaces;			   /* once it is open; NULL: no keeper */
	bool shares_spaces;			   /* with a source that hears of them */
	char space_patterns[SOURCE_PATTERNS_SIZE]; /* with blanks in between */
	struct netns_list *names;		   /* of drops of all there are; else NULL */
	uint64_t members_looked; /* for those that have gone; CLOCK_MONOTONIC ns */
	uint64_t read;		 /* records that were read from the rings, refused ones included */
	int node;		 /* of NUMA; -1: not known, or there is but one */
	char place[AFXDP_SIDES][512];	   /* where it captures, in words; empty: not there */
	char programs[PROGRAMS_TEXT_SIZE]; /* in the XDP hook before us; empty: none */
	bool has_run;
	struct afxdp_run run;	 /* where has_run says so: the records to read next */
	int lost;		 /* -errno: nothing more comes, and why; 0: it is there */
	uint64_t lost_time;	 /* since when; CLOCK_MONOTONIC ns */
	const struct source *of; /* a copy with a reader of its own: what its thread copies */
	const char *warned;	 /* afxdp_warning() as of the last look */
	/* What it has said since the opening; "": nothing. Copies see so many bytes of it. */
	char change[AFXDP_ERROR_SIZE];
	size_t changed;
	struct afxdp_stats last; /* what was counted, once the capture is closed */
};

/*
 * interface: of those in the options. The filter is compiled as for Ethernet. -errno.
 */
int source_parse(struct source *s, const struct source_plan *plan, unsigned interface);
/* After that: it is not at the hook, but in a program. -errno. */
int source_trace(struct source *s, const struct source_plan *plan, const struct target *t);
/* In place of source_parse(): what the host's stack drops of it. */
int source_drops(struct source *s, const struct source_plan *plan, unsigned interface);
/* "entry" or "exit", of received frames; "drop". */
const char *source_place(const struct source *s);
/*
 * What has to begin before there are rings of any source. there: who tells of network namespaces
 * already; NULL: nobody. -errno; to be closed in any case.
 */
int source_prepare(struct source *s, const struct source_plan *plan, struct spaces *there);
/*
 * *next: the number of the first interface block that is not in use; goes beyond those that the
 * source gets. -errno; to be closed in any case.
 */
int source_open(struct source *s, const struct source_plan *plan, uint32_t *next);
void source_close(struct source *s);
/*
 * All was read, and nothing more comes: the capture and what it takes in the system go, its figures
 * stay.
 */
void source_release(struct source *s);
/* The same of a copy with a reader of its own, which goes, too; the capture is another's. */
void source_release_reader(struct source *s);

/*
 * Let nothing more come: take the programs off the interface, and wait until none of them is still
 * at work on a frame. What they counted as matched and did not lose is then in the rings.
 */
void source_stop(struct source *s);
/* The same for who waits for the programs of several sources. */
void source_detach(struct source *s);
/* After source_stop(): were all records read? */
bool source_is_empty(struct source *s);
/* Of what its reader reads; once that is gone, what was counted last. */
void source_stats(const struct source *s, struct afxdp_stats *stats);
/* Has its network namespace been deleted? We would keep it, and the interface in it. */
bool source_lacks_netns(const struct source *s);
/*
 * Up to here a record has the host's stamp, by which rings and interfaces are merged and files
 * begin. Where the interface's is wanted it takes its place, in memory that is ours until it is
 * released.
 */
void source_set_time(const struct source *s, const struct epb_header *record);
/*
 * e: what afxdp_wait() and the like say; -ENONET: source_lacks_netns(). Is that the end of it?
 * -errno, else 0.
 */
int source_judge(int e);
/* Tell of such an end; goes_on: other sources go on. */
void source_explain(const struct source *s, int e, bool goes_on);

/* Once it is open: does it capture on this side? Then it has an interface block for it. */
static inline bool source_has(const struct source *s, enum afxdp_side side)
{
	return s->place[side][0] != 0;
}

/* ... and is that the block of the other side, too? */
static inline bool source_has_one_block(const struct source *s)
{
	return s->interface_ids[AFXDP_RECEIVED] == s->interface_ids[AFXDP_SENT];
}

/* What its frames begin with; the same as a LINKTYPE_..., and in words. */
enum expression_link source_link(const struct source *s);
uint16_t source_link_type(const struct source *s);
const char *source_link_name(const struct source *s);
/* The interface, or what stands for many of them. */
static inline const char *source_interface(const struct source *s)
{
	return s->patterns[0] ? s->patterns : s->ifname;
}

/* The interface, with the namespace in front, and behind it the program and the place in it. */
#define SOURCE_NAME_SIZE 4096
void source_name(const struct source *s, char *text, size_t size);
/* Where it captures, in words: on one side, or on all by AFXDP_SIDES. */
#define SOURCE_DESCRIPTION_SIZE 1536
void source_describe(const struct source *s, enum afxdp_side side, char *text, size_t size);

/* "in user space" and why, where the kernel does not run the filter; else NULL. */
const char *source_slow_filter(const struct source *s);
/* ", time stamps of the interface (adapter)", where it has them; else "". */
const char *source_nic_time(const struct source *s);
