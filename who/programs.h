/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The programs in the kernel, and what they tell. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <linux/types.h>

#include "event.h"
#include "looker.h"

struct who_programs;

/* Loads and attaches them. -errno; err: in words. */
int who_programs_open(struct who_programs **p, char *err, size_t size);
void who_programs_close(struct who_programs *p);
/* For who looks at descriptors. */
struct looks who_programs_looks(const struct who_programs *p);
typedef void who_take(void *to, const struct who_event *e);
/*
 * All events that are there, in order. -errno; -EAGAIN: one is being written still, by who is
 * interrupted, and those behind it are not read.
 */
int who_programs_read(struct who_programs *p, who_take *take, void *to);
/* Of events that were lost so far. */
uint64_t who_programs_lost(const struct who_programs *p);
