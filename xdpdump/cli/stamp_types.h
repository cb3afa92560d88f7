/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Whose clock packets are stamped by, as libpcap names it. */
#pragma once

struct options;

/* For the table of options. */
int option_stamp_type(struct options *o, const char *name, const char *value);
/* Print what can be had of the interface, in the network namespace of this moment. -1 or -errno
 * after telling. */
int stamp_types_list(const struct options *o);
