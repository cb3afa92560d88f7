/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Functions that the files of a source share. */
#pragma once

#include "expression.h"

struct source_plan;
struct source;

/* Compile the filter for this link type. The trigger becomes part of the filter if the kernel waits
 * for it, else a matcher for the reader. Returns 0, or -errno after telling why. */
int source_compile(struct source *s, const struct source_plan *plan, enum expression_link link);
/* Set the filter of the open capture, whose link type may be another one. Returns 0, or -errno
 * after telling why. */
int source_set_filter(struct source *s, const struct source_plan *plan);
/* Describe in words where the open capture gets its frames. */
void source_find_place(struct source *s);
