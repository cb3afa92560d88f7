/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Signals that come twice though somebody asked once. */
#pragma once

#include <signal.h>
#include <stdbool.h>

/*
 * Is it the signal before, once more? timeout(1) and other supervisors signal a process and then
 * its group, or pass on what the terminal has sent already. What the terminal sends is never the
 * one before: a second Ctrl-C. For handlers.
 */
bool signal_comes_again(int number, const siginfo_t *info);
