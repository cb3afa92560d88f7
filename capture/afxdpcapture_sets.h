/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* A part of afxdpcapture.h, which includes it: addresses and ports, and flows that the program
 * leaves out of a capture. */
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

/* What a program gives in place of a file: the text that the file would contain. */
struct afxdp_addresses {
	const char *option; /* "hosts", "not-src-ports" or the like: one of those in the option
			       lists= */
	const char *text;
	size_t length; /* bytes of text */
};
/*
 * Replace what the options in lists= contain by these n lists. An option of lists= that none of
 * them names becomes empty. At first all are empty: no frame has an address of hosts=, and no frame
 * is left out by not-hosts=. set-max= says how many addresses there is room for, and there is room
 * for 64 prefixes and one more for each 64 addresses, if that fits in 200 MiB; without set-max=
 * there is room for some thousand entries. When the function has returned, the new lists apply to
 * all frames; each CPU changes from one frame to the next. Records that were written before stay.
 * On failure the old lists stay. The library copies what it needs. Any thread may call it, also
 * while another reads, and after privileges were dropped, until afxdp_close() is called. A million
 * addresses take about a second.
 *
 * -ENOENT: no lists= was given; -EINVAL: a line is wrong, or an option is not in lists= or is given
 * twice; -ENOSPC, -E2BIG: more than there is room for; -ENOMEM.
 */
int afxdp_addresses_replace(struct afxdp_capture *c, const struct afxdp_addresses *lists,
			    unsigned n, char *err, size_t size);

/*
 * Read the files of hosts=, ports= and the like again. Each CPU changes to the new contents from
 * one frame to the next; records that were written before stay. On failure the old addresses and
 * ports stay.
 *
 * With wait, the new contents apply to all frames when the function has returned. It returns 0, and
 * err is "" or one sentence for the user: a file is empty. -ENOENT: no such file was given, or it
 * does not exist; -EINVAL: a line of it is wrong; -EACCES; -ENOSPC, -E2BIG, -EFBIG: more than there
 * is room for; -EAGAIN: a file changed while it was read; -EPIPE: the process that reads the files
 * has ended; -ETIMEDOUT: it has not finished after 20 s, and goes on; -ENOMEM. A million addresses
 * take about a second.
 *
 * Without wait, it returns at once, and afxdp_warning() says what was wrong. With loader=off, no
 * other process reads the files, and the function always waits. Otherwise files that are written,
 * or renamed into place, are read without this call.
 */
int afxdp_addresses_reload(struct afxdp_capture *c, bool wait, char *err, size_t size);

/*
 * A flow: both of its ends, in any order; frames in both directions belong to it. The same
 * addresses and ports are one flow, whatever VLAN tags its frames have.
 */
struct afxdp_flow {
	/* In network byte order, source and destination. IPv4: ::ffff:192.0.2.1. */
	uint8_t address[2][16];
	uint16_t port[2];  /* in host byte order */
	uint16_t protocol; /* IPPROTO_... Only TCP, UDP, SCTP, DCCP and UDP-Lite have ports; else
			      both are 0. */
	uint16_t reserved; /* 0 */
};
/*
 * Leave out the frames of a flow from now on; records that were written before stay. This needs the
 * option flows-max=, which says how many flows there may be, not counting those of not-flows=. Only
 * afxdp_flow_resume() ends it, even if the flow's connection ends and another one has the same
 * ports. The library copies *f. Any thread may call both functions, also while another reads, and
 * after privileges were dropped, until afxdp_close() is called. A call takes some 100 ns; after
 * many flows were resumed, now and then one takes some ms.
 *
 * Returns 0; 1: the flow was already left out; -ENOSPC: there is no room for another flow; -ENOENT:
 * no flows-max= was given; -EINVAL: a protocol above 255, or ports of a protocol that has none.
 */
int afxdp_flow_stop(struct afxdp_capture *c, const struct afxdp_flow *f);
/* Record its frames again. 0; -ENOENT: afxdp_flow_stop() has not left it out; -EINVAL. */
int afxdp_flow_resume(struct afxdp_capture *c, const struct afxdp_flow *f);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
