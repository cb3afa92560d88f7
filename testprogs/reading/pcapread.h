/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * pcapread's parts: options and report (pcapread.c), opening (_open), reading (_loop), ways to end
 * (_end), and what the process holds (_held).
 */
#pragma once

#include <pcap/pcap.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "testprogs/tally.h"

#define CALLS_MAX 24

enum read_mode { MODE_DISPATCH, MODE_LOOP, MODE_NEXT_EX, MODE_SELECT };
enum end_reason { END_NONE, END_COUNT, END_TIME, END_IDLE, END_BREAK, END_SIGNAL, END_ERROR };

struct read_options {
	const char *device, *filter, *other_filter, *ready_file, *direction, *tstamp_type;
	enum read_mode mode;
	uint64_t count; /* 0: no limit */
	double seconds;
	int snaplen, timeout_ms, buffer; /* -1: not set */
	bool immediate, nonblock, nano, no_promisc, fork;
	uint32_t idle_ms, break_after_ms, break_signal_ms, stall_ms, slow_us; /* 0: not asked for */
	uint32_t opens, retries;
	uint64_t setfilter_every; /* frames */
	struct tally_rules rules;
};

struct call {
	const char *name;
	int status;
};

/* What the process holds between two openings. */
struct held {
	uint64_t bytes, mappings, descriptors;
};

struct reader {
	const struct read_options *options;
	pcap_t *handle;
	struct tally *tally;
	struct call calls[CALLS_MAX];
	int call_count;
	char error[PCAP_ERRBUF_SIZE]; /* text of the first call that failed or warned */
	struct bpf_program filters[2];
	int filter_count, filter; /* filter: index of the one in force */
	uint64_t filter_changes;
	uint64_t filter_mismatches; /* frames that libpcap's own interpreter would not pass */
	uint64_t wakeups, empty_wakeups;
	int time_unit_ns;
	bool out_of_memory;
	_Atomic uint64_t received;
	_Atomic int end;	   /* enum end_reason: set by whoever ends the reading */
	_Atomic uint64_t break_ns; /* when pcap_breakloop() was called */
	uint64_t ended_ns;
	struct held held_before, held_after; /* before and after all openings but some first ones */
	pthread_t watcher;
};

uint64_t reader_clock_ns(void);

void held_measure(struct held *held);
/* Reports them if there was more than one opening. */
void held_report(struct json *json, const struct reader *reader);

/* Notes a call's status, and its error text if it is not 0. */
int reader_note(struct reader *reader, const char *name, int status);

/* Opens the device and sets all up to the filter. Returns 0, or the status of the call that
 * failed. */
int reader_open(struct reader *reader);
void reader_close(struct reader *reader);

/* Watches time, idleness and signals, which end the reading by pcap_breakloop(). Returns 0 or
 * -errno. */
int reader_watch(struct reader *reader);
void reader_unwatch(struct reader *reader);

/* Reads until something ends it, and notes the last status of the reading call. */
void reader_read(struct reader *reader);
