/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#pragma once

/* What the tests of filter/ share: random numbers, programs, frames, and the oracles. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/filter.h>

#include "filter/filter.h"

struct bpf_insn;

/*
 * --- counting: tests end with `N passed, N failed, N skipped`, or with FILTER_STOP set at the
 * first failure ---
 */
void check(bool ok, const char *format, ...) __attribute__((format(printf, 2, 3)));
void skip(const char *format, ...) __attribute__((format(printf, 1, 2)));
int summary(void); /* exit status: 0, 1, or 77 if all was skipped */

/* --- random numbers, the same everywhere for a seed --- */
struct rng {
	uint64_t state;
};
uint64_t rng_next(struct rng *r);
uint32_t rng_below(struct rng *r, uint32_t n); /* n > 0 */
bool rng_chance(struct rng *r, uint32_t percent);
uint64_t seed_from_environment(uint64_t otherwise); /* FILTER_SEED */
double rounds_from_environment(void);		    /* FILTER_ROUNDS */

/* --- frames --- */
enum { FRAME_MAX = 70000 };

struct frame {
	uint32_t len;
	uint8_t data[FRAME_MAX];
};

void frame_random(struct frame *frame, struct rng *r); /* some protocol, or noise */
/* Rewrites the frame so that it goes along random branches of f, then cuts off 0-3 bytes. */
void frame_steer(struct frame *frame, const struct sock_filter *f, unsigned n, struct rng *r);
/* The frame as recorded, with a tag in place. */
void frame_insert_tag(struct frame *to, const struct frame *from, uint16_t tpid, uint16_t tci);
/* The reverse: what is in memory of a frame with a tag. False if it is too short. */
bool frame_extract_tag(struct frame *to, const struct frame *from, uint16_t *tpid, uint16_t *tci);

/* --- oracles --- */
struct verdict {
	uint32_t value;
	uint32_t unrolled;   /* the same, if filter_options.unrolled is set */
	bool endless;	     /* no end to the backward jumps: bpf_filter() is not to be asked */
	bool reads_garbage;  /* of M[]: libpcap 1.10.3's answer is undefined */
	bool kernel_differs; /* the kernel's classic filter counts or wraps otherwise */
	uint32_t reach;	     /* bytes of the frame up to the last one asked for */
};

/* Own interpreter, M[] zeroed; f without ancillary loads. */
struct verdict oracle(const struct sock_filter *f, unsigned n, const uint8_t *data, uint32_t wire,
		      uint32_t len);
/* libpcap's bpf_filter(). */
uint32_t libpcap_filter(const struct sock_filter *f, const uint8_t *data, uint32_t wire,
			uint32_t len);

/* --- programs --- */
struct program {
	struct sock_filter *f;
	unsigned n;
	char name[512];
};

/* False if libpcap does not take the expression. Caller frees program->f. */
bool program_compile(struct program *program, const char *expression, bool optimise);
/* Does this libpcap ask for the protocol before each range of ports? Then they are no chain. */
bool program_asks_again(void);
void program_dump(const struct program *program);		   /* as tcpdump -d does */
const char *program_line(const struct sock_filter *f, unsigned i); /* one of its lines */
void program_random(struct program *program, struct rng *r);
void program_loops(struct program *program, struct rng *r);	/* with backward jumps */
void program_questions(struct program *program, struct rng *r); /* that contradict */
void program_branches(struct program *program, unsigned n);	/* n in a row */
void expression_random(char *text, size_t size, struct rng *r);
void expression_hosts(char *text, size_t size, unsigned n); /* host 10.x.y.z or ... */
/* n IPv6 hosts, nets, or MAC addresses, or what has none of them. */
void expression_addresses(char *text, size_t size, unsigned n, struct rng *r);

/*
 * Expressions from the libpcap source tree in LIBPCAP_SOURCE: its test suite where the package has
 * it, and the examples of pcap-filter(7); without the tree, of the installed page.
 */
struct corpus {
	char **expression;
	unsigned n, size;
	unsigned from_suite, from_page;
};
void corpus_read(struct corpus *corpus);
void corpus_free(struct corpus *corpus);

/* --- interpreter for the translator's output --- */
struct machine {
	enum filter_ctx ctx;
	const uint8_t *data; /* in memory, without the tag */
	uint32_t len, linear;
	bool tagged; /* FILTER_SKB: vlan_present; FILTER_XDP: the slot at tag_slot is filled */
	uint16_t tpid, tci;
	int tag_slot, stack_top;
	uint32_t ifindex, queue;
};
/* NULL and *result, or what the program did that it must not do. */
const char *machine_run(const struct machine *m, const struct bpf_insn *insns, unsigned n,
			uint32_t *result);
