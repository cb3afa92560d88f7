/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Names of the network namespaces that ip-netns(8) keeps, by their inodes, as of one moment. */
#pragma once

#include <stdint.h>

struct netns_list;

/* NULL: out of memory. */
struct netns_list *netns_list_new(void);
/* NULL is allowed. */
void netns_list_free(struct netns_list *l);
/* Its name, "" for that of this process, its inode in digits if it has none. Good until the next. */
const char *netns_list_name(const struct netns_list *l, uint32_t inode);
