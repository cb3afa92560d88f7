/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Memory that is there, by the system and by the groups that this process is in. */
#ifndef XDPDUMP_MEASURE_H
#define XDPDUMP_MEASURE_H

struct memory;

void measure_memory(struct memory *m);

#endif
