/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Messages of the library name options as a device name has them; users of xdpdump type them
 * differently. */
#pragma once

#include <stddef.h>

/* Copy text to buffer, with "hook=tc" as "--hook tc", and "sample=" as "--sample". Returns
 * buffer. */
const char *words_of_command(const char *text, char *buffer, size_t size);
