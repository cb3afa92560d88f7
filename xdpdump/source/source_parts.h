/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What the files of a source have of each other. */
#pragma once

#include "expression.h"

struct source_plan;
struct source;

/* For frames that begin so: the filter, with what the trigger takes where the kernel waits for it,
 * and the trigger, where the reader does. -errno, and told. */
int source_compile(struct source *s, const struct source_plan *plan, enum expression_link link);
/* Of the open capture, whose frames may begin in another way. -errno, and told. */
int source_set_filter(struct source *s, const struct source_plan *plan);
/* In words, where the open capture has its frames from. */
void source_find_place(struct source *s);
