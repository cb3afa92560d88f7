/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* A part of afxdpcapture.h, which includes it: addresses and ports, and flows that a program has
 * left out. */
#ifndef AFXDPCAPTURE_SETS_H
#define AFXDPCAPTURE_SETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct afxdp_capture;
#pragma GCC visibility push(default)

/* What a program gives in place of a file: the text that the file would have. */
struct afxdp_addresses {
	const char *option; /* hosts, not-src-ports, ...: one of the option lists= */
	const char *text;
	size_t length; /* bytes of text */
};
/*
 * Give the options of lists= what these n lists have, in place of all that they had; an option of
 * which there is none here has nothing. At first all have nothing: no frame has one of hosts=, and
 * no frame is left out by not-hosts=. There is room for set-max= addresses, and for 64 prefixes and
 * one more for each 64 addresses where that finds place in 200 MiB; without set-max= for some
 * thousand entries. From the return on the new ones count for all frames, on each CPU from one
 * frame to the next; records that were written before stay. On failure the old ones stay. The
 * library copies what it needs. Any thread may call it, also while another reads, and after
 * privileges were dropped, until afxdp_close() is called. A million addresses take about a second.
 *
 * -ENOENT: no lists= was given; -EINVAL: a line is wrong, or an option is not in lists=, or here
 * twice; -ENOSPC, -E2BIG: more than there is room for; -ENOMEM.
 */
int afxdp_addresses_replace(struct afxdp_capture *c, const struct afxdp_addresses *lists,
			    unsigned n, char *err, size_t size);

/*
 * Read the files of hosts=, ports= and their like again. On each CPU what they have counts from one
 * frame to the next; records that were written before stay. On failure the old addresses and ports
 * stay.
 *
 * wait: from the return on the new ones count for all frames. 0: *err is "", or one sentence for
 * the user: a file is empty. -ENOENT: no such file was given, or it is not there; -EINVAL: a line
 * of it is wrong; -EACCES; -ENOSPC, -E2BIG, -EFBIG: more than there is room for; -EAGAIN: a file
 * changed while it was read; -EPIPE: the process that reads the files has ended; -ETIMEDOUT: it
 * reads for longer than 20 s, and goes on; -ENOMEM. A million addresses take about a second.
 *
 * Without wait it returns at once, and afxdp_warning() tells what was wrong. With loader=off it is
 * as with wait: no other process reads the files. Otherwise those that are written or renamed into
 * place are read without this call.
 */
int afxdp_addresses_reload(struct afxdp_capture *c, bool wait, char *err, size_t size);

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
