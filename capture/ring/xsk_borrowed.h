/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * An AF_XDP socket that another process has opened. Memory, rings and bind() are done without
 * libxdp, which would open a socket of its own. No privilege is needed.
 */
#pragma once

#include "xsk.h"

/* Give x->fd memory and rings, and map them. The caller has set x->memory, and count and size of
 * the buffers. Returns 0 or -errno. */
int xsk_borrowed_setup(struct xsk *x, uint32_t headroom);
/* flags: those of struct sockaddr_xdp. Returns 0 or -errno; the caller may try again with other
 * flags. */
int xsk_borrowed_bind(struct xsk *x, const char *ifname, uint32_t queue, uint16_t flags);
/* Unmap the rings; x->fd stays open. May be called again. */
void xsk_borrowed_close(struct xsk *x);
