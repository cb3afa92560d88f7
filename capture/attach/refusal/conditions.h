/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Conditions under which drivers take no XDP program, by their sources in Linux 6.1, 6.12 and 7.3.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "capture/attach/facts/facts.h"

/*
 * Is the driver one that takes XDP, but says that it has none while a condition is not met? Then
 * trying shows.
 */
bool conditions_hide_xdp(const struct facts *f);
/* Of those that this interface does not meet, the first, and what to type; "": none is known. */
void conditions_describe(const struct facts *f, char *text, size_t size);
