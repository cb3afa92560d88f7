/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * pcap-afxdp*.c are written for libpcap's main branch. graft has them include
 * this in place of pcap-int.h in a release that lacks some of these names.
 */
#ifndef PCAP_AFXDP_COMPAT_H
#define PCAP_AFXDP_COMPAT_H

#include "pcap-int.h"

/* From 1.10.5 on libpcap's internal functions have a prefix of their own. */
#ifndef pcapint_charset_fopen
#define pcapint_add_addr_to_dev      add_addr_to_dev
#define pcapint_add_dev              add_dev
#define pcapint_breakloop_common     pcap_breakloop_common
#define pcapint_cleanup_live_common  pcap_cleanup_live_common
#define pcapint_create_interface     pcap_create_interface
#define pcapint_find_dev             find_dev
#define pcapint_fmt_errmsg_for_errno pcap_fmt_errmsg_for_errno
#define pcapint_install_bpf_program  install_bpf_program
#define pcapint_strlcpy              pcap_strlcpy
/* Until then pcap-linux.c set this warning, and lost it again. */
#define PROMISC_OF_ANY_STATUS 0
#endif

/* Before 1.11 the compiler emits these loads for every capture. */
#ifndef BPF_SPECIAL_BASIC_HANDLING
#define BPF_SPECIAL_BASIC_HANDLING 0
#endif

#endif
