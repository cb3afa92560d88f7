/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What the files of a set contain: addresses and ranges of them, each with its line. */
#pragma once

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/sets.h"

/* In host byte order, upper half first; for IPv4, the IPv4-mapped address. */
struct set_address {
	uint64_t half[2];
};

struct set_single {
	struct set_address address;
	uint32_t info; /* SETS_INFO() */
};

struct set_range {
	struct set_address from, to; /* both inclusive */
	uint32_t info;
};

/* The bits of the options that have each port, by protocol: bpf/sets.h. The lines are those of the
 * options in SETS_TOLD. */
struct set_ports {
	uint8_t of[65536][8];
	struct sets_port_lines lines[65536];
};

/* For addresses that several options in SETS_TOLD have: bpf/sets.h. */
struct set_rows {
	struct sets_row *at;
	size_t count, room;
};

struct set_entries {
	struct set_ports *ports; /* NULL: no file of ports was given */
	struct set_single *single;
	struct set_range *range;
	size_t singles, ranges, single_room, range_room, ports_listed;
	struct set_rows rows;
	bool told; /* lines are recorded */
	/* Name only the number of a wrong line, not its text: whoever gets the message might not be
	 * allowed to read the file. */
	bool unquoted;
};

/* Add the addresses from `from` to `to`. A range of IPv6 such as ::/0 does not include those of
 * IPv4. Returns 0 or -ENOMEM. */
int set_entries_add(struct set_entries *e, const struct set_address *from,
		    const struct set_address *to, uint32_t info);
void set_entries_free(struct set_entries *e);
/*
 * Combine into *info what is known of addresses that are in both *info and more, where more has the
 * higher bits: the result has the bits of both. If lines are recorded, it has those of all options
 * in SETS_TOLD, else the line of the first. Returns 0; -ENOMEM; or -EBADMSG: info names a row that
 * does not exist, so somebody else has written it.
 */
int set_info_join(struct set_entries *e, uint32_t *info, uint32_t more);
/* Returns less than 0, 0, or more than 0. */
int set_address_compare(const struct set_address *a, const struct set_address *b);
static inline bool set_address_is_ipv4(const struct set_address *a)
{
	return a->half[0] == 0 && a->half[1] >> 32 == SETS_IPV4 >> 32;
}

/*
 * Get the ranges in order, without overlaps: a range that several options have gets the bits of
 * all. The caller frees *out. Returns 0 or -ENOMEM.
 */
int set_ranges_flatten(struct set_entries *e, struct set_range **out, size_t *count);
