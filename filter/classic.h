/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#pragma once

/* The classic program between the passes, successors resolved. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/filter.h>

#include "filter.h"

/*
 * Straight-line instructions have t == f, which is the next one. A comparison goes to t if it is
 * true. A removed instruction is a BPF_JA. Once the program is built, all jumps go forward.
 */
struct node {
	uint16_t code;
	uint32_t k;
	unsigned t, f;
	unsigned origin; /* its index in the source */
	bool meeting;	 /* paths of several rounds join here (unroll.c) */
};

struct classic {
	struct node *node;
	unsigned n;
	unsigned entry;
};

#define ANCILLARY(what) ((uint32_t)(SKF_AD_OFF + (what)))

__attribute__((format(printf, 4, 5))) int filter_fail(int e, char *err, size_t errlen,
						      const char *format, ...);

/* lower.c: -EOPNOTSUPP for a load that neither a constant nor the context can answer. */
int lower_ancillary(struct sock_filter *f, unsigned n, const struct filter_options *options,
		    char *err, size_t errlen);

/*
 * classic.c: -EOPNOTSUPP for backward jumps unless they are unrolled, and for what is undefined in
 * libpcap; -ENOMEM.
 */
int classic_build(struct classic *p, const struct sock_filter *f, unsigned n, bool unrolled,
		  char *err, size_t errlen);
int classic_unroll(struct classic *p); /* unroll.c: -E2BIG, -ENOMEM */
void classic_free(struct classic *p);
void classic_thread(struct classic *p); /* makes successors skip JAs */
/* Terms that each have a return of their own get a common one, so that their targets are seen to be
 * the same. */
void classic_share_returns(struct classic *p);

/* simplify.c: exact, in place; returns 0 or -ENOMEM. */
int simplify(struct classic *p);

/* thread.c: exact, in place; returns 0 or -ENOMEM. */
int thread_known(struct classic *p);

bool node_is_packet_load(const struct node *q); /* ABS or IND from the frame */
bool node_is_context_load(const struct node *q);
bool node_is_branch(const struct node *q);
bool node_uses_x(const struct node *q); /* ALU or branch with X as operand */
bool node_loads_length(const struct node *q);
unsigned node_size(const struct node *q);
unsigned classic_size(uint16_t code); /* number of bytes that a load reads */

/* Result of an ALU operation on A; k is not 0 if it divides. */
uint32_t classic_compute(unsigned op, uint32_t a, uint32_t k);
/* Result of JEQ, JGT, JGE or JSET on A. */
bool classic_compare(unsigned op, uint32_t a, uint32_t k);
