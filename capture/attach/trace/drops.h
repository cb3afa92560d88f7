/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Frames that the host's stack drops (CAPTURE_HOOK_DROPS), by the kernel's tracepoint. */
#ifndef PCAP_AFXDP_DROPS_H
#define PCAP_AFXDP_DROPS_H

#include "capture/attach/program.h"

/* Choose the programs, and set before load what they are to record. -errno with err. */
int drops_prepare(struct program *p, const struct afxdp_options *o, const struct facts *f,
		  char *err, size_t size);
/* Once they are loaded: the image of the one that records. -errno. */
int drops_take(struct program *p);
/* The link, or -errno. */
int drops_attach(const struct program *p);
/* Why the kernel has refused the programs. */
void drops_explain(int e, char *err, size_t size);
/* Drops that came while the program was at work on another on the same CPU. */
uint64_t drops_nested(const struct program *p);
void drops_release(struct program *p);

#endif
