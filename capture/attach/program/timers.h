/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The kernel's timers that wake the reader, one for each ring: bpf/timer.bpf.h. */
#pragma once

#include "capture/options/options.h"
#include "program.h"

/* Before p is loaded, and when its rings are known: configure the timers by options and plan. */
void timers_configure(struct program *p, const struct afxdp_options *o);
/* When p is loaded: set them up. Returns 0 or -errno. */
int timers_start(const struct program *p);
/* Their map; the timers exist as long as a descriptor of it is open. -1: there are none. */
int timers_fd(const struct program *p);
