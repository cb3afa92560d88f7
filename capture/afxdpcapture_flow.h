/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* A part of afxdpcapture.h, which includes it: flows that a program has left out. */
#ifndef AFXDPCAPTURE_FLOW_H
#define AFXDPCAPTURE_FLOW_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct afxdp_capture;
#pragma GCC visibility push(default)

/*
 * A flow: both ends, in any order, and both directions. Those of an address are one flow, whatever
 * VLAN tags its frames have.
 */
struct afxdp_flow {
	/* In the order of the network, source and destination. IPv4: ::ffff:192.0.2.1. */
	uint8_t address[2][16];
	uint16_t port[2];  /* in the order of the host */
	uint16_t protocol; /* IPPROTO_... Both ports are 0 but of TCP, UDP, SCTP, DCCP, UDP-Lite. */
	uint16_t reserved; /* 0 */
};
/*
 * Leave out the frames of a flow from the return on; records that were written before stay. It
 * takes the option flows-max=, which says how many there may be; those of not-flows= are not of
 * them. A flow is forgotten by afxdp_flow_resume() alone, also if its connection ends and another
 * has the same ports. The library copies *f. Any thread may call both, also while another reads,
 * and after privileges were dropped, until afxdp_close() is called; it takes some 100 ns, and where
 * many were resumed now and then some ms.
 *
 * 0; 1: it was left out already; -ENOSPC: so many are; -ENOENT: no flows-max= was given; -EINVAL: a
 * protocol above 255, or ports of a protocol that has none.
 */
int afxdp_flow_stop(struct afxdp_capture *c, const struct afxdp_flow *f);
/* Record its frames again. 0; -ENOENT: afxdp_flow_stop() had not left it out; -EINVAL. */
int afxdp_flow_resume(struct afxdp_capture *c, const struct afxdp_flow *f);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
