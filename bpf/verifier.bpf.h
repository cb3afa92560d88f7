/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Code that is written in an unusual way because of the kernel's verifier or of a compiler: each
 * with the version that needs it, and the reason. None of this changes what a program does.
 */
#pragma once

#include <linux/types.h>

#include "layout.h"

/*
 * Linux before 6.8: the verifier learns nothing from n != 0, which the compiler knows here, and
 * helpers do not accept a length that might be 0. It does learn from n > 0.
 */
#define NOT_ZERO(n) asm volatile("if %0 > 0 goto +1\n%0 = 1" : "+r"(n))

/*
 * clang 19; 14 needs it if the verifier has lost a bound. Not in C, because a compiler may compare
 * a copy of n, its lower half, or what n was computed from, and keep n itself, for which the
 * verifier does not see the bound.
 */
#define AT_MOST(n, most) asm volatile("if %0 <= %1 goto +1\n%0 = %1" : "+r"(n) : "i"((__u32)(most)))
/* The same; most is in a register whose value the verifier knows. */
#define AT_MOST_OF(n, most) asm volatile("if %0 <= %1 goto +1\n%0 = %1" : "+r"(n) : "r"(most))

/*
 * The same, if much code follows. To the verifier, a value that was cut may be anything up to
 * CUT_LENGTHS, so that the code that follows need not be verified again for values that were not
 * cut: see FORGET.
 */
#define CUT_LENGTHS 0x1ffff
/* most is in a register whose value the verifier knows. */
#define CUT_TO(n, most, r)                                                                         \
	asm volatile("if %0 <= %1 goto +3\n%0 = *(u64 *)(%2 + %3)\n%0 &= %4\n%0 ^= %1"             \
		     : "+r"(n)                                                                     \
		     : "r"(most), "r"(r), "i"(__builtin_offsetof(struct ring_control, nothing)),   \
		       "i"(CUT_LENGTHS))

/*
 * Every version: where paths join, the verifier goes through the rest once for each path that knows
 * something else about a value. After this, it knows nothing about the value: the rest is verified
 * once, and a filter is loaded in a third of the time. nothing is a 0 in the ring's control page.
 */
#define FORGET(value, nothing) ((value) += *(const volatile __typeof__(nothing) *)&(nothing))

/* clang 14: it makes an atomic exchange, which is a full barrier, only if its result is used. */
#define USED(value) asm volatile("" ::"r"(value))
