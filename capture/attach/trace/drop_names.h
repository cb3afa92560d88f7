/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * What the kernel calls its reasons to drop frames, by its BTF, and places in it, by
 * /proc/kallsyms where that may be read.
 */
#ifndef PCAP_AFXDP_DROP_NAMES_H
#define PCAP_AFXDP_DROP_NAMES_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/afxdpcapture.h"
#include "bpf/layout.h"

struct drop_names;

/* -errno with err. Without BTF there is no such tracepoint for programs either. */
int drop_names_new(struct drop_names **n, char *err, size_t size);
/* NULL is allowed. */
void drop_names_free(struct drop_names *n);

/* The tracepoint, by its BTF; arguments that it has. */
uint32_t drop_names_tracepoint(const struct drop_names *n, unsigned *arguments);
/* A bit for each reason in the list. -ENOENT with err: the first that there is not. */
int drop_names_choose(const struct drop_names *n, const char *list,
		      uint64_t wanted[DROP_REASON_WORDS], char *err, size_t size);
/* All of them, with commas. */
void drop_names_list(const struct drop_names *n, char *text, size_t size);
/* Read the places; without the privilege there are none. */
int drop_names_read_places(struct drop_names *n);
/* In the record, which lies in front of end: struct epb_drop becomes what readers see. */
void drop_names_write(const struct drop_names *n, const struct epb_header *record,
		      const struct epb_lengths *l);

/* What readers see of it, without the names. false: it is of no drop. */
bool drop_names_read(const struct epb_header *record, const struct epb_lengths *l,
		     struct epb_drop_named *drop);

#endif
