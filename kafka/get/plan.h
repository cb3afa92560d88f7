/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Which parts of a topic must be read: sections that are wanted, and those that the index says
 * nothing about. */
#pragma once

#include "kafka/get/catalog.h"

struct plan_part {
	int32_t partition;
	int64_t from, end;
};

struct plan {
	struct plan_part *part;
	size_t count, room, at;
	bool is_little; /* else it is faster to read everything */
};

/* Returns 0 or -ENOMEM. */
int plan_make(struct plan *p, const struct catalog *c, const struct topic *t);
void plan_free(struct plan *p);
