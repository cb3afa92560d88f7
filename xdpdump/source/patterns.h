/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Names that stand for many interfaces: `any', and shell patterns. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct source_plan;

/* The value of -i without "xdp:". */
const char *pattern_without_prefix(const char *device);
/* Does this value of -i stand for many interfaces? It may have a prefix, and options. */
bool pattern_is(const char *interface);
/* Does this -i stand for many interfaces, by its name or because it is in many network namespaces?
 * Then its interfaces come and go. */
bool pattern_has_many(const struct source_plan *plan, unsigned interface);
/* Write the patterns of namespaces, with spaces between them. Returns 0, or -1 after telling that
 * they are too long. */
int patterns_join_netns(const struct source_plan *plan, char *text, size_t size);
/* Is the interface in that namespace wanted? netns "": our own namespace, if it has no name. */
bool patterns_take(const struct source_plan *plan, const char *netns, const char *ifname);
/* Is this the first pattern of its network namespace? The source for it captures for the others,
 * too. */
bool pattern_is_first(const struct source_plan *plan, unsigned interface);
/* Write all patterns of its network namespace, with spaces between them; "" if `any' is one of
 * them. Returns 0, or -1 after telling that they are too long, or have options that would have no
 * effect. */
int patterns_join(const struct source_plan *plan, unsigned interface, char *text, size_t size);
/* Returns the device for a pattern: AFXDP_ANY and the options. The caller frees it. NULL: out of
 * memory, which was told. */
char *pattern_device(const char *interface);
