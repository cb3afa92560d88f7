/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The rings of a program: how many, how large, and which CPU has which one. */
#pragma once

#include "capture/options/options.h"
#include "program.h"

struct bpf_map;
struct ring_set;

/* Before p is loaded: choose rings by the options and the plan. Returns 0, or -errno with err
 * written. */
int rings_configure(struct program *p, const struct afxdp_options *o, const struct facts *f,
		    char *err, size_t size);
/* The map with number i in p->place.maps. */
struct bpf_map *rings_map(const struct program *p, unsigned i);
/* Make only the rings, for a program that libxdp loads. Returns 0 or -errno. */
int rings_make(struct program *p);
/* Should rings have room for frames of more than 64 KiB? Whether they have is in ring_is_big. */
bool rings_want_big(const struct program *p, const struct afxdp_options *o, const struct facts *f);
/* Write into each ring which CPU has it, or that several CPUs share it; and whether it has a
 * timer. */
void rings_describe(const struct program *p, const struct ring_set *s);
