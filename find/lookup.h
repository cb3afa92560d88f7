/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Which granules of a file a query has to read, by the file's index. */
#pragma once

#include "index/condition.h"
#include "find/options.h"

struct lookup {
	struct index index;
	uint64_t *wanted; /* a bit for each granule */
	bool is_there;	  /* there is an index; otherwise the whole file is read */
	uint64_t wants;	  /* how many granules are wanted */
};

/* Looks at the index of an open file. Returns 0, or -ENOENT or another error of index_open() if
 * there is none that can be used. */
int lookup_open(struct lookup *l, const char *path, int fd, const struct condition *c,
		const struct options *o);
/* Must this granule be read? Because of its packets, or because later packets need its other
 * blocks. */
bool lookup_wants(const struct lookup *l, uint64_t granule);
/* Where the first of these begins in the file. */
uint64_t lookup_start(const struct lookup *l);
/* Why the index cannot be used, such as "it is damaged". */
const char *lookup_why(int e);
void lookup_close(struct lookup *l);
