/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Wireshark's extcap protocol: Wireshark asks the programs in one of its folders what they can
 * capture on, and starts them to capture into a fifo. It takes everything that they print on
 * standard error for a failure. */
#pragma once

#include <stdbool.h>

struct options;

/* Was this command line written by Wireshark? */
bool extcap_called(int argc, char **argv);
/* Answer Wireshark. If it asks for a capture, call run with the capture's options. Returns the exit
 * status. */
int extcap_answer(int argc, char **argv, int (*run)(const struct options *o));
