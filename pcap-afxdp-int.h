/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* For the files of the module alone; pcap-int.h comes before. */
#ifndef PCAP_AFXDP_INT_H
#define PCAP_AFXDP_INT_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "afxdpcapture.h"

#include "pcap-afxdp-debug.h"

/* What pcap_activate() says of promiscuous mode for all interfaces: as
 * pcap-linux.c does. */
#ifndef PROMISC_OF_ANY_STATUS
#define PROMISC_OF_ANY_STATUS PCAP_WARNING_PROMISC_NOTSUP
#endif

struct afxdp_api;
struct afxdp_capture;
struct afxdp_reader;
struct epb_header;

/* A handle's private data: zeros but for lib and more before activate. */
struct afxdp {
	struct afxdp *other; /* list: the active ones */
	uint64_t number;     /* of all that were ever active; 0: not active */
	const struct afxdp_api *lib;   /* the functions of libafxdpcapture */
	struct afxdp_capture *capture; /* NULL: not active */
	struct afxdp_reader *reader;   /* of the capture, which owns it */
	int nonblock;
	/* stamps of the interface; warn=on; records are of all interfaces */
	bool nic_time, warns, cooked;
	const char *const *more; /* options: name, value, ..., NULL; or NULL */
	int waiting;             /* this read has found nothing at first */
	bool told; /* its descriptor was readable when this read began */
	struct afxdp_run run;          /* that is being read, if in_run, */
	const struct epb_header *next; /* from this record on */
	bool in_run;
	bool keeps_runs; /* what is left of a run may wait for the next read; */
	unsigned kept;   /* it has been read by so many reads; */
	bool rested;     /* the descriptor is readable for what is left */
	unsigned turns;  /* another number with each run */
	bool chooses;    /* look at each record before it is passed on */
	uint64_t received, lost, nic_dropped; /* as of the last pcap_stats() */
	const char *note;   /* the library's, as of the last look at it */
	bool in_user_space; /* the filter (atomic); it left out so many: */
	uint64_t refused;
	uint64_t second_ns; /* where .second begins, in ns */
	time_t second;      /* of the last time stamp, since 1970 */
};

/*
 * libafxdpcapture, which is loaded once and stays. NULL with errbuf written if
 * it cannot be loaded; the next call tries again. Any thread may call it.
 */
const struct afxdp_api *pcap_load_afxdp(char *errbuf);
/*
 * The activate operation. 0, PCAP_WARNING or one of PCAP_WARNING_...: p->errbuf
 * has a note, or is "". PCAP_ERROR or one of PCAP_ERROR_...: there is nothing
 * to undo, and p->errbuf says why, but for PCAP_ERROR_RFMON_NOTSUP.
 */
int pcap_activate_afxdp(pcap_t *p);
/*
 * Undo pcap_activate_afxdp(), but not what libpcap made at create. The handle
 * need not be active.
 */
void pcap_close_afxdp(pcap_t *p);
/* Handles that were closed, in any thread; atomic. */
extern unsigned pcap_closed_afxdp;
/*
 * Is a handle still the one that had this number? A callback may have closed
 * it, and then its memory is gone, or another handle's.
 */
bool pcap_is_open_afxdp(const struct afxdp *a, uint64_t number);
/* The read operation. PCAP_ERROR_BREAK also where a callback closed p. */
int pcap_read_afxdp(pcap_t *p, int max, pcap_handler callback, u_char *user);
/* For xdp:any, before it is opened: a snapshot length that is not too short. */
void pcap_raise_snapshot_any(pcap_t *p);
/* For xdp:any: offer LINUX_SLL, the default, and LINUX_SLL2 as link types. */
void pcap_set_links_any(pcap_t *p);
/*
 * For xdp:any: the packet of a record with the header of the link type in use.
 * It lies in the record, and is valid as long. With LINUX_SLL it is 4 bytes
 * shorter, and so are the lengths in h.
 */
const u_char *pcap_cook_any(const pcap_t *p, const struct epb_header *r,
			    struct pcap_pkthdr *h);

#endif
