/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#pragma once

#include <stdint.h>

struct bpf_insn;
struct filter_code;

/*
 * Puts filter in place of the only `lddw r0, marker` in host: the filter's exits become jumps to
 * what follows the marker, and jumps, calls and function addresses across it are adjusted. A host
 * with several markers takes several calls, each on the result of the previous one. Distances that
 * no longer fit 16 bits go by islands.
 *
 * The caller frees *out. Returns 0; -ENOENT: there is no marker; -EEXIST: it occurs twice; -EINVAL:
 * host jumps into the marker or out of itself, or ends there; -ERANGE: far jumps have more targets
 * than islands are made for; -ENOMEM.
 */
int filter_splice(const struct bpf_insn *host, unsigned n_host, uint64_t marker,
		  const struct filter_code *filter, struct bpf_insn **out, unsigned *n_out);
