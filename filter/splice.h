/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#pragma once

#include <stdint.h>

struct bpf_insn;
struct filter_code;

/*
 * Puts filter in place of host's one `lddw r0, marker`: the filter's exits become jumps to what
 * followed the marker, and jumps, calls and function addresses across it are re-aimed. Markers in a
 * host are filled one by one, each call working on the previous one's result. What no longer fits
 * 16 bits goes by islands.
 *
 * *out is malloc'ed and the caller's. 0, -ENOENT if the marker is missing, -EEXIST if it occurs
 * twice, -EINVAL if host jumps into the marker or out of itself or ends there, -ERANGE if there are
 * far jumps to more places than islands are made for, -ENOMEM.
 */
int filter_splice(const struct bpf_insn *host, unsigned n_host, uint64_t marker,
		  const struct filter_code *filter, struct bpf_insn **out, unsigned *n_out);
