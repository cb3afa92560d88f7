/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The rings of a program: how many, how large, and which CPU has which. */
#pragma once

#include "capture/options/options.h"
#include "program.h"

struct bpf_map;
struct ring_set;

/* Before p is loaded: what the options and the plan ask for. -errno with err written. */
int rings_configure(struct program *p, const struct afxdp_options *o, const struct facts *f,
		    char *err, size_t size);
/* The map with this number, of p->place.maps. */
struct bpf_map *rings_map(const struct program *p, unsigned i);
/* Only them, for what libxdp loads. -errno. */
int rings_make(struct program *p);
/* Are there frames of more than 64 KiB that it would have whole? ring_is_big: it does. */
bool rings_want_big(const struct program *p, const struct afxdp_options *o, const struct facts *f);
/* Write into each ring which CPU has it, or whether several have; and whether it has a timer. */
void rings_describe(const struct program *p, const struct ring_set *s);
