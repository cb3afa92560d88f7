/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#ifndef PCAP_AFXDP_TESTS_FILTER_VECTORS_H
#define PCAP_AFXDP_TESTS_FILTER_VECTORS_H

/* One frame and one program at a time, in every form. */
#include "variants.h"

extern struct frame frame;

void fill(uint32_t len);
void run_insns(const char *name, const struct sock_filter *f, unsigned n);

/* ranges.c */
void held_and_not(void);
void ranges_are_loaded_once(void);
void many_bounds(void);
void lists_of_ranges(void);
void almost_a_list(void);
void ways_into_a_list(void);
void ports_behind_a_range_make_chains(void);
void protocols_are_asked_once(void);

/* gaps.c */
void shifts_are_logical(void);
void chains_end_at_65535(void);
void header_lengths_count(void);
void bounds_of_x_are_asked_again(void);
void opposites_hold(void);
void verifier_forgets(void);
void separate_returns_are_searched(void);

#endif
