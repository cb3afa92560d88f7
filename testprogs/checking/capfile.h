/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* A capture file of Ethernet frames, read through libpcap with time stamps in nanoseconds. */
#pragma once

#include <pcap/pcap.h>
#include <stdint.h>

#include "testprogs/tally.h"

/* Returns NULL after a message on standard error. "-" is standard input. */
pcap_t *capfile_open(const char *path);

/*
 * Returns 1: *frame is the next frame, valid until the next call; 0: the end; -1: the file is
 * broken, and pcap_geterr() says why.
 */
int capfile_next(pcap_t *file, struct frame_seen *frame);
