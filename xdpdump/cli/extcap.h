/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Wireshark's extcap protocol: programs in a folder of its are asked what they can capture on, and
 * are started to capture into a fifo. What they print on standard error it takes for a failure.
 */
#pragma once

#include <stdbool.h>

struct options;

/* Is the command line one of Wireshark's? */
bool extcap_called(int argc, char **argv);
/* Answer it. Where a capture is asked for, run is called with its options. The exit status. */
int extcap_answer(int argc, char **argv, int (*run)(const struct options *o));
