/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#ifndef PCAP_AFXDP_SETTLE_H
#define PCAP_AFXDP_SETTLE_H

#include <stddef.h>

struct bpf_insn;
struct bpf_map;

/*
 * Put the values of a loaded object's constants in place of the loads: the verifier removes what a
 * constant rules out, but not the two instructions that get it, and a packet comes by many. What
 * else there is stays where it is. -ENOMEM.
 */
int settle_constants(struct bpf_insn *insns, size_t n, struct bpf_map *constants);

#endif
