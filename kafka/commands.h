/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The commands: each returns the exit status of the program. */
#pragma once

#include "kafka/options.h"

int put_run(const struct options *o);
int get_run(const struct options *o);
int ls_run(const struct options *o);
