/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#pragma once

/* Every form in which a filter is tried, and what a frame gives there. */
#include "support.h"

/* Those that tracing has, which kernels with lockdown refuse, come last: verify leaves them out. */
enum { IN_KERNEL = 8, VARIANTS = 9, IFINDEX = 7, QUEUE = 3, STACK_TOP = -128, TAG_SLOT = -16 };

struct variant {
	const char *name;
	enum filter_ctx ctx;
	enum filter_level level;
	bool tagged; /* frames have a tag beside them */
};

extern const struct variant variants[VARIANTS];

struct filter_options variant_options(const struct variant *v, unsigned disable);
/* What bpf_filter() has to say of the frame as recorded; lowered by filter_lower_user(). */
struct verdict variant_expect(const struct variant *v, const struct program *lowered,
			      const struct frame *recorded);
/* filter_run() agrees, and bpf_filter() itself, where its answer is defined. Neither is asked
 * without end. */
bool variant_libpcap_agrees(const struct variant *v, const struct program *lowered,
			    const struct frame *recorded, const struct verdict *expected);
/* A copy of the program for user space. */
void program_lower(struct program *to, const struct program *from, uint32_t direction);

enum { LEVELS = 7 };

/* What a program becomes, with more and more optimisations disabled. */
struct translated {
	struct program p, lowered;
	struct filter_code code[VARIANTS][LEVELS];
};

/* Frames come by the hundred for the same few programs in turn. The last ones are kept, because
 * translating takes longer than running. Checks that each is translated; name is for that. */
const struct translated *variants_translated(const char *name, const struct program *p);
