/* SPDX-License-Identifier: BSD-3-Clause */
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
 * Have the interface stamp every frame it receives. socket is any one in its namespace. What was
 * changed goes to *c: nothing, where it does so already. -errno.
 */
int stamp_enable(int socket, unsigned ifindex, struct stamp_change *c);
/*
 * Put back what was, unless somebody has changed it since; again is allowed. Needs CAP_NET_ADMIN.
 */
void stamp_restore(int socket, struct stamp_change *c);

/* The interface's clock, as far as the records tell of it. */
struct nic_clock {
	int64_t ahead;	  /* ns: of the host's clock, in the last record that had both stamps */
	uint64_t missing; /* records without the interface's stamp */
};

/*
 * The time of a record by the interface's clock. Where the driver gave none, and on frames that
 * were sent, the host's stamp is moved to that clock, and counted: a file has one clock.
 */
uint64_t nic_clock_time(struct nic_clock *c, const struct epb_header *r);

#endif
