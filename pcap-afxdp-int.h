/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* For the module's own files only. Include pcap-int.h first. */
#ifndef PCAP_AFXDP_INT_H
#define PCAP_AFXDP_INT_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "afxdpcapture.h"

#include "pcap-afxdp-debug.h"

/* What pcap_activate() returns if promiscuous mode is asked for on all
 * interfaces: the same as pcap-linux.c. */
#ifndef PROMISC_OF_ANY_STATUS
#define PROMISC_OF_ANY_STATUS PCAP_WARNING_PROMISC_NOTSUP
#endif

struct afxdp_api;
struct afxdp_capture;
struct afxdp_reader;
struct epb_header;

/* The private data of a handle. Before activation, only lib and more are
 * set. */
struct afxdp {
	struct afxdp *other;           /* next in the list of active handles */
	uint64_t number;               /* unique over time; 0: not active */
	const struct afxdp_api *lib;   /* the functions of libafxdpcapture */
	struct afxdp_capture *capture; /* NULL: not active */
	struct afxdp_reader *reader;   /* belongs to the capture */
	int nonblock;
	/* nic_time: stamps are the interface's; warns: warn=on; cooked: the
	 * device is xdp:any */
	bool nic_time, warns, cooked;
	const char *const *more; /* options: name, value, ..., NULL; or NULL */
	int waiting; /* this read found no record at its first look */
	bool told;   /* its descriptor was readable when this read began */
	struct afxdp_run run; /* the run that is being read, if in_run */
	const struct epb_header *next; /* the next record of it */
	bool in_run;
	bool keeps_runs; /* what is left of a run may wait for the next read */
	unsigned kept;   /* how many reads the run has served so far */
	bool rested; /* the descriptor is readable if some of the run is left */
	unsigned turns; /* calls of read_run(): did a callback read as well? */
	bool chooses; /* choose() looks at each record before it is passed on */
	uint64_t received, lost, nic_dropped; /* the most that was returned */
	const char *note;   /* the library's warning when it was last asked */
	bool in_user_space; /* the filter runs there (atomic) */
	uint64_t refused;
	uint64_t second_ns; /* ns since 1970 at which .second begins */
	time_t second;      /* of the last time stamp: seconds since 1970 */
};

/*
 * Load libafxdpcapture, once for the process. Returns its functions, or NULL
 * with errbuf written if it cannot be loaded; the next call tries again. Any
 * thread may call it.
 */
const struct afxdp_api *pcap_load_afxdp(char *errbuf);
/*
 * The activate operation. Returns 0, PCAP_WARNING or one of PCAP_WARNING_...,
 * and p->errbuf has a note or is "". On failure, returns PCAP_ERROR or one of
 * PCAP_ERROR_...: the caller has nothing to undo, and p->errbuf says why,
 * except for PCAP_ERROR_RFMON_NOTSUP.
 */
int pcap_activate_afxdp(pcap_t *p);
/*
 * Undo pcap_activate_afxdp(), but not what libpcap set up at create. The handle
 * need not be active.
 */
void pcap_close_afxdp(pcap_t *p);
/* How many handles were closed so far, by any thread; atomic. */
extern unsigned pcap_closed_afxdp;
/*
 * Is the handle with this number still open? A callback may have closed it: its
 * memory is then freed, or used by another handle.
 */
bool pcap_is_open_afxdp(const struct afxdp *a, uint64_t number);
/* The read operation. Also returns PCAP_ERROR_BREAK if a callback closed p. */
int pcap_read_afxdp(pcap_t *p, int max, pcap_handler callback, u_char *user);
/* For xdp:any, before it is opened: raise too short a snapshot length. */
void pcap_raise_snapshot_any(pcap_t *p);
/* For xdp:any: offer the link types LINUX_SLL (the default) and LINUX_SLL2. */
void pcap_set_links_any(pcap_t *p);
/*
 * For xdp:any: returns the packet of a record, with the header of the link type
 * in use. It lies in the record, and is valid as long as that is. With
 * LINUX_SLL the header is 4 bytes shorter, and the lengths in *h are reduced
 * accordingly.
 */
const u_char *pcap_cook_any(const pcap_t *p, const struct epb_header *r,
			    struct pcap_pkthdr *h);

#endif
