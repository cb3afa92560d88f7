/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Constants that the kernel's headers only have since some version. Distributions have older
 * headers than the kernels that we run on: those of Debian 12 are from 6.1.
 */
#pragma once

/* linux/bpf.h: attach types of tc by links, BPF_TCX_... (6.6). They are enumerators, so #ifdef
 * cannot test for them. */
#define TCX_INGRESS 46
#define TCX_EGRESS  47
/* linux/bpf.h: a place before other programs (6.6), or */
#ifndef BPF_F_BEFORE
#define BPF_F_BEFORE (1U << 3)
#endif
/* after one that is named by its id. */
#ifndef BPF_F_AFTER
#define BPF_F_AFTER (1U << 4)
#define BPF_F_ID    (1U << 5)
#endif
/* linux/bpf.h: a program that may ask its device for tags, time stamps and hashes (6.3). */
#ifndef BPF_F_XDP_DEV_BOUND_ONLY
#define BPF_F_XDP_DEV_BOUND_ONLY (1U << 6)
#endif
/* linux/netdev.h: the driver runs XDP programs (6.3). */
#define NETDEV_XDP_ACT_BASIC 1
/* linux/if_xdp.h: frames in several buffers (6.6). */
#ifndef XDP_USE_SG
#define XDP_USE_SG (1 << 4)
#endif
#ifndef XDP_PKT_CONTD
#define XDP_PKT_CONTD (1 << 0)
#endif
/* asm/socket.h: busy polling of AF_XDP sockets (5.11). */
#ifndef SO_PREFER_BUSY_POLL
#define SO_PREFER_BUSY_POLL 69
#define SO_BUSY_POLL_BUDGET 70
#endif
