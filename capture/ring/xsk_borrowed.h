/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * An AF_XDP socket that somebody else has opened: memory, rings and bind() without libxdp, which
 * opens its own. None of it needs a privilege.
 */
#ifndef PCAP_AFXDP_XSK_BORROWED_H
#define PCAP_AFXDP_XSK_BORROWED_H

#include "xsk.h"

/* Memory and rings onto x->fd; x->memory, the counts and sizes of buffers are set. -errno. */
int xsk_borrowed_setup(struct xsk *x, uint32_t headroom);
/* flags: of struct sockaddr_xdp. -errno; may be tried again with others. */
int xsk_borrowed_bind(struct xsk *x, const char *ifname, uint32_t queue, uint16_t flags);
/* Again is allowed; x->fd stays open. */
void xsk_borrowed_close(struct xsk *x);

#endif
