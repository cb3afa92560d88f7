/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The commands. Each returns the program's exit status. */
#pragma once

#include "kafka/options.h"

int put_run(const struct options *o);
int get_run(const struct options *o);
int ls_run(const struct options *o);
