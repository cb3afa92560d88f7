/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The seccomp filter of each of the loader's processes that handle what users send. */
#pragma once

#include <seccomp.h>

/*
 * A filter, not loaded yet, that kills the process for any system call except for memory, clocks,
 * waiting, and transfers over the socket fd. NULL: no memory.
 */
scmp_filter_ctx confine_to(int fd);
