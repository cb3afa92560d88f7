/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What tests of the loader that are programs have in common. */
#pragma once

#include <stdbool.h>

/* A line of what was found, as by printf(), and counted. */
__attribute__((format(printf, 2, 3))) void result(bool good, const char *format, ...);
/* The last line. The status of the test: 0 or 1. */
int result_sum(unsigned skipped);

long now_ms(void);
/* This process is another user from here on, or ends. */
void become_nobody(void);
