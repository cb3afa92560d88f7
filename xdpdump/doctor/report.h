/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * --report: what a developer needs to find a fault, in one text file. No packets,
 * no host name, no addresses, and only our own variables of the environment.
 */
#pragma once

#include "print.h"

struct report;

/* Returns 0, or -errno after saying why the report cannot be written. */
int report_open(struct report **r, const struct options *o);
/* Add what belongs to the interface. Call this in its network namespace. */
void report_interface(struct report *r, const struct findings *f, const struct patient *p);
/* Add the end and write all of it to the file. Returns 0, or -errno after saying why not. r may be
 * NULL. */
int report_close(struct report *r, const struct rehearsal *rehearsal);
