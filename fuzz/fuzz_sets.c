/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Files of addresses and of ports: what they have fits into the table that was measured for it. */
#include <errno.h>

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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint32_t bits = 1 + (uint32_t)take(&data, &size, 1) % 63, other;
	uint64_t lines;
	bool ports = bits % 2 == 0;
	struct set_entries e = {.singles = 0};
	size_t first = (size_t)take(&data, &size, 2);
	void *map;
	int error;

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
