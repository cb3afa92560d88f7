/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Reads the files, and counts or writes what is asked for. */
#pragma once

#include "find/options.h"

/* Returns 0 if all was searched, else -1 after error messages. */
int search_run(const struct options *o);
