/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Capture at the entry or the exit of an XDP program that is there already, by fentry or fexit
 * (options.hook, .program, .function). The program itself is not touched.
 */
#ifndef PCAP_AFXDP_TRACE_PROGRAM_H
#define PCAP_AFXDP_TRACE_PROGRAM_H

#include "capture/attach/program.h"

/* Choose the programs, and set before load where they will be. -errno with err. */
int trace_prepare(struct program *p, const struct afxdp_options *o, const struct facts *f,
		  char *err, size_t size);
/* Once they are loaded: the image of the one that records. -errno. */
int trace_take(struct program *p);
/* The link, or -errno. */
int trace_attach(const struct program *p);
/* Where the kernel keeps what makes an address of a page of a fragment, for the programs. */
void trace_find_pages(struct program *p);
/* The inode of the network namespace of this thread. -errno with err. */
int trace_own_netns(uint32_t *number, char *err, size_t size);
void trace_release(struct program *p);

#endif
