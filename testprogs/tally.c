/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include "tally.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "frame.h"

/* Numbers that were seen: a bit each, in leaves that are allocated only where numbers came. */
#define LEAF_BITS  20
#define LEAF_BYTES (1 << (LEAF_BITS - 3))
#define LEAVES_MAX (1 << 20)

struct tally {
	struct tally_rules rules;
	struct tally_counts counts;
	uint64_t last_ns;
	uint64_t flow_next[UINT16_MAX + 1]; /* by source port: highest number seen + 1 */
	uint64_t leaf_base;		    /* leaf number of leaves[0] */
	bool based;
	uint8_t *leaves[LEAVES_MAX];
};

struct tally *tally_create(const struct tally_rules *rules)
{
	struct tally *tally = calloc(1, sizeof(*tally));

	if (!tally)
		return NULL;
	tally->rules = *rules;
	tally->counts.lowest = UINT64_MAX;
	return tally;
}

void tally_free(struct tally *tally)
{
	if (!tally)
		return;
	for (uint32_t i = 0; i < LEAVES_MAX; i++)
		free(tally->leaves[i]);
	free(tally);
}

const struct tally_counts *tally_counts(const struct tally *tally)
{
	return &tally->counts;
}

static void explain(struct tally *tally, uint64_t seq, const char *fault)
{
	if (!tally->rules.explain)
		return;
	tally->rules.explain--;
	fprintf(stderr, "frame %" PRIu64 ", number %" PRIu64 ": %s\n", tally->counts.frames, seq,
		fault);
}

/* Half of the leaves are for numbers below the first, which need not be the lowest. */
static uint8_t *find_leaf(struct tally *tally, uint64_t seq)
{
	uint64_t number = seq >> LEAF_BITS, place;

	if (!tally->based) {
		tally->leaf_base = number > LEAVES_MAX / 2 ? number - LEAVES_MAX / 2 : 0;
		tally->based = true;
	}
	place = number - tally->leaf_base;
	if (place >= LEAVES_MAX)
		return NULL;
	if (!tally->leaves[place])
		tally->leaves[place] = calloc(1, LEAF_BYTES);
	return tally->leaves[place];
}

/* Returns 1 if the number is new, 0 if it came before, or -ENOMEM. */
static int mark_seen(struct tally *tally, uint64_t seq)
{
	uint8_t *leaf = find_leaf(tally, seq), bit = 1 << (seq & 7);
	uint32_t at = (seq & ((1 << LEAF_BITS) - 1)) >> 3;

	if (!leaf)
		return -ENOMEM;
	if (leaf[at] & bit)
		return 0;
	leaf[at] |= bit;
	return 1;
}

static void check_order(struct tally *tally, const struct frame_info *info)
{
	struct tally_counts *counts = &tally->counts;
	uint64_t *flow_next = &tally->flow_next[info->sport];

	if (counts->lowest <= counts->highest && info->seq < counts->highest) {
		counts->reordered++;
		if (!tally->rules.unordered)
			explain(tally, info->seq, "after a higher number");
	}
	if (info->seq < *flow_next)
		counts->flow_reordered++;
	else
		*flow_next = info->seq + 1;
	if (info->seq < counts->lowest)
		counts->lowest = info->seq;
	if (info->seq > counts->highest)
		counts->highest = info->seq;
}

static int count_whole(struct tally *tally, const struct frame_info *info)
{
	int fresh = mark_seen(tally, info->seq);

	if (fresh < 0)
		return fresh;
	if (!fresh) {
		tally->counts.duplicates++;
		explain(tally, info->seq, "came before");
		return 0;
	}
	tally->counts.delivered++;
	check_order(tally, info);
	if (tally->rules.port && info->dport != tally->rules.port) {
		tally->counts.strange_ports++;
		explain(tally, info->seq, "for another destination port");
	}
	return 0;
}

static void check_record(struct tally *tally, const struct frame_seen *frame)
{
	uint32_t snaplen = tally->rules.snaplen;
	uint32_t wanted = snaplen < frame->len ? snaplen : frame->len;

	tally->counts.frames++;
	tally->counts.bytes += frame->caplen;
	if (snaplen && frame->caplen != wanted)
		tally->counts.short_captures++;
	if (frame->ns < tally->last_ns)
		tally->counts.time_backwards++;
	tally->last_ns = frame->ns;
}

int tally_frame(struct tally *tally, const struct frame_seen *frame)
{
	struct frame_info info;

	check_record(tally, frame);
	switch (frame_check(frame->data, frame->caplen, frame->len, &info)) {
	case FRAME_FOREIGN:
		tally->counts.foreign++;
		break;
	case FRAME_UNNUMBERED:
		tally->counts.unnumbered++;
		break;
	case FRAME_CORRUPT:
		tally->counts.corrupt++;
		explain(tally, info.seq, info.fault);
		break;
	case FRAME_INTACT:
		return count_whole(tally, &info);
	}
	return 0;
}

uint64_t tally_gaps(const struct tally_counts *counts)
{
	if (counts->lowest > counts->highest)
		return 0;
	return counts->highest - counts->lowest + 1 - counts->delivered;
}

void tally_report(const struct tally_counts *counts, struct json *json)
{
	json_count(json, "frames", counts->frames);
	json_count(json, "bytes", counts->bytes);
	json_count(json, "delivered", counts->delivered);
	json_count(json, "unnumbered", counts->unnumbered);
	json_count(json, "foreign", counts->foreign);
	json_count(json, "corrupt", counts->corrupt);
	json_count(json, "duplicates", counts->duplicates);
	json_count(json, "reordered", counts->reordered);
	json_count(json, "flow_reordered", counts->flow_reordered);
	json_count(json, "time_backwards", counts->time_backwards);
	json_count(json, "short_captures", counts->short_captures);
	json_count(json, "strange_ports", counts->strange_ports);
	json_count(json, "gaps", tally_gaps(counts));
	if (counts->lowest <= counts->highest) {
		json_count(json, "lowest", counts->lowest);
		json_count(json, "highest", counts->highest);
	}
}
