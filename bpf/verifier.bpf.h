/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * What is written otherwise than C would have it, because of the kernel's verifier or of a
 * compiler: each with the version that needs it, and why. None of them changes what a program does.
 */
#pragma once

#include <linux/types.h>

#include "layout.h"

/*
 * Linux before 6.8. It learns nothing from n != 0, which is known to the compiler here, and helpers
 * take no length that might be 0. From n > 0 it learns.
 */
#define NOT_ZERO(n) asm volatile("if %0 > 0 goto +1\n%0 = 1" : "+r"(n))

/*
 * clang 19; 14 needs it where the verifier has lost a bound. Not in C, because a compiler may
 * compare a copy of n, its lower half, or what n was computed from, and keep n itself where the
 * verifier does not see the bound.
 */
#define AT_MOST(n, most) asm volatile("if %0 <= %1 goto +1\n%0 = %1" : "+r"(n) : "i"((__u32)(most)))
/* The same; most: a register, whose value the verifier knows. */
#define AT_MOST_OF(n, most) asm volatile("if %0 <= %1 goto +1\n%0 = %1" : "+r"(n) : "r"(most))

/*
 * The same where the rest follows. What was cut is to the verifier of any length up to CUT_LENGTHS,
 * so that the rest need not be gone through again for what was not: as with FORGET.
 */
#define CUT_LENGTHS 0x1ffff
/* most: a register, whose value the verifier knows. */
#define CUT_TO(n, most, r)                                                                         \
	asm volatile("if %0 <= %1 goto +3\n%0 = *(u64 *)(%2 + %3)\n%0 &= %4\n%0 ^= %1"             \
		     : "+r"(n)                                                                     \
		     : "r"(most), "r"(r), "i"(__builtin_offsetof(struct ring_control, nothing)),   \
		       "i"(CUT_LENGTHS))

/*
 * Every version. Where paths meet again, the verifier goes through the rest once for each of them
 * that knows something else of a value. Of this one it knows nothing any more: the rest is gone
 * through once, and a filter is in place in a third of the time. nothing is a 0 in the ring's
 * control page.
 */
#define FORGET(value, nothing) ((value) += *(const volatile __typeof__(nothing) *)&(nothing))

/*
 * clang 14. It makes an exchange, which is a full barrier, only where its result is used.
 */
#define USED(value) asm volatile("" ::"r"(value))
