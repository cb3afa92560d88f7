/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * sock-fds=, prog-fd=: a capture for a process without privilege. Something that has it has opened
 * the sockets, loaded the program that sends frames to them, and left both behind as descriptors.
 * There are no rings then, and the kernel does not filter.
 */
#ifndef PCAP_AFXDP_BORROWED_H
#define PCAP_AFXDP_BORROWED_H

#include "capture/attach/attachment.h"

/* Check the interface and the descriptors, and say what such a capture lacks. -errno with err. */
int borrowed_open(struct attachment *a, const struct afxdp_options *o, char *err, size_t size);
/* Attach the program, once the sockets are bound: it sends from now on. -errno with err. */
int borrowed_attach(struct attachment *a, const struct afxdp_options *o, char *err, size_t size);

#endif
