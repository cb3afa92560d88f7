/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Classic BPF programs that no filter expression gives: invalid, long, or not for the kernel. */
#pragma once

#include <linux/filter.h>

/* A program by name, to be freed; NULL: there is none of that name. A number may follow a colon. */
struct sock_filter *program_by_name(const char *name, unsigned *n);
