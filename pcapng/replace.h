/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* An option that is for us alone becomes a comment. */
#pragma once

#include "pcapng/write.h"

/*
 * In the record that is the last in b and begins at from, the option with this code and length:
 * EPB_OPTION(). "": it is left out. Sets overflow where the comment finds no room.
 */
void pcapng_replace_by_comment(struct bytes *b, size_t from, uint32_t option, const char *comment);
