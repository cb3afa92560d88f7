/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * join=on: a libxdp dispatcher in the XDP hook runs the capture program before its other programs.
 * What libxdp attaches is pinned, and outlives every process. So the loader joins, and leaves again
 * when its client is gone. Only the loader calls libxdp's dispatcher.
 */
#pragma once

#include "program.h"

/* The member join of struct program. Returns 0, or -errno with err written. */
int join_attach(struct program *p, const struct afxdp_options *o, const struct facts *f, char *err,
		size_t size);
/* Take our program out of the dispatcher, if it is in one. */
void join_detach(void);
