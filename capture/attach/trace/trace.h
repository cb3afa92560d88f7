/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Capture at the entry or the exit of an XDP program that is attached already, by fentry or fexit
 * (options.hook, .program, .function). That program stays as it is.
 */
#pragma once

#include "capture/attach/program/program.h"

/* Before load: choose the programs, and where they go. -ENOENT: no such program or function;
 * -EINVAL: no BTF, or no struct xdp_md * to read; or another -errno. err is written. */
int trace_prepare(struct program *p, const struct afxdp_options *o, const struct facts *f,
		  char *err, size_t size);
/* After load: make the image of the program that records. -errno. */
int trace_take(struct program *p);
/* Attach. The descriptor of the link, or -errno. */
int trace_attach(const struct program *p);
/* Set the constants by which programs find the pages of fragments (x86).
 * Without them only the first piece of a frame is copied. */
void trace_find_pages(struct program *p);
/* The inode of this thread's network namespace. -errno with err written. */
int trace_own_netns(uint32_t *number, char *err, size_t size);
/* Close the traced program. Again is allowed. */
void trace_release(struct program *p);
