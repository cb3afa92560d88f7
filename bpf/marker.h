/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/*
 * What the capture programs and the code that completes them before load agree on.
 */
#ifndef PCAP_AFXDP_MARKER_H
#define PCAP_AFXDP_MARKER_H

/*
 * 64-bit constants loaded where the filter belongs; "FILT" and "FILV" in the upper half, and in the
 * lower, which the program takes for the filter's verdict, all ones: keep every frame whole.
 */
#define FILTER_MARKER	     0x46494c54ffffffffULL
#define FILTER_MARKER_TAGGED 0x46494c56ffffffffULL

/*
 * Stack of a capture program: down to here it is the compiler's (checked when the program is
 * built up), below it the filter's. The tag beside a frame (TPID << 16 | TCI) lies in the slot.
 */
#define FILTER_STACK_TOP (-128)
#define FILTER_TAG_SLOT	 (-136)

/* Captures that can share the root program of one interface. */
#define CAPTURE_SLOTS 16

#endif
