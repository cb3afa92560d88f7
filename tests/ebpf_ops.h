/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * What eBPF's operations on two numbers give (RFC 9669, 4.1 and 4.3), for the two interpreters of
 * the tests: filter/machine.c checks every access of a translated filter, cost/interpret.c counts
 * what a capture program does. Operations of 32 bits get their operands cut, and cut the result
 * themselves.
 */
#pragma once

#include <linux/bpf.h>
#include <stdbool.h>
#include <stdint.h>

static inline uint64_t ebpf_shift_signed(uint64_t a, unsigned count, bool wide)
{
	return wide ? (uint64_t)((int64_t)a >> count) : (uint64_t)(int64_t)((int32_t)a >> count);
}

/* false: the operation is not known. */
static inline bool ebpf_compute(uint64_t *result, unsigned op, uint64_t a, uint64_t b, bool wide)
{
	unsigned count = b & (wide ? 63 : 31);

	switch (op) {
	case BPF_ADD:
		*result = a + b;
		return true;
	case BPF_SUB:
		*result = a - b;
		return true;
	case BPF_MUL:
		*result = a * b;
		return true;
	case BPF_DIV:
		*result = b ? a / b : 0;
		return true;
	case BPF_MOD:
		*result = b ? a % b : a;
		return true;
	case BPF_AND:
		*result = a & b;
		return true;
	case BPF_OR:
		*result = a | b;
		return true;
	case BPF_XOR:
		*result = a ^ b;
		return true;
	case BPF_LSH:
		*result = a << count;
		return true;
	case BPF_RSH:
		*result = a >> count;
		return true;
	case BPF_ARSH:
		*result = ebpf_shift_signed(a, count, wide);
		return true;
	case BPF_NEG:
		*result = -a;
		return true;
	case BPF_MOV:
		*result = b;
		return true;
	}
	return false;
}

static inline bool ebpf_is_less(uint64_t a, uint64_t b, bool wide)
{
	return wide ? (int64_t)a < (int64_t)b : (int32_t)a < (int32_t)b;
}

/* false: the comparison is not known. */
static inline bool ebpf_compare(bool *holds, unsigned op, uint64_t a, uint64_t b, bool wide)
{
	switch (op) {
	case BPF_JEQ:
		*holds = a == b;
		return true;
	case BPF_JNE:
		*holds = a != b;
		return true;
	case BPF_JGT:
		*holds = a > b;
		return true;
	case BPF_JGE:
		*holds = a >= b;
		return true;
	case BPF_JLT:
		*holds = a < b;
		return true;
	case BPF_JLE:
		*holds = a <= b;
		return true;
	case BPF_JSET:
		*holds = a & b;
		return true;
	case BPF_JSGT:
		*holds = ebpf_is_less(b, a, wide);
		return true;
	case BPF_JSGE:
		*holds = !ebpf_is_less(a, b, wide);
		return true;
	case BPF_JSLT:
		*holds = ebpf_is_less(a, b, wide);
		return true;
	case BPF_JSLE:
		*holds = !ebpf_is_less(b, a, wide);
		return true;
	}
	return false;
}
