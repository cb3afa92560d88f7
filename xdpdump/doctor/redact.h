/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Removes private details from text. */
#pragma once

#include <stdio.h>

/*
 * Copy text, with ADDRESS in place of each IPv4, IPv6 and MAC address, and HOST in place of the
 * name of this host. Lines that begin with "version" or "driver" stay as they are: versions look
 * like addresses.
 */
void redact(FILE *to, const char *text);
