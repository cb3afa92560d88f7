/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Standard input, output and error, of an application that has closed them. What it still prints
 * goes to whatever has their numbers: it must not be a socket of ours, which would send the text to
 * the network or to the loader.
 */
#pragma once

/* Until standard_release(), each of 0 to 2 that is free is held by a placeholder: what is opened
 * has other numbers. Returns which these are, a bit each. Cannot fail: without a descriptor left,
 * nothing else is opened either. */
unsigned standard_hold(void);

/* Closes the placeholders of standard_hold(). */
void standard_release(unsigned held);
