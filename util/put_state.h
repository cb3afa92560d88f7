/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The state of pcapng-kafka put, in memory that it shares with xdpdump, which starts it: so it is
 * known even if put was killed. Numbers count packets, over all runs of put for one capture.
 *
 * 	acknowledged + earlier - repeated - spool_begun + spooled
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
	_Atomic uint64_t runs;	       /* number of runs begun */
	_Atomic uint64_t acknowledged; /* read by this run or by earlier ones of this capture */
	_Atomic uint64_t earlier; /* the same, or lost, but were in the spool when a run began */
	_Atomic uint64_t spooled; /* are in the spool now */
	_Atomic uint64_t kept;	  /* the same, and acknowledged of files with others */
	_Atomic uint64_t spool_begun; /* were in the spool when the capture began */
	_Atomic uint64_t repeated;    /* were there although they were acknowledged, or are lost */
	_Atomic uint64_t lost;	      /* as far as put knows */
	_Atomic uint64_t told;	      /* missing, also according to sections in put */
	_Atomic uint64_t dropped;     /* by the host, also according to sections in put */
	_Atomic uint64_t given;	      /* by xdpdump: were sent to earlier runs, or lost */
	_Atomic uint64_t went;	      /* by xdpdump: of these, sent to earlier runs */
	_Atomic uint64_t vanished;    /* of these, lost with a run that was killed */
	_Atomic uint64_t spool_bytes; /* of the sections in the spool */
	_Atomic uint64_t spool_since; /* time of the oldest of them, monotonic; 0: there is none */
	_Atomic uint64_t acknowledged_at; /* time of the last acknowledgment, or when a run began,
					     monotonic */
	_Atomic uint32_t trouble;	  /* enum put_trouble */
	_Atomic uint32_t section;  /* bytes that fit into the topic's messages; 0: no limit */
	_Atomic uint32_t is_ready; /* put has found its topic once */
	_Atomic uint32_t is_over;  /* by xdpdump: nothing more comes, and it prints the counts */
};
