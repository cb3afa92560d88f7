/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* pcapng-find --index: writes the indexes that files lack. */
#pragma once

#include "find/options.h"
#include "find/places.h"
#include "find/progress.h"

/* Returns 0, or -1 after error messages. */
int maker_run(const struct options *o, const struct places *places, struct progress *p);
