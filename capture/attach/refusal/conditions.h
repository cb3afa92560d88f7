/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Conditions under which drivers accept no XDP program, according to their sources in Linux 6.1,
 * 6.12 and 7.3. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "capture/attach/facts/facts.h"

/*
 * Does the driver support XDP, but report that it does not while a condition is not met? Then only
 * an attempt shows whether it does.
 */
bool conditions_hide_xdp(const struct facts *f);
/* The first of those conditions that this interface does not meet, and what to type; "": none is
 * known. */
void conditions_describe(const struct facts *f, char *text, size_t size);
