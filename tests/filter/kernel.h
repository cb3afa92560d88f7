/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#pragma once

/* Filters in the running kernel, by BPF_PROG_TEST_RUN: nothing is attached anywhere. */
#include "variants.h"

struct bpf_insn;

/* A program of its own around a filter: the result is what the filter returned. */
enum host {
	HOST_XDP,	 /* xdp, with fragments */
	HOST_XDP_TAGGED, /* xdp; the frame is preceded by 8 bytes, the tag as filters want it */
	HOST_SKB,	 /* tc */
	HOST_SKB_TAGGED, /* tc; the tag comes in cb[] and is pushed beside the frame */
	HOST_SOCKET,	 /* socket filter: no direct packet access */
	HOST_XDP_RANDOM, /* xdp, another IPv4 source address in each run */
	HOST_SKB_RANDOM, /* tc, the same */
	HOST_WIRE,	 /* tc, attached: frames with WIRE_MARK, after kernel_wire() */
	HOST_WIRE_TAGGED,
};

#define WIRE_MARK 0x77697265
/* What a program that is attached shares with the test. */
struct wire_result {
	uint32_t tpid, tci; /* to be pushed, by HOST_WIRE_TAGGED; tpid in network order */
	uint32_t value;	    /* the filter's */
	uint32_t linear;    /* bytes of the frame that it may read directly */
	uint32_t runs;
};
struct wire_result *kernel_wire(void); /* NULL: none to be had */

enum host host_for(const struct variant *v);

struct loaded {
	int fd;	       /* or -errno */
	unsigned len;  /* instructions */
	char log[512]; /* the end of the verifier's */
};

/* Splices code into a host and loads it. */
struct loaded kernel_load(enum host host, const struct filter_code *code);
void kernel_unload(struct loaded *loaded);

struct test_frame {
	const struct frame *frame; /* in memory */
	uint32_t linear;	   /* as far as the kernel can do that; else == len */
	uint16_t tpid, tci;
};

/* 0 and the filter's result, or -errno. */
int kernel_run(enum host host, const struct loaded *loaded, const struct test_frame *frame,
	       uint32_t *result);
/* ns per run, mean of `repeat` runs. */
int kernel_time(enum host host, const struct loaded *loaded, const struct test_frame *frame,
		unsigned repeat, uint32_t *ns);

bool kernel_available(void); /* may we load programs? */
/* Does it refuse, with EFAULT, what the verifier would only complain of? After the above. */
bool kernel_checks_invariants(void);
/* Can a test run make frames with less than a page of linear data? */
bool kernel_splits(enum host host);

/* The kernel's classic filter, on a unix socket. */
struct classic_socket {
	int send, receive;
};
int classic_open(struct classic_socket *s);
int classic_attach(struct classic_socket *s, const struct program *p); /* 0 or -errno */
/* min(the filter's result, the frame's length) */
uint32_t classic_run(struct classic_socket *s, const struct frame *frame);
void classic_close(struct classic_socket *s);
