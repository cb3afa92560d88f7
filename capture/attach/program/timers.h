/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The kernel's timers that wake the reader, one for each ring: bpf/timer.bpf.h. */
#pragma once

#include "capture/options/options.h"
#include "program.h"

/* Before p is loaded, and its rings are known: what the options and the plan ask for. */
void timers_configure(struct program *p, const struct afxdp_options *o);
/* Once it is loaded: set them up. -errno. */
int timers_start(const struct program *p);
/* Their map, which has them as long as one descriptor of it is open; -1: there are none. */
int timers_fd(const struct program *p);
