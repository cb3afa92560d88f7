/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* A capture file of Ethernet frames, read through libpcap with time stamps in nanoseconds. */
#pragma once

#include <pcap/pcap.h>
#include <stdint.h>

#include "testprogs/tally.h"

/* NULL, with a sentence on standard error. `-' is standard input. */
pcap_t *capfile_open(const char *path);

/*
 * 1: *frame is the next one, valid until the next call; 0: end; -1: broken, pcap_geterr says why.
 */
int capfile_next(pcap_t *file, struct frame_seen *frame);
