/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Files of addresses, of ports and of flows: what they have fits into the table that was measured
 * for it. */
#include <errno.h>

#include "capture/sets/flow_text.h"
#include "capture/sets/table.h"
#include "capture/sets/text.h"
#include "fuzz.h"

/* No byte behind the text belongs to it. */
static char *copy_of(const uint8_t *data, size_t size)
{
	char *text = malloc(size ? size : 1);

	must(text != NULL, "no memory");
	if (size)
		memcpy(text, data, size);
	return text;
}

static int parse(set_parse *as, struct set_entries *e, uint32_t bits, const uint8_t *data,
		 size_t size)
{
	char *text = copy_of(data, size), err[AFXDP_ERROR_SIZE] = "";
	int error = as(e, bits, "file", text, size, err, sizeof(err));

	must(!error || error == -EINVAL || error == -E2BIG, "another error");
	must(error != -EINVAL || strncmp(err, "file, line ", 11) == 0, "no line is named");
	free(text);
	return error;
}

static void must_be_in_order(struct set_entries *e)
{
	struct set_range *r;
	size_t count;

	must(set_ranges_flatten(e, &r, &count) == 0, "no memory");
	for (size_t i = 0; i < count; i++) {
		must(set_address_compare(&r[i].from, &r[i].to) <= 0, "a range without addresses");
		must(!i || set_address_compare(&r[i - 1].to, &r[i].from) < 0, "ranges overlap");
		must(SETS_BITS(r[i].info), "a range of no option");
	}
	free(r);
}

#define FLOWS_MOST 16u

/* A flow that is there is found again, and one that was removed is not. */
static void follow(struct flows *flows, const struct flows_key *k)
{
	int e = flows_put(flows, k);
	struct flows_key again = *k;

	must(e >= 0 || (e == -ENOSPC && flows->count == FLOWS_MOST), "no room");
	flows_order(&again);
	must(memcmp(&again, k, sizeof(again)) == 0, "the order of its ends is not kept");
	again.ports = again.ports << 16 | again.ports >> 16;
	if (e >= 0)
		must(flows_put(flows, k) == 1, "it is not there");
	if (e >= 0 && again.ports % 3 == 0)
		must(flows_remove(flows, k) == 0 && flows_remove(flows, k) == -ENOENT,
		     "it cannot be removed");
	must(flows->count <= FLOWS_MOST, "too many");
}

static void try_flows(const uint8_t *data, size_t size)
{
	void *map = calloc(1 + flows_lines(FLOWS_MOST), SETS_LINE);
	char *text = copy_of(data, size), *at = text, *end = text + size, *stop;
	uint32_t active = 0;
	struct flows flows;
	struct flows_key k;

	must(map != NULL, "no memory");
	flows_take(&flows, map, &active, 1, FLOWS_MOST);
	flows_begin(&flows);
	flows_exchange(&flows);
	for (; at < end; at = stop + 1) {
		stop = memchr(at, '\n', (size_t)(end - at));
		stop = stop ? stop : end;
		if (flow_line_parse(at, (size_t)(stop - at), &k) == 1)
			follow(&flows, &k);
	}
	free(map);
	free(text);
}

/* An application that has dropped its privileges can write there, and whoever reads files for it
 * has not: nothing is written elsewhere. */
static void try_spoiled(const uint8_t *data, size_t size)
{
	size_t bytes = (size_t)(1 + flows_lines(FLOWS_MOST)) * SETS_LINE;
	uint32_t active = (uint32_t)take(&data, &size, 4);
	uint8_t *map = malloc(bytes);
	struct flows_key k = {.protocol = 6};
	struct set_entries e = {.told = true};
	struct flows flows;

	must(map != NULL, "no memory");
	for (size_t i = 0; i < bytes; i++)
		map[i] = size ? data[i % size] : 255;
	flows_take(&flows, map, &active, 1, FLOWS_MOST);
	for (k.ports = 0; k.ports < 4 * FLOWS_MOST; k.ports++) {
		flows_put(&flows, &k);
		if (k.ports % 3 == 0)
			flows_remove(&flows, &k);
	}
	flows_begin(&flows);
	flows_exchange(&flows);
	flows_put(&flows, &k);
	free(map);
	for (size_t i = 0; i + 4 <= size; i += 4) {
		uint32_t info, more = SETS_INFO(1u << i / 4 % 3, i);

		memcpy(&info, data + i, 4);
		set_info_join(&e, &info, more);
	}
	set_entries_free(&e);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint32_t how = (uint32_t)take(&data, &size, 1), bits = 1 + how % 63, other;
	uint64_t lines;
	bool ports = bits % 2 == 0;
	struct set_entries e = {.singles = 0};
	size_t first = (size_t)take(&data, &size, 2);
	void *map;
	int error;

	if (how == 255) {
		try_flows(data, size);
		return 0;
	}
	if (how == 254) {
		try_spoiled(data, size);
		return 0;
	}
	other = bits % 5 + 1;
	/* Rows are of one option each. */
	e.told = !(bits & (bits - 1)) && !(other & (other - 1));
	first = first < size ? first : size;
	error = parse(set_text_parse, &e, bits, data, first);
	if (!error)
		error = parse(ports ? set_ports_parse : set_text_parse, &e, other, data + first,
			      size - first);
	lines = set_table_lines(e.singles, e.ranges, &e);
	map = error ? NULL : calloc(lines + 1, SETS_LINE);
	must(error || map, "no memory");
	if (!error) {
		must_be_in_order(&e);
		must(set_table_write(map, 1, (uint32_t)lines, &e) == 0, "it does not fit");
	}
	free(map);
	set_entries_free(&e);
	return 0;
}
