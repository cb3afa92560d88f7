/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#pragma once

/* Classic programs as initialisers. */
#include <linux/filter.h>

#define LENGTH(array) ((unsigned)(sizeof(array) / sizeof((array)[0])))
#define STMT(c, a)                                                                                 \
	{                                                                                          \
		.code = (uint16_t)(c), .k = (uint32_t)(a)                                          \
	}
#define JUMP(c, a, yes, no)                                                                        \
	{                                                                                          \
		.code = (uint16_t)(c), .jt = (yes), .jf = (no), .k = (uint32_t)(a)                 \
	}
#define LDW(at)	 STMT(BPF_LD | BPF_W | BPF_ABS, at)
#define LDH(at)	 STMT(BPF_LD | BPF_H | BPF_ABS, at)
#define LDB(at)	 STMT(BPF_LD | BPF_B | BPF_ABS, at)
#define ACCEPT	 STMT(BPF_RET | BPF_K, 0x40000)
#define REJECT	 STMT(BPF_RET | BPF_K, 0)
#define RETURN_A STMT(BPF_RET | BPF_A, 0)
