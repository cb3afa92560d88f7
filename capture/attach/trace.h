/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Capture at the entry or the exit of an XDP program that is there already, by fentry or fexit
 * (options.hook, .program, .function). The program itself is not touched.
 */
#ifndef PCAP_AFXDP_TRACE_PROGRAM_H
#define PCAP_AFXDP_TRACE_PROGRAM_H

#include "program.h"

/* Choose the programs, and set before load where they will be. -errno with err. */
int trace_prepare(struct program *p, const struct afxdp_options *o, const struct facts *f,
		  char *err, size_t size);
/* Once they are loaded: the image of the one that records. -errno. */
int trace_take(struct program *p);
/* The link, or -errno. */
int trace_attach(const struct program *p);
void trace_release(struct program *p);

#endif
