/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "capture.h"
#include "clock.h"
#include "expression.h"
#include "options.h"
#include "output.h"
#include "report.h"
#include "session.h"
#include "signals.h"

/* What was captured before the user asked to end is still written, for so long. */
#define DRAIN_NS (10 * (uint64_t)NS_PER_SEC)
/* Records made before the direction was set are told from later ones by a clock this exact. */
#define MIXED_NS NS_PER_SEC
/* Longer than the engine holds records back to put them in order. */
#define SETTLE_NS (2 * NS_PER_MS)

struct session {
	const struct options *options;
	struct capture_options engine;
	struct interface interface;
	struct expression filter;
	struct capture *capture;
	struct output *output;
	struct progress progress;
	uint64_t left;	      /* packets still wanted */
	uint64_t start_time;  /* CLOCK_REALTIME ns */
	uint64_t stop_time;   /* later records are not wanted; UINT64_MAX: all are */
	uint64_t give_up;     /* CLOCK_MONOTONIC ns, once stop_time is set */
	uint64_t mixed_until; /* CLOCK_REALTIME ns; earlier records may be of any direction */
	uint64_t unwanted;    /* records of a direction that was not asked for */
	char place[96];	      /* where we capture, in words */
	bool settled, done;
};

static int parse_device(struct session *s)
{
	const struct options *o = s->options;
	char device[512], err[CAPTURE_ERROR_SIZE] = "out of memory";

	if ((size_t)snprintf(device, sizeof(device), "%s%s", o->interface, o->engine) >=
	    sizeof(device)) {
		complain("%.32s...: no such interface", o->interface);
		return -ENODEV;
	}
	s->engine = (struct capture_options){.snaplen = o->snaplen,
					     .promiscuous = o->promiscuous,
					     .filter_follows = s->filter.n != 0};
	if (capture_parse_device(device, &s->engine, err, sizeof(err))) {
		complain("%s", err);
		return -EINVAL;
	}
	s->engine.loader_off = true; /* the filter is set while the privilege is there */
	return 0;
}

static int compile_filter(struct session *s, enum expression_link link)
{
	char err[1024];

	expression_free(&s->filter);
	if (expression_compile(&s->filter, s->options->expression, link, s->options->snaplen, err,
			       sizeof(err)) == 0)
		return 0;
	complain("%s", err);
	return -EINVAL;
}

/* Compiled once more where frames have no Ethernet header, which only the open capture tells. */
static int set_filter(struct session *s)
{
	char err[CAPTURE_ERROR_SIZE] = "";
	int e = 0;

	if (!s->filter.n)
		return 0;
	if (!capture_has_link_header(s->capture))
		e = compile_filter(s, LINK_RAW_IP);
	if (e)
		return e;
	e = capture_set_filter(s->capture, s->filter.insns, s->filter.n, err, sizeof(err));
	if (e)
		complain("%s", err);
	return e;
}

static void set_direction(struct session *s)
{
	enum direction d = s->options->direction;

	if (d == DIRECTION_BOTH)
		return;
	capture_set_directions(s->capture, d == DIRECTION_IN, d == DIRECTION_OUT);
	s->mixed_until = clock_wall() + MIXED_NS;
}

/*
 * In words, where frames are captured. A program in the XDP hook that was not there before is ours;
 * without one we are at tc, unless it was to be a packet socket.
 */
static void find_place(struct session *s, uint32_t before)
{
	static const char *const egress[] = {
		[DIRECTION_IN] = "", [DIRECTION_OUT] = "egress", [DIRECTION_BOTH] = ", egress"};
	const char *behind = s->engine.hook == CAPTURE_HOOK_PACKET ? "packet socket" : "tc hook";
	enum direction d = s->options->direction;
	char name[32], in[80] = "";
	uint32_t id = interface_program(s->engine.ifname, name, sizeof(name));
	bool at_xdp = id && id != before;

	if (d != DIRECTION_OUT && at_xdp)
		snprintf(in, sizeof(in), "ingress XDP program ID %u func %s", id, name);
	else if (d != DIRECTION_OUT)
		snprintf(in, sizeof(in), "ingress %s", behind);
	snprintf(s->place, sizeof(s->place), "%s%s%s%s", in, egress[d],
		 d != DIRECTION_IN ? " " : "", d != DIRECTION_IN ? behind : "");
}

static int open_capture(struct session *s)
{
	char err[CAPTURE_ERROR_SIZE] = "", name[32];
	uint32_t before = interface_program(s->engine.ifname, name, sizeof(name));
	int e;

	s->start_time = clock_wall();
	e = capture_open(&s->capture, &s->engine, err, sizeof(err));
	if (e) {
		complain("%s", err);
		return e;
	}
	signals_wake(s->capture);
	set_direction(s);
	find_place(s, before);
	return set_filter(s);
}

/* After the capture: a target that exists is not emptied for a capture that cannot begin. */
static int open_output(struct session *s)
{
	const struct options *o = s->options;
	struct output_context c = {.interface = &s->interface,
				   .place = s->place,
				   .raw_ip = !capture_has_link_header(s->capture),
				   .filter = o->expression,
				   .snaplen = o->snaplen,
				   .hex = o->hex};
	bool to_file = o->write && strcmp(o->write, "-") != 0;
	int e = interface_get(&s->interface, s->engine.ifname);

	if (e) {
		complain("%s: %s", s->engine.ifname, strerror(-e));
		return e;
	}
	e = o->write ? output_file_open(&s->output, o->write, &c)
		     : output_text_open(&s->output, &c);
	if (e)
		complain("%s: %s", to_file ? o->write : "standard output", strerror(-e));
	return e;
}

static void announce(const struct session *s)
{
	if (capture_warning(s->capture))
		complain("warning: %s", capture_warning(s->capture));
	if (s->options->verbose && s->filter.n)
		complain("filter: %s", capture_filter_text(s->capture));
	fprintf(stderr, "listening on %s, %s%s, capture size %u bytes\n", s->engine.ifname,
		s->place, s->options->direction == DIRECTION_OUT ? "" : ", capture mode entry",
		s->options->snaplen);
}

/* Records as they are, until the run ends or no more are wanted. *next: where it stopped. */
static int take_whole(struct session *s, const struct capture_run *run,
		      const struct epb_header **next)
{
	const struct epb_header *r = run->first;
	uint64_t n = 0;

	while (n < s->left && capture_run_has(run, r)) {
		r = epb_next(r);
		n++;
	}
	s->left -= n;
	*next = r;
	return n ? s->output->ops->records(s->output, run->first, r, n) : 0;
}

/* Put out n records from *first to before r, and begin anew behind r. */
static int put_batch(struct session *s, const struct epb_header **first, const struct epb_header *r,
		     uint64_t *n)
{
	int e = *n ? s->output->ops->records(s->output, *first, r, *n) : 0;

	*n = 0;
	return e;
}

/* Bytes of the record that are wanted; 0: it is not. */
static uint32_t choose(struct session *s, const struct capture_run *run, const struct epb_header *r)
{
	bool out = epb_options(r)->flags & EPB_FLAG_OUTBOUND;
	enum direction d = s->options->direction;

	if (d != DIRECTION_BOTH && out != (d == DIRECTION_OUT)) {
		s->unwanted++;
		return 0;
	}
	return run->refine ? capture_refine(s->capture, r) : r->caplen;
}

/* The same where not every record is wanted whole; those that are go out in batches. */
static int take_chosen(struct session *s, const struct capture_run *run,
		       const struct epb_header **next)
{
	const struct epb_header *r = run->first, *batch = r;
	uint64_t n = 0;
	int e = 0;

	while (!e && s->left && capture_run_has(run, r)) {
		uint32_t keep = choose(s, run, r);

		if (keep == r->caplen) {
			n++;
			s->left--;
			r = epb_next(r);
			continue;
		}
		e = put_batch(s, &batch, r, &n);
		if (!e && keep) {
			e = s->output->ops->cut(s->output, r, keep);
			s->left--;
		}
		r = batch = epb_next(r);
	}
	*next = r;
	return e ? e : put_batch(s, &batch, r, &n);
}

static void note_signals(struct session *s)
{
	uint64_t now;

	if (!signals_stop)
		return;
	now = clock_monotonic();
	if (s->stop_time == UINT64_MAX) {
		s->stop_time = clock_wall();
		s->give_up = now + DRAIN_NS;
	}
	if (signals_stop > 1 || now > s->give_up)
		s->done = true;
}

static void show_progress(struct session *s)
{
	struct capture_stats stats;

	if (progress_is_due(&s->progress) && capture_stats(s->capture, &stats) == 0)
		progress_show(&s->progress, s->output->packets, s->output->bytes, &stats);
}

static int take(struct session *s, struct capture_run *run)
{
	const struct epb_header *next;
	int e;

	if (run->until > s->stop_time)
		run->until = s->stop_time;
	e = run->refine || epb_time(run->first) < s->mixed_until ? take_chosen(s, run, &next)
								 : take_whole(s, run, &next);
	s->done |= !s->left || epb_time(run->first) > s->stop_time;
	capture_run_done(s->capture, run, next);
	return e;
}

/* Everything that is there. */
static int read_records(struct session *s)
{
	struct capture_run run;
	int e = 0;

	for (note_signals(s); !e && !s->done && capture_run(s->capture, &run); note_signals(s)) {
		e = take(s, &run);
		show_progress(s);
	}
	return e;
}

static int explain_wait(const struct session *s, int e)
{
	switch (e) {
	case 0:
	case -ETIME:
	case -EINTR:
		return 0;
	case -ENODEV:
		complain("%s has disappeared", s->engine.ifname);
		return e;
	case -ENOLINK:
		complain("another program has detached the capture from %s", s->engine.ifname);
		return e;
	default:
		complain("waiting for packets: %s", strerror(-e));
		return e;
	}
}

/* Nothing is there: sleep, or if the end was asked for, come to it. */
static int pause_reading(struct session *s)
{
	const struct timespec settle = {.tv_nsec = SETTLE_NS};

	if (s->stop_time == UINT64_MAX)
		return explain_wait(s, capture_wait(s->capture, progress_due_in(&s->progress)));
	s->done = s->settled;
	s->settled = true;
	if (!s->done)
		nanosleep(&settle, NULL);
	return 0;
}

static void explain_write(const struct session *s, int e)
{
	if (e == -EINTR)
		complain("%s: given up at the second signal", s->output->name);
	else
		complain("%s: %s", s->output->name, strerror(-e));
}

static int loop(struct session *s)
{
	int e = 0;

	while (!e && !s->done) {
		e = read_records(s);
		if (!e)
			e = s->output->ops->flush(s->output);
		if (e)
			explain_write(s, e);
		else if (!s->done)
			e = pause_reading(s);
		if (!e)
			show_progress(s);
	}
	return e;
}

static int finish(struct session *s)
{
	struct output_end end = {.start_time = s->start_time, .end_time = clock_wall()};
	int e;

	capture_stats(s->capture, &end.stats); /* before the close; it cannot fail */
	end.stats.offered -= s->unwanted;
	end.stats.matched -= s->unwanted;
	signals_wake(NULL);
	capture_close(s->capture);
	s->capture = NULL;
	e = s->output->ops->finish(s->output, &end);
	progress_end(&s->progress);
	if (e)
		explain_write(s, e);
	report_statistics(&end.stats, s->output->packets, s->options->verbose);
	return e;
}

static int open_all(struct session *s)
{
	int e = compile_filter(s, LINK_ETHERNET);

	if (!e)
		e = parse_device(s);
	signals_catch(); /* not earlier: names in a filter can take long to look up */
	if (!e)
		e = open_capture(s);
	return e ? e : open_output(s);
}

int session_run(const struct options *o)
{
	struct session s = {
		.options = o, .left = o->count ? o->count : UINT64_MAX, .stop_time = UINT64_MAX};
	int e, finished = 0;

	if (o->verbose > 1)
		setenv("PCAP_AFXDP_DEBUG", "1", 1);
	e = open_all(&s);
	if (!e) {
		announce(&s);
		if (o->write && strcmp(o->write, "-") != 0)
			progress_begin(&s.progress);
		e = loop(&s);
		finished = finish(&s);
	}
	signals_wake(NULL);
	capture_close(s.capture);
	if (s.output)
		s.output->ops->free(s.output);
	expression_free(&s.filter);
	return e || finished ? EXIT_FAILURE : EXIT_SUCCESS;
}
