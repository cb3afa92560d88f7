/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "entries.h"
#include "pcapng/replace.h"

/* The options, in the order of struct epb_entries. */
static const char *const names[2][EPB_ENTRY_KINDS] = {
	{"hosts", "hosts", "src-hosts", "dst-hosts"},
	{"ports", "ports", "src-ports", "dst-ports"},
};

/* A line that both ends matched is named once. */
static bool is_again(const uint32_t line[EPB_ENTRY_KINDS], unsigned kind)
{
	return kind == EPB_ENTRY_BOTH_DESTINATION && line[kind] == line[EPB_ENTRY_BOTH_SOURCE];
}

void entries_text(char text[ENTRIES_TEXT_MAX], const char *between, const struct epb_entries *e)
{
	size_t used = 0;

	text[0] = 0;
	for (unsigned i = 0; i < 2; i++)
		for (unsigned k = 0; k < EPB_ENTRY_KINDS && used < ENTRIES_TEXT_MAX; k++)
			if (e->line[i][k] && !is_again(e->line[i], k))
				used += (size_t)snprintf(text + used, ENTRIES_TEXT_MAX - used,
							 "%s%s:%" PRIu32, used ? between : "",
							 names[i][k], e->line[i][k]);
}

void entries_put(struct bytes *b, size_t from, const struct epb_header *r,
		 const struct epb_lengths *l)
{
	char text[ENTRIES_TEXT_MAX];
	uint8_t room[ENTRIES_TEXT_MAX + sizeof(uint64_t)];
	struct bytes comment = {.at = room, .room = sizeof(room)};
	struct epb_entries e;

	if (!afxdp_entries_of(r, l, &e))
		return;
	entries_text(text, " ", &e);
	if (text[0])
		block_option(&comment, OPT_COMMENT, text, strlen(text));
	pcapng_replace(b, from, EPB_OPT_ENTRIES_RAW, &comment);
}
