/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Standard input, output and error of an application that has closed them. What it still prints
 * goes to whatever has these descriptor numbers: that must not be a socket of ours, which would
 * send the text to the network or to the loader.
 */
#pragma once

/* Until standard_release(), placeholders occupy those of 0 to 2 that are free, so that what is
 * opened meanwhile gets other numbers. Returns which ones they occupy, a bit each. Cannot fail: if
 * there is no free descriptor, nothing else is opened either. */
unsigned standard_hold(void);

/* Closes the placeholders of standard_hold(). */
void standard_release(unsigned held);
