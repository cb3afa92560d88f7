/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The table of all checks. */
#pragma once

#include "check.h"

#define CHECKS_MAX 32

/* Run those that apply, in the order of the table. How many findings there are. */
unsigned checks_run(const struct patient *p, struct finding list[CHECKS_MAX]);
