/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * join=on: the capture program as one of those that a libxdp dispatcher in the XDP hook runs,
 * before the others. What libxdp attaches is pinned and outlives every process, so it is the loader
 * that joins, as it leaves again when its client is gone; it alone is linked with libxdp.
 */
#ifndef PCAP_AFXDP_JOIN_H
#define PCAP_AFXDP_JOIN_H

#include "program.h"

/* For struct program: see join there. */
int join_attach(struct program *p, const struct afxdp_options *o, const struct facts *f, char *err,
		size_t size);
/* Leave the dispatcher to the others; nothing where it was not joined. */
void join_detach(void);

#endif
