/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* An option that is for us alone becomes others. */
#pragma once

#include "pcapng/write.h"

/*
 * In the record that is the last in b and begins at from: these options, or none, in place of the
 * one with this code and length: EPB_OPTION(). Sets overflow where they find no room.
 */
void pcapng_replace(struct bytes *b, size_t from, uint32_t option, const struct bytes *by);
