/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Frames that the host's stack drops (CAPTURE_HOOK_DROPS), seen by the tracepoint kfree_skb. */
#pragma once

#include "capture/attach/program/program.h"

/* Before the load: choose the programs, and set their constants. Returns 0, or -errno with err
 * written. */
int drops_prepare(struct program *p, const struct afxdp_options *o, const struct facts *f,
		  char *err, size_t size);
/* After the load: make the image of the program that records. Returns 0 or -errno. */
int drops_take(struct program *p);
/* Attach. Returns the descriptor of the link, or -errno. */
int drops_attach(const struct program *p);
/* Write why the kernel refused the programs with error e (-errno). */
void drops_explain(int e, char *err, size_t size);
/* How many drops the kernel did not show the program because it was busy with another on that
 * CPU. */
uint64_t drops_nested(const struct program *p);
/* Free the names. May be called again. */
void drops_release(struct program *p);
