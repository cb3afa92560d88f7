/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * combined IFACE all|pairs [OBJECT]: opens a capture with every combination of what is left out, at
 * every hook, or so many of them that every two options meet, and sets a filter; with the programs
 * of an object file, where one is given. What keeps that from running in the kernel is said; status
 * 1 if there was any.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "opens.h"

static const char *const hooks[] = {"hook=xdp", "hook=xdp,vlan=off", "hook=tc", "hook=packet"};
static const char *const slices[] = {"off", "l2", "l3", "l4", "l4+64"};
static const char *const cutoffs[] = {"off", "64K"};
static const char *const samples[] = {"1", "10"};
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

struct combination {
	size_t hook, slice, cutoff, sample;
};

static struct combination combination(size_t n)
{
	return (struct combination){
		.hook = n % COUNT(hooks),
		.slice = n / COUNT(hooks) % COUNT(slices),
		.cutoff = n / COUNT(hooks) / COUNT(slices) % COUNT(cutoffs),
		.sample = n / COUNT(hooks) / COUNT(slices) / COUNT(cutoffs),
	};
}

/* One for each hook with each slice: in these, every two values of all four meet. */
static bool is_pair(struct combination c)
{
	return c.cutoff == (c.hook + c.slice) % 2 && c.sample == (c.hook / 2 + c.slice) % 2;
}

static bool can_open(const char *interface, struct combination c)
{
	char device[128];

	snprintf(device, sizeof(device),
		 "xdp:%s,ring=512K,loader=off,%s,slice=%s,flow-cutoff=%s,sample=%s", interface,
		 hooks[c.hook], slices[c.slice], cutoffs[c.cutoff], samples[c.sample]);
	return opens(device, (struct afxdp_options){0});
}

int main(int argc, char **argv)
{
	const size_t all = COUNT(hooks) * COUNT(slices) * COUNT(cutoffs) * COUNT(samples);
	size_t good = 0, tried = 0;

	if (argc < 3 || (argc > 3 && opens_use(argv[3])))
		return 2;
	for (size_t i = 0; i < all; i++) {
		if (strcmp(argv[2], "all") && !is_pair(combination(i)))
			continue;
		tried++;
		good += can_open(argv[1], combination(i));
	}
	printf("%zu of %zu\n", good, tried);
	return good != tried;
}
