/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#pragma once

#include <stddef.h>

struct bpf_insn;
struct bpf_map;

/*
 * Replace loads of a loaded object's constants by the constants' values. The verifier removes code
 * that a constant makes unreachable, but not the two instructions that load the constant, and each
 * packet executes many of these. No other instruction moves. Returns 0 or -ENOMEM.
 */
int settle_constants(struct bpf_insn *insns, size_t n, struct bpf_map *constants);
