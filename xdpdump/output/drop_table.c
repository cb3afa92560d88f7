/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <inttypes.h>
#include <linux/types.h>
#include <string.h>
#include <time.h>

#include "pcapng/packet_options.h"
#include "drop_table.h"
#include "util/clock.h"
#include "util/harmless.h"
#include "util/json.h"

#define HEAD_LINES 2
#define NO_WRAP	   "\033[?7l"
#define WRAP	   "\033[?7h"
#define TO_END	   "\033[K\n" /* of the line; erases what is left of an older one */

/* Frequent ones move to the front, where they are found soon. */
static void count_at(struct drop_table *t, unsigned i)
{
	uint64_t n = ++t->row[i].packets;

	while (i && t->row[i - 1].packets < n) {
		struct drop_row before = t->row[i - 1];

		t->row[i - 1] = t->row[i];
		t->row[i--] = before;
	}
}

void drop_table_count(struct drop_table *t, const struct epb_header *record, bool by_reason)
{
	struct packet_options more;
	unsigned i = 0;

	packet_options_read(&more, record);
	if (!more.has_drop)
		return;
	if (by_reason)
		more.drop_place = more.drop_ifname = "";
	t->packets++;
	while (i < t->count && (strcmp(t->row[i].place, more.drop_place) != 0 ||
				strcmp(t->row[i].reason, more.drop_reason) != 0 ||
				strcmp(t->row[i].ifname, more.drop_ifname) != 0))
		i++;
	if (i == DROP_ROWS_MAX)
		return;
	if (i == t->count) {
		struct drop_row *row = &t->row[t->count++];

		*row = (struct drop_row){.packets = 0};
		snprintf(row->reason, sizeof(row->reason), "%s", more.drop_reason);
		snprintf(row->place, sizeof(row->place), "%s", more.drop_place);
		snprintf(row->ifname, sizeof(row->ifname), "%s", more.drop_ifname);
	}
	count_at(t, i);
}

static void put_time(FILE *to, uint64_t time)
{
	time_t second = (time_t)(time / NS_PER_SEC);
	char text[16] = "";
	struct tm tm;

	if (localtime_r(&second, &tm))
		strftime(text, sizeof(text), "%H:%M:%S", &tm);
	fputs(text, to);
}

/* "NO_SOCKET in __udp4_lib_rcv+0x2f1 on eth0" */
static void put_row(FILE *to, const struct drop_row *row)
{
	harmless_print(to, "%s%s%s%s%s", row->reason, row->place[0] ? " in " : "", row->place,
		       row->ifname[0] ? " on " : "", row->ifname);
}

void drop_table_line(const struct drop_table *t, FILE *to, uint64_t time)
{
	const char *between = ": ";

	put_time(to, time);
	fprintf(to, " %" PRIu64 " dropped", t->packets - t->told);
	for (unsigned i = 0; i < t->count; i++) {
		const struct drop_row *row = &t->row[i];

		if (row->packets == row->told)
			continue;
		fprintf(to, "%s%" PRIu64 " ", between, row->packets - row->told);
		put_row(to, row);
		between = ", ";
	}
	fputc('\n', to);
}

void drop_table_json(const struct drop_table *t, FILE *to, uint64_t time)
{
	uint64_t seconds = time / NS_PER_SEC, rest = time % NS_PER_SEC;
	bool first = true;

	fprintf(to,
		"{\"time\":%" PRIu64 ".%09" PRIu64 ",\"seconds\":%" PRIu64
		",\"nanoseconds\":%" PRIu64 ",\"schema\":" JSON_SCHEMA ",\"dropped\":%" PRIu64
		",\"dropped_so_far\":%" PRIu64 ",\"drops\":[",
		seconds, rest, seconds, rest, t->packets - t->told, t->packets);
	for (unsigned i = 0; i < t->count; i++) {
		const struct drop_row *row = &t->row[i];

		if (row->packets == row->told)
			continue;
		fputs(first ? "{\"drop_reason\":" : ",{\"drop_reason\":", to);
		first = false;
		json_string(to, row->reason);
		if (row->place[0])
			json_member(to, "drop_place", row->place);
		if (row->ifname[0])
			json_member(to, "drop_interface", row->ifname);
		fprintf(to, ",\"dropped\":%" PRIu64 ",\"dropped_so_far\":%" PRIu64 "}",
			row->packets - row->told, row->packets);
	}
	fputs("]}\n", to);
}

unsigned drop_table_screen(const struct drop_table *t, FILE *to, uint64_t time, unsigned most)
{
	unsigned rows = most > HEAD_LINES + 1 ? most - HEAD_LINES - 1 : 1, lines = HEAD_LINES;

	if (rows > t->count)
		rows = t->count;
	fputs("\r" NO_WRAP, to);
	put_time(to, time);
	fprintf(to,
		"  %" PRIu64 " dropped in the last second, %" PRIu64 " since the start" TO_END
		"%12s %14s  REASON, FUNCTION, INTERFACE" TO_END,
		t->packets - t->told, t->packets, "LAST SECOND", "SINCE START");
	for (unsigned i = 0; i < rows; i++, lines++) {
		fprintf(to, "%12" PRIu64 " %14" PRIu64 "  ", t->row[i].packets - t->row[i].told,
			t->row[i].packets);
		put_row(to, &t->row[i]);
		fputs(TO_END, to);
	}
	if (rows < t->count) {
		fprintf(to, "%12s %14s  and %u more" TO_END, "", "", t->count - rows);
		lines++;
	}
	fputs("\033[J" WRAP, to);
	return lines;
}

void drop_table_next(struct drop_table *t)
{
	t->told = t->packets;
	for (unsigned i = 0; i < t->count; i++)
		t->row[i].told = t->row[i].packets;
}
