/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* For a trial: could this file be opened? No file and no folder is changed. */
#pragma once

#include <stdbool.h>

struct sink;

/*
 * Returns 0, or the -errno that opening would give. A pipe or a device is not opened, because its
 * other side could notice. The sink then leads to /dev/null. fresh: as for sink_open().
 */
int file_try(struct sink *s, const char *path, bool fresh);
/*
 * The same for the list of --print-name, which may be NULL and is never locked. Returns 0, or
 * -errno after a complaint.
 */
int file_try_list(const char *name);
