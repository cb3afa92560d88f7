/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The swap test (swap.c) runs on the pcap API and on the library itself: what it needs of each. */
#pragma once

#include <linux/filter.h>
#include <stdint.h>

struct backend; /* of the file that is linked */

typedef void frame_handler(const uint8_t *data, uint32_t caplen, uint32_t len, uint64_t time_ns);

struct backend *backend_open(const char *device, uint32_t snaplen);
void backend_close(struct backend *b);
void backend_set_filter(struct backend *b, struct sock_filter *f, unsigned n);
/* Hands out what there is; waits some milliseconds for it. */
void backend_read(struct backend *b, frame_handler *handler);
/* Frames the capture lost, by its own account. */
uint64_t backend_lost(struct backend *b);
