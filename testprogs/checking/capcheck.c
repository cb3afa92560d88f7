/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Reads a capture of trafgen's frames, and says whether all are accounted for: sent = delivered +
 * dropped, none torn, none twice, in order. Frames that the device refused were never sent, and do
 * not count as "sent".
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capfile.h"
#include "compare.h"
#include "testprogs/json.h"
#include "testprogs/options.h"
#include "pcapng_account.h"
#include "testprogs/tally.h"

#define EXPLAIN_DEFAULT 5

enum order { ORDER_ALL, ORDER_FLOW, ORDER_NONE };

struct expected {
	bool sent_known, dropped_known, range_known;
	uint64_t sent;
	uint64_t dropped;
	uint64_t first, end; /* numbers generated are first ... end - 1 */
	enum order order;
	bool monotonic;
	bool matched;	  /* only frames of --match were captured, as --json counts them */
	bool cut_is_fine; /* the capturing program was killed */
	bool compare, interfaces;
	struct tally_rules rules;
	struct comparison comparison;
};

/* What a capture holds. */
struct finding {
	const struct tally_counts *counts;
	struct pcapng_account account;
	const char *read_error; /* NULL: the file was read to its end */
};

enum {
	KEY_SENT = 256,
	KEY_JSON,
	KEY_DROPPED,
	KEY_ORDER,
	KEY_MONOTONIC,
	KEY_SNAPLEN,
	KEY_PORT,
	KEY_MATCHED,
	KEY_CUT,
	KEY_EXPLAIN,
	KEY_COMPARE,
	KEY_TOLERANCE,
	KEY_INTERFACES
};

static const struct option_row rows[] = {
	{KEY_SENT, "sent", "N", "frames that were sent"},
	{KEY_JSON, "json", "FILE",
	 "take sent and first_seq from trafgen's report; can be repeated"},
	{KEY_MATCHED, "matched", NULL, "only trafgen's --match frames were to be captured"},
	{KEY_DROPPED, "dropped", "N", "frames lost by the capture (else what a pcapng file says)"},
	{KEY_ORDER, "order", "all|flow|none", "the order that is required (all)"},
	{KEY_MONOTONIC, "monotonic", NULL, "time stamps may not go back"},
	{KEY_SNAPLEN, "snaplen", "BYTES", "captured lengths must be min(BYTES, length)"},
	{KEY_PORT, "port", "PORT", "all frames must have this UDP destination port"},
	{KEY_CUT, "cut-is-fine", NULL, "the file may end inside a record"},
	{KEY_EXPLAIN, "explain", "N", "tell up to N faults on standard error (5)"},
	{KEY_COMPARE, "compare", NULL,
	 "do FILE and FILE2 hold the same packets in the same order?"},
	{KEY_TOLERANCE, "tolerance", "MS",
	 "with --compare: milliseconds between time stamps of 99 % (1)"},
	{KEY_INTERFACES, "interfaces", NULL,
	 "only print what a pcapng file says of each interface; of any frames"},
	{0},
};

static const struct program program = {
	"capcheck",
	"[OPTION]... FILE | --compare [OPTION]... FILE FILE2 | --interfaces FILE",
	"Checks a capture (pcap or pcapng, - is standard input) of trafgen's frames. Prints counts as\n"
	"JSON and a verdict; status 0: all is well, 1: it is not, 2: it could not be found out.",
	rows,
	false,
};

static uint64_t json_number(const char *path, const char *key)
{
	uint64_t value = 0;
	int err = json_file_count(path, key, &value);

	if (err)
		usage_error(&program, "--json %s: no number for %s (%s)", path, key,
			    strerror(-err));
	return value;
}

/* Adds the numbers of a generator; several may have sent, one after the other or at once. */
static void add_json(struct expected *expected, const char *path)
{
	uint64_t first = json_number(path, "first_seq");
	uint64_t end = first + json_number(path, "generated");

	expected->sent += json_number(path, expected->matched ? "matched" : "sent");
	expected->sent_known = true;
	if (expected->matched)
		expected->rules.port = json_number(path, "match_port");
	if (expected->matched && json_number(path, "refused"))
		usage_error(&program, "--matched: frames were refused, which ones is not known");
	if (!expected->range_known || first < expected->first)
		expected->first = first;
	if (!expected->range_known || end > expected->end)
		expected->end = end;
	expected->range_known = true;
}

static enum order order_arg(void)
{
	static const char *const names[] = {"all", "flow", "none"};

	for (int i = 0; i < 3; i++)
		if (!strcmp(optarg, names[i]))
			return i;
	usage_error(&program, "--order takes all, flow or none, not `%s'", optarg);
}

static void count_option(struct expected *expected, int key)
{
	switch (key) {
	case KEY_SENT:
		expected->sent = number_arg(&program, "--sent", 0, UINT64_MAX >> 1);
		expected->sent_known = true;
		break;
	case KEY_DROPPED:
		expected->dropped = number_arg(&program, "--dropped", 0, UINT64_MAX >> 1);
		expected->dropped_known = true;
		break;
	case KEY_SNAPLEN:
		expected->rules.snaplen = number_arg(&program, "--snaplen", 1, UINT32_MAX);
		break;
	case KEY_PORT:
		expected->rules.port = number_arg(&program, "--port", 1, UINT16_MAX);
		break;
	case KEY_EXPLAIN:
		expected->rules.explain = number_arg(&program, "--explain", 0, UINT32_MAX);
		break;
	case KEY_TOLERANCE:
		expected->comparison.tolerance_ns =
			real_arg(&program, "--tolerance", 0, 1e9) * 1000000;
		break;
	}
}

static void take_option(struct expected *expected, int key)
{
	switch (key) {
	case KEY_MATCHED:
		if (expected->range_known)
			usage_error(&program, "--matched comes before --json");
		expected->matched = true;
		break;
	case KEY_JSON:
		add_json(expected, optarg);
		break;
	case KEY_ORDER:
		expected->order = order_arg();
		expected->rules.unordered = expected->order != ORDER_ALL;
		break;
	case KEY_MONOTONIC:
		expected->monotonic = true;
		break;
	case KEY_CUT:
		expected->cut_is_fine = true;
		break;
	case KEY_COMPARE:
		expected->compare = true;
		break;
	case KEY_INTERFACES:
		expected->interfaces = true;
		break;
	default:
		count_option(expected, key);
	}
}

static void read_options(struct expected *expected, int argc, char **argv)
{
	int key;

	*expected = (struct expected){
		.rules = {.explain = EXPLAIN_DEFAULT},
		.comparison = {.tolerance_ns = 1000000},
	};
	while ((key = options_next(&program, argc, argv)) != -1)
		take_option(expected, key);
	expected->comparison.explain = expected->rules.explain;
	if (argc - optind != 1 + expected->compare)
		usage_error(&program, "%s",
			    expected->compare ? "--compare takes two files"
					      : "one capture file is needed");
}

/* Number of lost frames; *source: where that number is from. */
static uint64_t dropped_count(const struct expected *expected, const struct finding *finding,
			      const char **source)
{
	*source = expected->dropped_known      ? "option"
		  : finding->account.is_pcapng ? "pcapng"
					       : "none";
	return expected->dropped_known ? expected->dropped : finding->account.dropped;
}

static void report_account(struct json *json, const struct pcapng_account *account)
{
	json_group(json, "pcapng");
	json_count(json, "blocks", account->blocks);
	json_count(json, "interfaces", account->interfaces);
	json_count(json, "packets", account->packets);
	json_count(json, "epb_drops", account->epb_drops);
	json_count(json, "statistics_blocks", account->statistics_blocks);
	json_count(json, "ifrecv", account->ifrecv);
	json_count(json, "ifdrop", account->ifdrop);
	json_count(json, "filteraccept", account->filteraccept);
	json_count(json, "osdrop", account->osdrop);
	json_count(json, "usrdeliv", account->usrdeliv);
	json_count(json, "cut_bytes", account->cut_bytes);
	json_group_end(json);
}

static void report(const struct expected *expected, const struct finding *finding, bool good)
{
	const char *source;
	uint64_t dropped = dropped_count(expected, finding, &source);
	struct json json;

	json_open(&json, stdout);
	json_text(&json, "program", program.name);
	if (expected->sent_known)
		json_count(&json, "sent", expected->sent);
	json_count(&json, "dropped", dropped);
	json_text(&json, "dropped_from", source);
	tally_report(finding->counts, &json);
	if (finding->account.is_pcapng)
		report_account(&json, &finding->account);
	if (finding->read_error)
		json_text(&json, "read_error", finding->read_error);
	json_bool(&json, "good", good);
	json_close(&json);
}

struct verdict {
	FILE *text;
	unsigned int failures;
};

__attribute__((format(printf, 3, 4))) static void require(struct verdict *verdict, bool holds,
							  const char *format, ...)
{
	va_list args;

	if (holds)
		return;
	fputs(verdict->failures++ ? "; " : "", verdict->text);
	va_start(args, format);
	vfprintf(verdict->text, format, args);
	va_end(args);
}

static void judge_sum(struct verdict *verdict, const struct expected *expected,
		      const struct finding *finding)
{
	const struct tally_counts *counts = finding->counts;
	uint64_t delivered = counts->delivered + counts->unnumbered;
	const char *source;
	uint64_t dropped = dropped_count(expected, finding, &source);

	if (expected->sent_known)
		require(verdict, expected->sent == delivered + dropped,
			"sent %" PRIu64 " is not delivered %" PRIu64 " + dropped %" PRIu64,
			expected->sent, delivered, dropped);
	if (expected->range_known && counts->lowest <= counts->highest)
		require(verdict,
			counts->lowest >= expected->first && counts->highest < expected->end,
			"numbers %" PRIu64 " to %" PRIu64 " came, %" PRIu64 " to %" PRIu64
			" were generated",
			counts->lowest, counts->highest, expected->first, expected->end - 1);
}

static void judge_frames(struct verdict *verdict, const struct expected *expected,
			 const struct tally_counts *counts)
{
	require(verdict, !counts->corrupt, "%" PRIu64 " corrupt", counts->corrupt);
	require(verdict, !counts->duplicates, "%" PRIu64 " came twice", counts->duplicates);
	require(verdict, expected->order != ORDER_ALL || !counts->reordered,
		"%" PRIu64 " out of order", counts->reordered);
	require(verdict, expected->order == ORDER_NONE || !counts->flow_reordered,
		"%" PRIu64 " out of order in their flow", counts->flow_reordered);
	require(verdict, !expected->monotonic || !counts->time_backwards,
		"time goes back %" PRIu64 " times", counts->time_backwards);
	require(verdict, !counts->short_captures, "%" PRIu64 " captured lengths are wrong",
		counts->short_captures);
	require(verdict, !counts->strange_ports, "%" PRIu64 " for another port",
		counts->strange_ports);
}

static void judge_file(struct verdict *verdict, const struct expected *expected,
		       const struct finding *finding)
{
	const struct pcapng_account *account = &finding->account;

	require(verdict, !finding->read_error || expected->cut_is_fine, "the file is broken: %s",
		finding->read_error);
	require(verdict, !account->fault, "pcapng block at byte %" PRIu64 ": %s", account->fault_at,
		account->fault);
	require(verdict,
		!account->is_pcapng || account->fault ||
			account->packets == finding->counts->frames,
		"%" PRIu64 " packet blocks, but libpcap read %" PRIu64, account->packets,
		finding->counts->frames);
}

static bool judge(const struct expected *expected, const struct finding *finding, char **text)
{
	struct verdict verdict = {0};
	size_t size;

	verdict.text = open_memstream(text, &size);
	if (!verdict.text)
		return false;
	judge_sum(&verdict, expected, finding);
	judge_frames(&verdict, expected, finding->counts);
	judge_file(&verdict, expected, finding);
	fclose(verdict.text);
	return !verdict.failures;
}

static bool print_verdict(const struct expected *expected, const struct finding *finding,
			  const char *path)
{
	const struct tally_counts *counts = finding->counts;
	char *text = NULL;
	bool good = judge(expected, finding, &text);
	const char *source;

	report(expected, finding, good);
	if (good)
		printf("capcheck: %s: good: %s%" PRIu64 " delivered, %" PRIu64
		       " dropped, nothing torn or twice%s\n",
		       path, expected->sent_known ? "all sent frames are accounted for, " : "",
		       counts->delivered + counts->unnumbered,
		       dropped_count(expected, finding, &source),
		       expected->order == ORDER_NONE ? "" : ", in order");
	else
		printf("capcheck: %s: BAD: %s\n", path, text ? text : "out of memory");
	free(text);
	return good;
}

/* Reads the file to its end, or to where it is broken. Returns 0 or -ENOMEM. */
static int tally_file(pcap_t *file, struct tally *tally, struct finding *finding)
{
	struct frame_seen frame;
	int got, err = 0;

	while (!err && (got = capfile_next(file, &frame)) == 1)
		err = tally_frame(tally, &frame);
	if (!err && got < 0)
		finding->read_error = pcap_geterr(file);
	finding->counts = tally_counts(tally);
	return err;
}

static int check_capture(const struct expected *expected, const char *path)
{
	struct tally *tally = tally_create(&expected->rules);
	struct finding finding = {0};
	pcap_t *file = capfile_open(path);
	int err = tally ? 0 : -ENOMEM, status = 2;

	if (!file)
		goto cleanup;
	if (!err && strcmp(path, "-"))
		err = pcapng_account_read(path, &finding.account);
	if (!err)
		err = tally_file(file, tally, &finding);
	if (err)
		fprintf(stderr, "capcheck: %s: %s\n", path, strerror(-err));
	else
		status = !print_verdict(expected, &finding, path);
cleanup:
	if (file)
		pcap_close(file);
	tally_free(tally);
	return status;
}

static int print_interfaces(const char *path)
{
	struct pcapng_account account;
	int err = pcapng_account_read(path, &account);

	if (err || !account.is_pcapng || account.fault) {
		fprintf(stderr, "capcheck: %s: %s\n", path,
			err		    ? strerror(-err)
			: account.is_pcapng ? account.fault
					    : "not a pcapng file");
		return 2;
	}
	for (uint32_t i = 0; i < account.interface_count; i++) {
		const struct pcapng_interface_account *a = &account.interface[i];

		printf("interface %" PRIu32 " packets %" PRIu64 " epb_drops %" PRIu64
		       " ifrecv %" PRIu64 " ifdrop %" PRIu64 " filteraccept %" PRIu64
		       " osdrop %" PRIu64 " usrdeliv %" PRIu64 "\n",
		       i, a->packets, a->epb_drops, a->isb[ISB_IFRECV], a->isb[ISB_IFDROP],
		       a->isb[ISB_FILTERACCEPT], a->isb[ISB_OSDROP], a->isb[ISB_USRDELIV]);
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct expected expected;

	read_options(&expected, argc, argv);
	if (expected.compare)
		return compare_captures(&expected.comparison, argv[optind], argv[optind + 1]);
	if (expected.interfaces)
		return print_interfaces(argv[optind]);
	return check_capture(&expected, argv[optind]);
}
