/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* --time-stamp-type (-j): whose clock stamps packets, with the names that libpcap has for it. */
#pragma once

struct options;

/* Handler of the option, for the table of options. */
int option_stamp_type(struct options *o, const char *name, const char *value);
/* Print the types that the interface offers, in the network namespace that the thread is in.
 * Returns 0, or -1 or -errno after telling what is wrong. */
int stamp_types_list(const struct options *o);
