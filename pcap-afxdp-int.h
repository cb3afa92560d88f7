/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What the files of the module share; pcap-int.h comes before. */
#ifndef PCAP_AFXDP_INT_H
#define PCAP_AFXDP_INT_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct afxdp_api;
struct afxdp_capture;
struct afxdp_reader;
struct epb_header;

/* A handle's private data. */
struct afxdp {
	const struct afxdp_api *lib; /* the functions of libafxdpcapture */
	struct afxdp_capture *capture;
	struct afxdp_reader *reader; /* of the capture */
	int nonblock;
	bool nic_time, warns, cooked;
	const char *const *more; /* options: name, value, name, value, NULL */
	int waiting;             /* in this read, since then: */
	struct timespec waiting_since;
	bool chooses;       /* not every record is passed on as it is */
	uint64_t second_ns; /* in ns, where the second begins */
	time_t second;      /* of the last time stamp */
};

/* libafxdpcapture; NULL with errbuf written if it cannot be loaded. */
const struct afxdp_api *pcap_load_afxdp(char *errbuf);
/* The handle's operation; on failure there is nothing to undo. */
int pcap_activate_afxdp(pcap_t *p);
/*
 * Undoes it, but for what libpcap itself made at create. Also for a handle that
 * is not active.
 */
void pcap_close_afxdp(pcap_t *p);
/*
 * Of the device any: the link types that there are, and what a record is by the
 * one that was chosen. Where that is shorter, so are the lengths in the header.
 */
void pcap_set_links_any(pcap_t *p);
const u_char *pcap_cook_any(const pcap_t *p, const struct epb_header *r,
			    struct pcap_pkthdr *h);
bool pcap_is_debugging_afxdp(void);
void pcap_debug_afxdp(PCAP_FORMAT_STRING(const char *format), ...)
    PCAP_PRINTFLIKE(1, 2);

#endif
