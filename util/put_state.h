/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * How pcapng-kafka put stands, in memory that xdpdump, which starts it, has too: so it is known
 * also of one that was killed. Counts are packets, over all runs of put of one capture.
 *
 *	acknowledged + earlier - repeated - spool_begun + spooled
 *
 * have reached the brokers or the disk.
 */
#pragma once

#include <stdatomic.h>
#include <stdint.h>

/* What keeps packets from being acknowledged: its name in --json and --metrics, and in words. */
#define PUT_TROUBLES(X)                                                                            \
	X(UNREACHABLE, "unreachable", "no broker answers")                                         \
	X(CREDENTIALS, "credentials", "brokers and host do not trust each other")                  \
	X(NO_TOPIC, "no_topic", "there is no such topic")                                          \
	X(NO_RIGHT, "no_right", "the brokers do not let this user write")                          \
	X(TOO_LARGE, "too_large", "the topic refuses messages as large as a section")              \
	X(TIME, "time", "the topic refuses the time of these packets")                             \
	X(SLOW, "slow", "the brokers take less than comes")                                        \
	X(OTHER, "other", "the brokers refuse them")

enum put_trouble {
	PUT_WELL,
#define PUT_TROUBLE(name, label, words) PUT_##name,
	PUT_TROUBLES(PUT_TROUBLE)
#undef PUT_TROUBLE
		PUT_TROUBLES_END
};

struct put_state {
	_Atomic uint64_t runs;	       /* begun */
	_Atomic uint64_t acknowledged; /* that this run, or one of this capture before, has read */
	_Atomic uint64_t earlier;      /* ... or lost, that lay in the spool when a run began */
	_Atomic uint64_t spooled;      /* lie in the spool at present */
	_Atomic uint64_t kept;	       /* the same, and what is acknowledged of files with others */
	_Atomic uint64_t spool_begun;  /* lay there when the capture began */
	_Atomic uint64_t repeated;     /* were there though they were acknowledged, or are lost */
	_Atomic uint64_t lost;	       /* as put knows it */
	_Atomic uint64_t told;	      /* are missing, as sections say that have reached them, too */
	_Atomic uint64_t dropped;     /* by the host, as sections say that have reached them, too */
	_Atomic uint64_t given;	      /* by xdpdump: went to runs before this one, or were lost */
	_Atomic uint64_t went;	      /* by xdpdump: of these, went to runs before this one */
	_Atomic uint64_t vanished;    /* of these, with a run that was killed */
	_Atomic uint64_t spool_bytes; /* of the sections that lie in the spool */
	_Atomic uint64_t spool_since; /* the oldest is from then, monotonic; 0: there is none */
	_Atomic uint64_t acknowledged_at; /* the last, or a run began, monotonic */
	_Atomic uint32_t trouble;	  /* enum put_trouble */
	_Atomic uint32_t section;  /* bytes that fit into the topic's messages; 0: no limit */
	_Atomic uint32_t is_ready; /* put has found its topic once */
	_Atomic uint32_t is_over;  /* by xdpdump: nothing more comes, and it prints the counts */
};
