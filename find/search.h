/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Reads the files, and has what is asked for counted or written. */
#pragma once

#include "find/options.h"

/* 0: all was searched; -1 after complaints. */
int search_run(const struct options *o);
