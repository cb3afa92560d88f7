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
#ifndef PCAP_AFXDP_PUT_STATE_H
#define PCAP_AFXDP_PUT_STATE_H

#include <stdatomic.h>
#include <stdint.h>

struct put_state {
	_Atomic uint64_t runs;	       /* begun */
	_Atomic uint64_t acknowledged; /* that this run, or one of this capture before, has read */
	_Atomic uint64_t earlier;      /* acknowledged that lay in the spool when a run began */
	_Atomic uint64_t spooled;      /* lie in the spool at present */
	_Atomic uint64_t kept;	       /* the same, and what is acknowledged of files with others */
	_Atomic uint64_t spool_begun;  /* lay there when the capture began */
	_Atomic uint64_t repeated;     /* were found in the spool though they were acknowledged */
	_Atomic uint64_t lost;	       /* as put knows it */
	_Atomic uint64_t told;	   /* are missing, as sections say that have reached them, too */
	_Atomic uint64_t dropped;  /* by the host, as sections say that have reached them, too */
	_Atomic uint64_t given;	   /* by xdpdump: went to runs before this one, or were lost */
	_Atomic uint32_t is_ready; /* put has found its topic once */
	_Atomic uint32_t is_over;  /* by xdpdump: nothing more comes, and it prints the counts */
};

#endif
