/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Runs a program for the kernel in this process, on its real maps, and counts what it does. What an
 * instruction takes depends on the machine, how many there are does not.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct bpf_insn;

/* As it was given to the kernel, which has taken it: nothing is checked. */
struct code {
	struct bpf_insn *insns;
	bool *reached; /* by the verifier, on any path */
};

/* What a program is given; .data and .data_end of the context are addresses below 4 GiB. */
struct input {
	void *context; /* struct xdp_md or __sk_buff */
	const uint8_t *frame;
	uint32_t length;
};

/* Of all frames together. */
struct path {
	/*
	 * Run, but for jumps that go one way by constants set before load: the kernel takes them
	 * out, and what they jump over.
	 */
	uint64_t instructions;
	uint64_t calls; /* of helpers and kfuncs, each an instruction too */
	uint64_t lines; /* different cache lines of frames and maps, by helpers too */
};

/* 0; or -1 with the reason on standard error: something here is not known yet. */
int interpret(const struct code *code, const struct input *in, struct path *path);
