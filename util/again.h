/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Recognizes signals that come twice although somebody asked once. */
#pragma once

#include <signal.h>
#include <stdbool.h>

/*
 * Is this the previous signal once more? timeout(1) and other supervisors signal a process and then
 * its group, or pass on what the terminal has already sent. What the terminal sends is never a
 * repetition: a second Ctrl-C counts. Call it in the signal handler.
 */
bool signal_comes_again(int number, const siginfo_t *info);
