/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Names of the kernel's reasons to drop frames, from its BTF, and of places in its code, from
 * /proc/kallsyms if this process may read it.
 */
#pragma once

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/afxdpcapture.h"
#include "bpf/layout.h"

struct drop_names;

/* Returns 0, or with err written -EOPNOTSUPP: no BTF, or no tracepoint kfree_skb; -ENOMEM. */
int drop_names_new(struct drop_names **n, char *err, size_t size);
/* NULL is allowed. */
void drop_names_free(struct drop_names *n);

/* BTF id of the tracepoint, and its number of arguments. */
uint32_t drop_names_tracepoint(const struct drop_names *n, unsigned *arguments);
/* Set a bit for each reason in the list. -ENOENT with err written: this kernel lacks one. */
int drop_names_choose(const struct drop_names *n, const char *list,
		      uint64_t wanted[DROP_REASON_WORDS], char *err, size_t size);
/* Write all reasons, separated by commas. */
void drop_names_list(const struct drop_names *n, char *text, size_t size);
/* Open the list of places, while this process has the privilege; without it, places have no
 * names. */
void drop_names_open_places(struct drop_names *n);
/* Remember the interfaces of this thread's network namespace, whose inode is netns. */
void drop_names_know(struct drop_names *n, uint32_t netns);
/* Replace struct epb_drop in a record by comment and names (record.h). May be called again. */
void drop_names_write(struct drop_names *n, const struct epb_header *record,
		      const struct epb_lengths *l);

/* After drop_names_write(): read reason, interface and namespace. False: not a record of a drop. */
bool drop_names_read(const struct epb_header *record, const struct epb_lengths *l,
		     struct epb_drop_named *drop);
