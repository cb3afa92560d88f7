/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Where the filter is put. It is not called: its instructions replace FILTER_MARKER before the
 * program is loaded (filter/splice.h). As compiled, the marker is a constant that keeps every frame
 * whole.
 */
#pragma once

#include <linux/types.h>
#include <bpf/bpf_helpers.h>

#include "marker.h"

/*
 * Run the filter on the frame. The asm statement is where the filter is spliced in; the classic
 * filter's return value is in r0. r1-r5 are clobbered as in a call; r6-r9 are kept.
 */
#define RUN_FILTER(ctx, marker)                                                                    \
	({                                                                                         \
		register void *ctx_ asm("r1") = (ctx);                                             \
		register __u64 verdict_ asm("r0");                                                 \
		asm volatile("%0 = %2 ll"                                                          \
			     : "=r"(verdict_), "+r"(ctx_)                                          \
			     : "i"(marker)                                                         \
			     : "r2", "r3", "r4", "r5", "memory");                                  \
		(__u32) verdict_;                                                                  \
	})

/* The same with a tag beside the frame: the filter finds the tag in its own stack slot. */
#define RUN_FILTER_TAGGED(ctx, marker, tag)                                                        \
	({                                                                                         \
		register void *ctx_ asm("r1") = (ctx);                                             \
		register __u64 verdict_ asm("r0");                                                 \
		register __u64 tag_ asm("r2") = (tag);                                             \
		asm volatile("*(u64 *)(r10 %3) = %2\n%0 = %4 ll"                                   \
			     : "=r"(verdict_), "+r"(ctx_), "+r"(tag_)                              \
			     : "i"(FILTER_TAG_SLOT), "i"(marker)                                   \
			     : "r3", "r4", "r5", "memory");                                        \
		(__u32) verdict_;                                                                  \
	})

/* Number of the filter that this program was made with; 0: none. */
static __always_inline __u32 filter_generation(void)
{
	__u64 number;

	asm volatile("%0 = %1 ll" : "=r"(number) : "i"(GENERATION_MARKER));
	return number;
}
