/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What is printed for people, on standard error. */
#pragma once

#include <stdbool.h>

/* Print one sentence, after the name by which the program was started. */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same, unless -q asked for silence. */
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));
void be_quiet(bool quiet);
/* Did standard output take all that was printed? If not, says so. Returns an exit status. */
int printed(void);
