/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include "compare.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "capfile.h"
#include "testprogs/json.h"

/* A busy machine may be delayed between the two places where a frame is stamped. */
#define LATE_PERCENT 1

struct differences {
	unsigned int explain;
	uint64_t packets; /* packets compared */
	uint64_t only_a, only_b;
	uint64_t length, captured, data, time;
	uint64_t apart_max_ns;
};

static void explain(struct differences *differences, const char *what, uint64_t a, uint64_t b)
{
	if (!differences->explain)
		return;
	differences->explain--;
	fprintf(stderr, "packet %" PRIu64 ": %s: %" PRIu64 " and %" PRIu64 "\n",
		differences->packets, what, a, b);
}

/* Returns len if there is no difference. */
static uint32_t first_difference(const struct frame_seen *a, const struct frame_seen *b,
				 uint32_t len)
{
	uint32_t at = 0;

	if (!memcmp(a->data, b->data, len))
		return len;
	while (at < len && a->data[at] == b->data[at])
		at++;
	return at;
}

static void compare_frames(struct differences *differences, const struct frame_seen *a,
			   const struct frame_seen *b, uint64_t tolerance_ns)
{
	uint32_t common = a->caplen < b->caplen ? a->caplen : b->caplen;
	uint64_t apart = a->ns < b->ns ? b->ns - a->ns : a->ns - b->ns;
	uint32_t at;

	differences->packets++;
	if (a->len != b->len && ++differences->length)
		explain(differences, "length", a->len, b->len);
	if (a->caplen != b->caplen && ++differences->captured)
		explain(differences, "captured length", a->caplen, b->caplen);
	at = first_difference(a, b, common);
	if (at < common && ++differences->data)
		explain(differences, "data, by offset and length compared", at, common);
	if (apart > tolerance_ns && ++differences->time)
		explain(differences, "time stamp in ns", a->ns, b->ns);
	if (apart > differences->apart_max_ns)
		differences->apart_max_ns = apart;
}

static void report(const struct differences *differences, bool same, uint64_t tolerance_ns)
{
	struct json json;

	json_open(&json, stdout);
	json_text(&json, "program", "capcheck");
	json_count(&json, "packets", differences->packets);
	json_count(&json, "only_in_a", differences->only_a);
	json_count(&json, "only_in_b", differences->only_b);
	json_count(&json, "different_length", differences->length);
	json_count(&json, "different_captured_length", differences->captured);
	json_count(&json, "different_data", differences->data);
	json_count(&json, "time_beyond_tolerance", differences->time);
	json_count(&json, "time_apart_max_ns", differences->apart_max_ns);
	json_count(&json, "tolerance_ns", tolerance_ns);
	json_bool(&json, "same", same);
	json_close(&json);
	printf("capcheck: the captures %s\n",
	       same ? "hold the same packets in the same order" : "DIFFER");
}

/* Returns the program's status. */
static int compare_files(struct differences *differences, pcap_t *a, pcap_t *b,
			 uint64_t tolerance_ns)
{
	struct frame_seen frame_a, frame_b;
	int got_a, got_b;

	for (;;) {
		got_a = capfile_next(a, &frame_a);
		got_b = capfile_next(b, &frame_b);
		if (got_a < 0 || got_b < 0) {
			fprintf(stderr, "capcheck: %s\n", pcap_geterr(got_a < 0 ? a : b));
			return 2;
		}
		if (!got_a && !got_b)
			break;
		differences->only_a += !got_b;
		differences->only_b += !got_a;
		if (got_a && got_b)
			compare_frames(differences, &frame_a, &frame_b, tolerance_ns);
	}
	return differences->only_a || differences->only_b || differences->length ||
	       differences->captured || differences->data ||
	       differences->time * 100 > differences->packets * LATE_PERCENT;
}

int compare_captures(const struct comparison *comparison, const char *path_a, const char *path_b)
{
	struct differences differences = {.explain = comparison->explain};
	pcap_t *a = capfile_open(path_a), *b = capfile_open(path_b);
	int status = 2;

	if (a && b)
		status = compare_files(&differences, a, b, comparison->tolerance_ns);
	if (status != 2)
		report(&differences, !status, comparison->tolerance_ns);
	if (a)
		pcap_close(a);
	if (b)
		pcap_close(b);
	return status;
}
