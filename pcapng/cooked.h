/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Puts a LINKTYPE_LINUX_SLL2 header in place of a frame's own link header. Files whose interfaces
 * have different link types are written so, because libpcap's programs refuse a pcapng file with
 * several link types, and one of raw IP with more than one interface block.
 */
#pragma once

#include <linux/types.h>
#include <stdbool.h>
#include <stdint.h>

#include "bpf/record.h"

/* What the frame itself does not say. */
struct cooked_link {
	uint16_t link_type; /* LINKTYPE_ETHERNET or LINKTYPE_RAW: cooked_takes() */
	uint16_t hatype;    /* ARPHRD_... of the interface; 0: not known */
	uint32_t ifindex;   /* 0: not known */
};

bool cooked_takes(uint16_t link_type);
/*
 * Make the header for a frame of which caplen bytes were captured. flags is its epb_flags, or 0.
 * Returns how many bytes of the frame the header replaces, which may be more than caplen.
 */
uint32_t cooked_header(struct epb_cooked *h, const struct cooked_link *l, const uint8_t *frame,
		       uint32_t caplen, uint32_t flags);
/* How long the first n bytes of a frame become with the header in place of the replaced bytes. */
static inline uint32_t cooked_length(uint32_t n, uint32_t replaced)
{
	return (uint32_t)sizeof(struct epb_cooked) + (n > replaced ? n - replaced : 0);
}
