/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <inttypes.h>
#include <linux/types.h>
#include <string.h>

#include "pcapng/packet_options.h"
#include "reasons.h"
#include "util/json.h"

/* Frequent ones move to the front, where they are found soon, and stand in the order of the print.
 */
static void count_at(struct reasons *r, unsigned i)
{
	uint64_t n = ++r->at[i].packets;

	while (i && r->at[i - 1].packets < n) {
		struct reason before = r->at[i - 1];

		r->at[i - 1] = r->at[i];
		r->at[i--] = before;
	}
}

void reasons_count(struct reasons *r, const struct epb_header *record)
{
	struct packet_options more;
	unsigned i = 0;

	packet_options_read(&more, record);
	if (!more.has_drop)
		return;
	while (i < r->count && strcmp(r->at[i].name, more.drop_reason) != 0)
		i++;
	if (i == REASONS_MAX)
		return;
	if (i == r->count) {
		r->count++;
		r->at[i].packets = 0;
		snprintf(r->at[i].name, sizeof(r->at[i].name), "%s", more.drop_reason);
	}
	count_at(r, i);
}

void reasons_print(FILE *to, const struct reasons *r)
{
	for (unsigned i = 0; i < r->count; i++)
		fprintf(to, "%" PRIu64 " packets captured that the host's stack dropped: %s\n",
			r->at[i].packets, r->at[i].name);
}

void reasons_json(FILE *to, const struct reasons *r)
{
	for (unsigned i = 0; i < r->count; i++) {
		fputc(i ? ',' : '{', to);
		json_string(to, r->at[i].name);
		fprintf(to, ":%" PRIu64, r->at[i].packets);
	}
	fputs(r->count ? "}" : "{}", to);
}
