/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What seccomp leaves to each of the loader's processes that handles what users send. */
#pragma once

#include <seccomp.h>

/*
 * A filter, to be loaded yet, that kills the process at all but memory, clocks, waiting, and
 * transfers over the socket fd. NULL: there is no memory for it.
 */
scmp_filter_ctx confine_to(int fd);
