/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What the library says names options as a device does; here they are typed in another way. */
#pragma once

#include <stddef.h>

/* text with "hook=tc" as "--hook tc" and "sample=" as "--sample", in buffer, which is returned. */
const char *words_of_command(const char *text, char *buffer, size_t size);
