/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Replaces an option that only we use by others. */
#pragma once

#include "pcapng/write.h"

/*
 * In the record at offset from, which must be the last one in b, put the options in by, or nothing,
 * in place of the one with this code and length, made by EPB_OPTION(). If there is no room for
 * them, sets b->overflow and changes nothing else.
 */
void pcapng_replace(struct bytes *b, size_t from, uint32_t option, const struct bytes *by);
