/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Which frames a capture by sets has to record, and which lines of the files they are by. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "capture/afxdpcapture.h"
#include "tests/sets/chance.h"

/* Frames, by number: are they wanted? EITHER: the set was exchanged meanwhile. */
enum { NO, YES, EITHER };

extern bool exchanging; /* the set in use is one of the two */

/* By the name of the option. */
uint8_t wants(const struct frame *f, const char *option);
bool are_lines_right(const struct frame *f, const char *option, const struct epb_entries *e);
