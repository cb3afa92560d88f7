/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "capture/options/options.h"
#include "reader.h"

static struct afxdp_capture *capture;
static uint32_t timeout_ms;
static bool latency;

static int ring_open(const struct reader_options *options)
{
	struct afxdp_options o = {.promiscuous = true,
				  .loader_off = true,
				  .snaplen = options->snaplen,
				  .immediate = options->immediate};
	char text[AFXDP_ERROR_SIZE] = "";
	int err = afxdp_options_device(&o, options->device, text, sizeof(text));

	latency = options->latency;
	timeout_ms = options->timeout_ms;
	if (!err)
		err = afxdp_open(&capture, &o, text, sizeof(text));
	if (err)
		fprintf(stderr, "reader: %s: %s\n", options->device, text);
	return err ? -1 : 0;
}

static long read_ready(struct reader_tally *tally)
{
	uint64_t before = tally->frames;
	const struct epb_header *r;
	struct afxdp_run run;

	while (afxdp_run(afxdp_reader(capture), &run)) {
		for (r = run.first; afxdp_run_has(&run, r); r = epb_next(r)) {
			__builtin_prefetch(epb_next(r));
			reader_take(tally, epb_frame(r), r->caplen);
			if (latency)
				reader_take_time(tally, epb_time(r));
		}
		afxdp_run_done(afxdp_reader(capture), &run, r);
	}
	return (long)(tally->frames - before);
}

static long ring_read(struct reader_tally *tally)
{
	long got = read_ready(tally);
	int err = got ? 0 : afxdp_wait(afxdp_reader(capture), (int)timeout_ms);

	if (!err || err == -EINTR || err == -ETIME)
		return got ? got : read_ready(tally);
	fprintf(stderr, "reader: %s\n", strerror(-err));
	return -1;
}

static void ring_stats(struct reader_stats *stats)
{
	struct afxdp_stats s;

	if (afxdp_stats(capture, &s, sizeof(s)))
		return;
	stats->received = s.matched;
	stats->lost = afxdp_stats_lost(&s);
	stats->interface = s.nic_dropped;
}

static void ring_close(void)
{
	afxdp_close(capture);
}

const struct reader_ops reader_ring = {ring_open, ring_read, NULL, ring_stats, ring_close};
