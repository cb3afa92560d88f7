/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Sends a bounded number of numbered frames into a device and says how many it took.
 *
 * Between the generator and a receiving XDP program a frame can only be lost at the device's
 * ndo_xdp_xmit: the peer's ring is full, the peer is down or has no NAPI, the frame exceeds an MTU.
 * The kernel frees such frames without a word to BPF_PROG_RUN, so they are found by comparing what
 * the program redirected (generated) with what the driver counted (sent); the rest is refused. That
 * is exact while nobody else sends into the device. What was sent is in the peer's ring, and every
 * frame of it meets the peer's XDP program.
 */
#include <stdio.h>
#include <string.h>

#include "testprogs/json.h"
#include "trafgen_run.h"

#define NSEC_PER_SEC 1e9

/* How many frames did the device not take? Returns who says so. */
static const char *count_refused(const struct trafgen_options *options,
				 const struct trafgen_run *run, uint64_t *refused)
{
	uint64_t generated = run->progress.generated;
	uint64_t taken = run->after.xdp_taken - run->before.xdp_taken;

	*refused = 0;
	if (!run->after_known)
		return "unknown";
	if (options->ops == &live_sender && run->after.xdp_known && taken <= generated) {
		*refused = generated - taken;
		return "xdp_xmit";
	}
	*refused = (uint32_t)(run->after.tx_dropped - run->before.tx_dropped);
	if (*refused > generated)
		*refused = generated;
	/* Somebody else sends to the device too: the drops may be theirs. */
	return options->ops == &live_sender && run->after.xdp_known ? "shared" : "tx_dropped";
}

/* How many of the generated sequence numbers are multiples of match_every? */
static uint64_t count_matched(const struct traffic_plan *plan, uint64_t generated)
{
	uint64_t every = plan->spec.match_every, first = plan->first_seq;

	if (!every || !generated)
		return 0;
	return (first + generated - 1) / every + 1 - (first + every - 1) / every;
}

static void report_plan(struct json *json, const struct trafgen_options *options)
{
	char size[16] = "mix";

	if (options->plan.size != SIZE_MIX)
		snprintf(size, sizeof(size), "%u", options->plan.size);
	json_text(json, "program", trafgen_program.name);
	json_text(json, "interface", options->plan.iface);
	json_text(json, "via", options->ops == &live_sender ? "xdp" : "socket");
	json_text(json, "size", size);
	json_count(json, "flows", options->plan.spec.flows);
	json_count(json, "first_seq", options->plan.first_seq);
	json_count(json, "match_every", options->plan.spec.match_every);
	json_count(json, "match_port", options->plan.spec.match_port);
}

static void report_counts(struct json *json, const struct trafgen_options *options,
			  const struct trafgen_run *run)
{
	uint64_t generated = run->progress.generated, refused;
	const char *source = count_refused(options, run, &refused);
	double active = run->progress.active_ns ? run->progress.active_ns : run->wall_ns;
	double pps = active > 0 ? (generated - refused) * NSEC_PER_SEC / active : 0;

	json_count(json, "generated", generated);
	json_count(json, "sent", generated - refused);
	json_count(json, "refused", refused);
	json_text(json, "refused_by", source);
	json_count(json, "matched", count_matched(&options->plan, generated));
	json_count(json, "bytes", run->progress.bytes);
	json_real(json, "seconds", run->wall_ns / NSEC_PER_SEC, 6);
	json_real(json, "active_seconds", active / NSEC_PER_SEC, 6);
	json_real(json, "pps", pps, 0);
	json_real(json, "cpu_seconds", run->cpu_ns / NSEC_PER_SEC, 6);
	json_real(json, "ns_per_packet", generated ? (double)run->cpu_ns / generated : 0, 1);
	if (run->progress.fastest_ns > 0)
		json_real(json, "fastest_ns_per_packet", run->progress.fastest_ns, 1);
	json_real(json, "waited_seconds", run->progress.waited_ns / NSEC_PER_SEC, 6);
	json_real(json, "late_seconds", (run->progress.late_ns + run->late_ns) / NSEC_PER_SEC, 6);
	json_bool(json, "interrupted", run->interrupted);
}

int main(int argc, char **argv)
{
	struct trafgen_options options;
	struct trafgen_run run;
	struct json json;
	int err;

	trafgen_options_read(&options, argc, argv);
	err = trafgen_run(&options, &run);
	if (err)
		fprintf(stderr, "trafgen: sending into %s: %s\n", options.plan.iface,
			strerror(-err));
	json_open(&json, stdout);
	report_plan(&json, &options);
	report_counts(&json, &options, &run);
	json_close(&json);
	return err ? 1 : 0;
}
