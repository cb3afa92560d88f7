/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Files of addresses, in the formats of block lists: one entry in a line or several separated by
 * commas; comments begin with # or ;; an entry is an address, a prefix, or FIRST-LAST. Also hosts
 * files, of which only the addresses count, and the output of ipset save and of nft list set.
 */
#pragma once

#include "entries.h"

#define SET_FILE_MAX (256u << 20)
/* Replaces the text of a wrong line in messages that do not quote lines. */
extern const char set_wrong_line[];

/* Read an address, which must be the whole text. */
bool set_address_read(const char *text, struct set_address *a);
/* Add what the text contains, with these bits. -EINVAL with err written, which names `name` and the
 * line; -ENOMEM; or -E2BIG: more than any table has room for. */
int set_text_parse(struct set_entries *e, uint32_t bits, const char *name, const char *text,
		   size_t length, char *err, size_t size);
/*
 * The same for ports: a number, FIRST-LAST, or either after tcp/, udp/, sctp/, dccp/ or udplite/.
 * Allocates e->ports if it is NULL.
 */
int set_ports_parse(struct set_entries *e, uint32_t bits, const char *name, const char *text,
		    size_t length, char *err, size_t size);
/* One of these two functions, for a file. It must be a regular file that the user of this process
 * may read. */
typedef int set_parse(struct set_entries *e, uint32_t bits, const char *name, const char *text,
		      size_t length, char *err, size_t size);
struct stat;
/* Returns a descriptor of such a file, and fills *st; or -errno with err written. */
int set_file_open(const char *path, struct stat *st, char *err, size_t size);
int set_file_parse(set_parse *parse, struct set_entries *e, uint32_t bits, const char *path,
		   char *err, size_t size);
