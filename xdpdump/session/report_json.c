/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <inttypes.h>

#include "util/clock.h"
#include "util/json.h"
#include "figures.h"
#include "report.h"
#include "xdpdump/output/drop_table.h"
#include "xdpdump/source/source.h"

static void put_figures(FILE *to, const struct figure *of, const uint64_t *value, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		fprintf(to, ",\"%s\":%" PRIu64, of[i].name, value[i]);
}

/* The members have the same names as in the object of a packet. */
static void put_source(FILE *to, const struct status *st, const struct source_status *of)
{
	const struct source *s = of->source;
	uint64_t value[FIGURES];

	figures_of(st, of, value);
	fputs("{\"interface\":", to);
	json_string(to, source_interface(s));
	if (s->netns)
		json_member(to, "netns", s->netns);
	if (s->program) {
		json_member(to, "program", s->function);
		fprintf(to, ",\"program_id\":%" PRIu32, s->program);
	}
	if (s->program || s->drops)
		json_member(to, "place", source_place(s));
	put_figures(to, figures, value, FIGURES);
	fprintf(to, ",\"gone\":%s}", s->lost ? "true" : "false");
}

static void put_sources(FILE *to, const struct status *st)
{
	fputs(",\"interfaces\":[", to);
	for (unsigned i = 0; i < st->sources; i++) {
		if (i)
			fputc(',', to);
		put_source(to, st, &st->source[i]);
	}
	fputc(']', to);
}

static void put_reasons(FILE *to, const struct drop_table *reasons)
{
	fputs(",\"drop_reasons\":{", to);
	for (unsigned i = 0; i < reasons->count; i++) {
		if (i)
			fputc(',', to);
		json_string(to, reasons->row[i].reason);
		fprintf(to, ":%" PRIu64, reasons->row[i].packets);
	}
	fputc('}', to);
}

/* The members have the same names as those for all streams together. */
static void put_streams(FILE *to, const struct status *st)
{
	fputs(",\"to_streams\":[", to);
	for (unsigned i = 0; i < st->streams; i++) {
		const struct stream_status *at = &st->stream[i];

		fprintf(to, "%s{\"stream\":%u,\"interface\":", i ? "," : "", i);
		json_string(to, source_interface(at->source));
		fprintf(to,
			",\"%s\":%u,\"to_packets\":%" PRIu64 ",\"to_acknowledged\":%" PRIu64
			",\"to_spooled\":%" PRIu64 ",\"to_left\":%" PRIu64 ",\"to_lost\":%" PRIu64
			",\"to_behind\":%" PRIu64 ",\"to_runs\":%" PRIu64 "}",
			at->cpu < 0 ? "queue" : "cpu", at->number, at->to.packets,
			at->to.acknowledged, at->to.spooled, at->to.left, at->to.lost,
			at->to.behind, at->to.runs);
	}
	fputc(']', to);
}

void report_json(FILE *to, const struct status *st, bool final)
{
	uint64_t seconds = st->time / NS_PER_SEC, rest = st->time % NS_PER_SEC;
	uint64_t value[FIGURES], total[TOTALS];

	figures_of(st, &st->all, value);
	figures_of_capture(st, total);
	fprintf(to,
		"{\"time\":%" PRIu64 ".%09" PRIu64 ",\"seconds\":%" PRIu64
		",\"nanoseconds\":%" PRIu64 ",\"schema\":" JSON_SCHEMA,
		seconds, rest, seconds, rest);
	put_figures(to, figures, value, FIGURES);
	put_figures(to, totals, total, TOTALS);
	if (st->waits)
		fprintf(to, ",\"held\":%" PRIu64 ",\"held_bytes\":%" PRIu64, st->held,
			st->held_bytes);
	if (final)
		fprintf(to, ",\"not_kept\":%" PRIu64, figures_not_kept(st));
	if (st->slow_filter)
		json_member(to, "filter", st->slow_filter);
	if (st->file)
		json_member(to, "file", st->file);
	if (st->reasons)
		put_reasons(to, st->reasons);
	if (st->several)
		put_sources(to, st);
	if (st->feeds.export.trouble)
		json_member(to, "to_trouble", troubles[st->feeds.export.trouble].label);
	if (st->streams)
		put_streams(to, st);
	fprintf(to, ",\"final\":%s}\n", final ? "true" : "false");
}
