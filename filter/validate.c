/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "classic.h"

int filter_fail(int e, char *err, size_t errlen, const char *format, ...)
{
	va_list args;

	if (errlen) {
		va_start(args, format);
		vsnprintf(err, errlen, format, args);
		va_end(args);
	}
	return e;
}

/* Exactly the codes that bpf_filter() knows: it calls abort() for any other. */
static bool known_code(uint16_t code)
{
	switch (code) {
	case BPF_LD | BPF_W | BPF_ABS:
	case BPF_LD | BPF_H | BPF_ABS:
	case BPF_LD | BPF_B | BPF_ABS:
	case BPF_LD | BPF_W | BPF_IND:
	case BPF_LD | BPF_H | BPF_IND:
	case BPF_LD | BPF_B | BPF_IND:
	case BPF_LD | BPF_W | BPF_LEN:
	case BPF_LD | BPF_IMM:
	case BPF_LD | BPF_MEM:
	case BPF_LDX | BPF_W | BPF_LEN:
	case BPF_LDX | BPF_B | BPF_MSH:
	case BPF_LDX | BPF_IMM:
	case BPF_LDX | BPF_MEM:
	case BPF_ST:
	case BPF_STX:
	case BPF_JMP | BPF_JA:
	case BPF_ALU | BPF_NEG:
	case BPF_RET | BPF_K:
	case BPF_RET | BPF_A:
	case BPF_MISC | BPF_TAX:
	case BPF_MISC | BPF_TXA:
		return true;
	}
	if (code & ~(0x7 | 0xf0 | BPF_X))
		return false;
	if (BPF_CLASS(code) == BPF_ALU)
		return BPF_OP(code) <= BPF_XOR && BPF_OP(code) != BPF_NEG;
	if (BPF_CLASS(code) == BPF_JMP)
		return BPF_OP(code) >= BPF_JEQ && BPF_OP(code) <= BPF_JSET;
	return false;
}

static bool bad_memory(const struct sock_filter *q)
{
	switch (q->code) {
	case BPF_LD | BPF_MEM:
	case BPF_LDX | BPF_MEM:
	case BPF_ST:
	case BPF_STX:
		return q->k >= BPF_MEMWORDS;
	}
	return false;
}

static bool bad_jump(const struct sock_filter *q, unsigned at, unsigned n)
{
	int64_t next = (int64_t)at + 1;

	if (BPF_CLASS(q->code) != BPF_JMP)
		return false;
	if (BPF_OP(q->code) == BPF_JA) {
		int64_t to = next + (int32_t)q->k;

		return to < 0 || to >= (int64_t)n;
	}
	return next + q->jt >= n || next + q->jf >= n;
}

static bool divides_by_zero(const struct sock_filter *q)
{
	return (q->code == (BPF_ALU | BPF_DIV | BPF_K) || q->code == (BPF_ALU | BPF_MOD | BPF_K)) &&
	       q->k == 0;
}

int filter_validate(const struct sock_filter *f, unsigned n, char *err, size_t errlen)
{
	if (n < 1 || n > FILTER_MAX_INSNS)
		return filter_fail(-EINVAL, err, errlen, "%u instructions, not 1 to %u", n,
				   FILTER_MAX_INSNS);
	for (unsigned i = 0; i < n; i++) {
		const struct sock_filter *q = &f[i];

		if (!known_code(q->code))
			return filter_fail(-EINVAL, err, errlen, "instruction %u: unknown code %#x",
					   i, q->code);
		if (bad_memory(q))
			return filter_fail(-EINVAL, err, errlen, "instruction %u: no M[%u]", i,
					   q->k);
		if (bad_jump(q, i, n))
			return filter_fail(-EINVAL, err, errlen,
					   "instruction %u: jump out of the program", i);
		if (divides_by_zero(q))
			return filter_fail(-EINVAL, err, errlen, "instruction %u: division by 0",
					   i);
	}
	if (BPF_CLASS(f[n - 1].code) != BPF_RET)
		return filter_fail(-EINVAL, err, errlen, "the last instruction does not return");
	return 0;
}
