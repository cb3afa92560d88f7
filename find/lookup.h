/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What the index of a file says of a query: which of its granules have to be read. */
#pragma once

#include "index/condition.h"
#include "find/options.h"

struct lookup {
	struct index index;
	uint64_t *wanted; /* a bit for each granule */
	bool is_there;	  /* else all is read */
	uint64_t wants;	  /* so many granules */
};

/* Of an open file. 0; -ENOENT and other errors of index_open(): there is none that can be used. */
int lookup_open(struct lookup *l, const char *path, int fd, const struct condition *c,
		const struct options *o);
/* Has this granule to be read? For packets, or for what packets behind it need. */
bool lookup_wants(const struct lookup *l, uint64_t granule);
/* Where the first of them begins in the file. */
uint64_t lookup_start(const struct lookup *l);
/* "it is damaged": why there is none. */
const char *lookup_why(int e);
void lookup_close(struct lookup *l);
