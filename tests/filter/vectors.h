/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#pragma once

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

/* nets.c */
void nets_of_any_length(void);
void ranges_of_two_fields(void);
void ranges_of_masked_values(void);
void nets_and_ranges_are_searched(void);

/* addresses.c */
void addresses_of_several_words(void);
void almost_addresses(void);
void too_many_fields(void);
void one_word_behind_others(void);
void addresses_of_ethernet(void);
void addresses_are_searched(void);

/* turns.c */
void headers_are_followed(void);
void rounds_are_counted(void);
void rounds_are_forgotten(void);
void rounds_without_end_end(void);
void long_loops_are_left(void);
