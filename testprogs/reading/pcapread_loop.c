/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The ways of reading that the pcap API offers. */
#include "pcapread.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

#define NSEC_PER_SEC  1000000000ULL
#define NONBLOCK_US   1000 /* sleep after a non-blocking read that got nothing */
#define SELECT_MAX_MS 200  /* a select without a time limit would outlive -t */

static void take_frame(struct reader *reader, const struct pcap_pkthdr *header, const u_char *data)
{
	struct frame_seen frame = {
		.data = data,
		.caplen = header->caplen,
		.len = header->len,
		.ns = header->ts.tv_sec * NSEC_PER_SEC +
		      (uint64_t)header->ts.tv_usec * reader->time_unit_ns,
	};

	if (tally_frame(reader->tally, &frame))
		reader->out_of_memory = true;
	if (reader->filter_count &&
	    !pcap_offline_filter(&reader->filters[reader->filter], header, data))
		reader->filter_mismatches++;
	atomic_fetch_add_explicit(&reader->received, 1, memory_order_relaxed);
	if (reader->options->slow_us)
		usleep(reader->options->slow_us);
}

static void on_frame(u_char *user, const struct pcap_pkthdr *header, const u_char *data)
{
	take_frame((struct reader *)user, header, data);
}

/* How many frames may the next call deliver: up to the end, or up to the next change of filter? -1:
 * any number. */
static int frames_wanted(const struct reader *reader)
{
	const struct read_options *options = reader->options;
	uint64_t wanted = 0, left;

	if (options->setfilter_every)
		wanted = options->setfilter_every - reader->received % options->setfilter_every;
	left = options->count ? options->count - reader->received : 0;
	if (left && (!wanted || left < wanted))
		wanted = left;
	return wanted && wanted <= INT_MAX ? (int)wanted : -1;
}

static int change_filter(struct reader *reader)
{
	reader->filter_changes++;
	reader->filter = (reader->filter + 1) % reader->filter_count;
	return reader_note(reader, "setfilter",
			   pcap_setfilter(reader->handle, &reader->filters[reader->filter]));
}

/* Returns the number of frames delivered, or a negative status. */
static int read_once(struct reader *reader)
{
	struct pcap_pkthdr *header;
	const u_char *data;
	int got;

	switch (reader->options->mode) {
	case MODE_LOOP:
		return pcap_loop(reader->handle, frames_wanted(reader), on_frame, (u_char *)reader);
	case MODE_NEXT_EX:
		got = pcap_next_ex(reader->handle, &header, &data);
		if (got == 1)
			take_frame(reader, header, data);
		return got;
	default:
		return pcap_dispatch(reader->handle, frames_wanted(reader), on_frame,
				     (u_char *)reader);
	}
}

static int wait_readable(struct reader *reader)
{
	const struct timeval *required = pcap_get_required_select_timeout(reader->handle);
	struct timeval wait = {.tv_usec = SELECT_MAX_MS * 1000};
	int fd = pcap_get_selectable_fd(reader->handle);
	fd_set set;

	if (fd < 0 || fd >= FD_SETSIZE)
		return -1;
	if (required && timercmp(required, &wait, <))
		wait = *required;
	FD_ZERO(&set);
	FD_SET(fd, &set);
	if (select(fd + 1, &set, NULL, NULL, &wait) < 0 && errno != EINTR)
		return -1;
	reader->wakeups++;
	return 0;
}

static bool is_done(const struct reader *reader)
{
	return reader->options->count && reader->received >= reader->options->count;
}

static enum end_reason read_step(struct reader *reader, int *status)
{
	const struct read_options *options = reader->options;
	uint64_t before = reader->received, every = options->setfilter_every;
	int got;

	if (options->mode == MODE_SELECT && wait_readable(reader))
		return END_ERROR;
	got = *status = read_once(reader);
	if (reader->out_of_memory || (got < 0 && got != PCAP_ERROR_BREAK))
		return END_ERROR;
	if (is_done(reader))
		return END_COUNT;
	if (got == PCAP_ERROR_BREAK)
		return END_BREAK;
	if (reader->received == before) {
		reader->empty_wakeups++;
		if (options->nonblock && options->mode != MODE_SELECT)
			usleep(NONBLOCK_US);
	} else if (every && reader->filter_count && reader->received % every == 0) {
		return change_filter(reader) ? END_ERROR : END_NONE;
	}
	return END_NONE;
}

void reader_read(struct reader *reader)
{
	static const char *const calls[] = {"dispatch", "loop", "next_ex", "dispatch"};
	enum end_reason reason = END_NONE;
	int none = END_NONE, status = 0;

	if (reader->options->stall_ms)
		usleep(reader->options->stall_ms * 1000);
	/* A non-blocking read without frames need not notice pcap_breakloop. */
	while (reason == END_NONE && reader->end == END_NONE)
		reason = read_step(reader, &status);
	reader->ended_ns = reader_clock_ns();
	/* A positive status is a number of frames. */
	reader_note(reader, calls[reader->options->mode], status < 0 ? status : 0);
	/* If pcap_breakloop() ended it, its caller has noted why. */
	atomic_compare_exchange_strong(&reader->end, &none, reason);
	if (reason == END_ERROR)
		reader->end = END_ERROR;
}
