/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Names of interfaces that stand for many: `any', and patterns as the shell has them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct source_plan;

/* Of -i, without "xdp:". */
const char *pattern_without_prefix(const char *device);
/* Of -i, with or without prefix and options behind it. */
bool pattern_is(const char *interface);
/* Is it one, or in many network namespaces? Then it has interfaces that come and go. */
bool pattern_has_many(const struct source_plan *plan, unsigned interface);
/* What stands for those namespaces, with blanks in between. -1 after telling that it is too long. */
int patterns_join_netns(const struct source_plan *plan, char *text, size_t size);
/* Is the interface wanted, of that namespace? "": it is ours, and has no name. */
bool patterns_take(const struct source_plan *plan, const char *netns, const char *ifname);
/* The first one of its network namespace? It stands for all that are. */
bool pattern_is_first(const struct source_plan *plan, unsigned interface);
/*
 * All patterns of its network namespace, with blanks in between; "": any of them is `any'. -1 after
 * telling what is wrong: they are too long, or have options that would be of no effect.
 */
int patterns_join(const struct source_plan *plan, unsigned interface, char *text, size_t size);
/* What replaces the pattern in a device name: AFXDP_ANY and the options. To be freed;
 * NULL: out of memory, which was told. */
char *pattern_device(const char *interface);
