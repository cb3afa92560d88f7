/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Capture at the entry or the exit of an XDP program that is already attached, by fentry or fexit
 * (options.hook, .program, .function). That program stays as it is.
 */
#pragma once

#include "capture/attach/program/program.h"

/* Before the load: choose the programs, and what they trace. Returns 0, or -errno with err written.
 * -ENOENT: no such program or function; -EINVAL: it has no BTF, or takes no struct xdp_md *. */
int trace_prepare(struct program *p, const struct afxdp_options *o, const struct facts *f,
		  char *err, size_t size);
/* After the load: make the image of the program that records. Returns 0 or -errno. */
int trace_take(struct program *p);
/* Attach. Returns the descriptor of the link, or -errno. */
int trace_attach(const struct program *p);
/* Set the constants by which programs find the pages of fragments (x86). Without them only the
 * linear part of a frame is copied. */
void trace_find_pages(struct program *p);
/* Get the inode of this thread's network namespace. Returns 0, or -errno with err written. */
int trace_own_netns(uint32_t *number, char *err, size_t size);
/* Close the traced program. May be called again. */
void trace_release(struct program *p);
