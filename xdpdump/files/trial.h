/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* In place of opening a file: could it be? Every file, and each folder, stays as it is. */
#pragma once

#include <stdbool.h>

struct sink;

/*
 * -errno that opening would give. A pipe or a device is not opened, as it could notice. The sink
 * then goes nowhere. fresh: as sink_open() has it.
 */
int file_try(struct sink *s, const char *path, bool fresh);
/* The list for --print-name, which may be NULL, and is not locked. -errno after telling what is
 * wrong. */
int file_try_list(const char *name);
