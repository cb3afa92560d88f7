/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * --report: what a developer needs to find a fault, in one text file. No packets,
 * no name of the host, no addresses, and of the environment only our own variables.
 */
#pragma once

#include "print.h"

struct report;

/* -errno after telling why it cannot be written. */
int report_open(struct report **r, const struct options *o);
/* In the network namespace of the interface. */
void report_interface(struct report *r, const struct findings *f, const struct patient *p);
/* The last words, and all of it into its file. -errno after telling; NULL is allowed. */
int report_close(struct report *r, const struct rehearsal *rehearsal);
