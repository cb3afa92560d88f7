/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Time stamps of the interface's own clock: its configuration, and what of it is in the records.
 *
 * Records are stamped, and merged, by the host's clock whatever the user asks for; the interface's
 * stamp lies beside it.
 */
#ifndef PCAP_AFXDP_NIC_TIME_H
#define PCAP_AFXDP_NIC_TIME_H

#include <stdbool.h>
#include <stdint.h>

struct epb_header;

/* As linux/net_tstamp.h has it; plain data, for the loader. */
struct stamp_config {
	int32_t flags, tx_type, rx_filter;
};

/* What was changed about the interface, and has to be put back. */
struct stamp_change {
	uint32_t ifindex; /* 0: nothing */
	struct stamp_config before, after;
};

/*
 * Have the interface stamp frames it receives: filter says which, HWTSTAMP_FILTER_ALL or others.
 * socket is any one in its namespace. What was changed goes to *c: nothing, where it does so
 * already. -errno.
 */
int stamp_enable(int socket, unsigned ifindex, int filter, struct stamp_change *c);
/*
 * Put back what was, unless somebody has changed it since; again is allowed. Needs CAP_NET_ADMIN.
 */
void stamp_restore(int socket, struct stamp_change *c);

/* The interface's clock, and how it stands to the host's. All in ns. */
struct nic_clock {
	bool synced;	  /* stamps are converted to the host's clock */
	int ptp;	  /* where the two are compared: of stamp_open_clock(); not ours to close */
	uint64_t missing; /* records without the interface's stamp */
	int64_t ahead;	  /* not synced: of the host's clock, in the last record with both stamps */
	uint64_t compared; /* the interface's time at the last comparison; 0: none yet */
	uint64_t looked;   /* CLOCK_MONOTONIC then, or at the last try */
	int64_t offset;	   /* then: to be added for the host's time */
	int64_t drift;	   /* of the offset, in ns a second */
};

/* The device by which the kernel compares clock number n with the host's. Descriptor or -errno. */
int stamp_open_clock(int n);
/* Compare the two clocks. -errno: they cannot be. */
int nic_clock_compare(struct nic_clock *c);
/*
 * The time of a record by the interface's stamp: by its clock, or converted to the host's. Records
 * without are counted, and have the host's stamp, moved to the interface's clock where that is what
 * the others are by: a file has one clock.
 */
uint64_t nic_clock_time(struct nic_clock *c, const struct epb_header *r);

#endif
