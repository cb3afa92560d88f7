/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Files of addresses, as block lists have them: one a line or with commas in between; comments from
 * # or ; on; an address, a prefix, or FIRST-LAST. Of hosts files the addresses; what ipset save
 * prints; and what nft list set prints.
 */
#pragma once

#include "entries.h"

#define SET_FILE_MAX (256u << 20)
/* In place of what is wrong, where lines are not quoted. */
extern const char set_wrong_line[];

/* An address, all of the text. */
bool set_address_read(const char *text, struct set_address *a);
/* Add what the text has, with these bits. -EINVAL with err written, which names name and line;
 * -ENOMEM; or -E2BIG: no table has room for as many as there are then. */
int set_text_parse(struct set_entries *e, uint32_t bits, const char *name, const char *text,
		   size_t length, char *err, size_t size);
/*
 * Of ports: a number, FIRST-LAST, or either behind tcp/, udp/, sctp/, dccp/ or udplite/. e->ports
 * is made where it is NULL.
 */
int set_ports_parse(struct set_entries *e, uint32_t bits, const char *name, const char *text,
		    size_t length, char *err, size_t size);
/* One of these, of a file. It has to be a regular one that the user of this process may read. */
typedef int set_parse(struct set_entries *e, uint32_t bits, const char *name, const char *text,
		      size_t length, char *err, size_t size);
struct stat;
/* A descriptor of such a file, and what it is; -errno with err written. */
int set_file_open(const char *path, struct stat *st, char *err, size_t size);
int set_file_parse(set_parse *parse, struct set_entries *e, uint32_t bits, const char *path,
		   char *err, size_t size);
