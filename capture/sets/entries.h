/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* What the files of a set have: addresses and ranges of them, each with its line. */
#pragma once

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/sets.h"

/* In the host's order, upper half first; of IPv4 the IPv4-mapped one. */
struct set_address {
	uint64_t half[2];
};

struct set_single {
	struct set_address address;
	uint32_t info; /* SETS_INFO() */
};

struct set_range {
	struct set_address from, to; /* both are in it */
	uint32_t info;
};

/* Bits of the options of each port, by protocol: as in bpf/sets.h. The lines are of SETS_TOLD. */
struct set_ports {
	uint8_t of[65536][8];
	struct sets_port_lines lines[65536];
};

/* For what several of SETS_TOLD have: bpf/sets.h. */
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
	bool told; /* lines are */
	/* Say of a wrong line its number alone: who reads what is said might not read the file. */
	bool unquoted;
};

/* Add what is from one to the other: of ::/0 not the addresses of IPv4. -ENOMEM. */
int set_entries_add(struct set_entries *e, const struct set_address *from,
		    const struct set_address *to, uint32_t info);
void set_entries_free(struct set_entries *e);
/*
 * What is known of what both know of, of which more has the higher bits: the bits of both. Lines
 * are those of all of SETS_TOLD where they are told, else that of the first. -ENOMEM; -EBADMSG:
 * info is of a row that there is not, so somebody else has written it.
 */
int set_info_join(struct set_entries *e, uint32_t *info, uint32_t more);
/* Less than 0, 0, or more. */
int set_address_compare(const struct set_address *a, const struct set_address *b);
static inline bool set_address_is_ipv4(const struct set_address *a)
{
	return a->half[0] == 0 && a->half[1] >> 32 == SETS_IPV4 >> 32;
}

/*
 * The ranges in order, none overlapping another: where several options have an address, its range
 * has the bits of all. *out is the caller's to free. -ENOMEM.
 */
int set_ranges_flatten(struct set_entries *e, struct set_range **out, size_t *count);
