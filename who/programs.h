/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The programs in the kernel, and the events that they report. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <linux/types.h>

#include "event.h"
#include "looker.h"

struct who_programs;

/* Loads and attaches them. Returns 0, or -errno with the reason in err. */
int who_programs_open(struct who_programs **p, char *err, size_t size);
void who_programs_close(struct who_programs *p);
/* For the process that looks at descriptors. */
struct looks who_programs_looks(const struct who_programs *p);
typedef void who_take(void *to, const struct who_event *e);
/*
 * Reads all events, in order. Returns 0 or -errno; -EAGAIN: one is still being written, because its
 * writer was interrupted, and those behind it are not read.
 */
int who_programs_read(struct who_programs *p, who_take *take, void *to);
/* Number of events lost so far. */
uint64_t who_programs_lost(const struct who_programs *p);
