/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <pcap/pcap.h>
#include <stdio.h>
#include <sys/select.h>

#include "reader.h"
#include "testprogs/no_error.h"

static pcap_t *handle;
static bool latency;
static int selected = -1; /* before each packet; -1: not */
static struct timeval select_limit;

static void on_frame(u_char *user, const struct pcap_pkthdr *header, const u_char *frame)
{
	reader_take((struct reader_tally *)user, frame, header->caplen);
}

static void on_timed_frame(u_char *user, const struct pcap_pkthdr *header, const u_char *frame)
{
	on_frame(user, header, frame);
	reader_take_time((struct reader_tally *)user,
			 (uint64_t)header->ts.tv_sec * 1000000000 + (uint64_t)header->ts.tv_usec);
}

static int fail(const char *what, const char *text)
{
	fprintf(stderr, "reader: %s: %s\n", what, text);
	return -1;
}

static int set_filter(const char *text)
{
	struct bpf_program program;
	int status = pcap_compile(handle, &program, text, 1, PCAP_NETMASK_UNKNOWN);

	if (!status) {
		status = pcap_setfilter(handle, &program);
		pcap_freecode(&program);
	}
	return status ? fail("filter", pcap_geterr(handle)) : 0;
}

static int dispatch_open(const struct reader_options *options)
{
	char error[PCAP_ERRBUF_SIZE];

	handle = pcap_create(options->device, error);
	if (!handle)
		return fail("pcap_create", error);
	latency = options->latency;
	no_error(pcap_set_promisc(handle, 1));
	no_error(pcap_set_timeout(handle, (int)options->timeout_ms));
	no_error(pcap_set_immediate_mode(handle, options->immediate));
	if (options->lowprec)
		no_error(pcap_set_tstamp_type(handle, PCAP_TSTAMP_HOST_LOWPREC));
	no_error(pcap_set_tstamp_precision(handle, PCAP_TSTAMP_PRECISION_NANO));
	if (options->snaplen)
		no_error(pcap_set_snaplen(handle, (int)options->snaplen));
	if (options->buffer)
		no_error(pcap_set_buffer_size(handle, (int)options->buffer));
	if (pcap_activate(handle) < 0)
		return fail("pcap_activate", pcap_geterr(handle));
	if (options->each)
		selected = pcap_get_selectable_fd(handle);
	select_limit = (struct timeval){.tv_sec = options->timeout_ms / 1000,
					.tv_usec = options->timeout_ms % 1000 * 1000};
	return options->filter ? set_filter(options->filter) : 0;
}

/* Is there something to read? */
static bool is_readable(void)
{
	struct timeval limit = select_limit;
	fd_set set;

	FD_ZERO(&set);
	FD_SET(selected, &set);
	return select(selected + 1, &set, NULL, NULL, &limit) > 0;
}

static long dispatch_read(struct reader_tally *tally)
{
	int got, most = selected < 0 ? -1 : 1;

	if (selected >= 0 && !is_readable())
		return 0;
	got = pcap_dispatch(handle, most, latency ? on_timed_frame : on_frame, (u_char *)tally);
	if (got == PCAP_ERROR_BREAK)
		return 0;
	return got < 0 ? fail("pcap_dispatch", pcap_geterr(handle)) : got;
}

static void dispatch_wake(void)
{
	pcap_breakloop(handle);
}

static void dispatch_stats(struct reader_stats *stats)
{
	struct pcap_stat s;

	if (pcap_stats(handle, &s))
		return;
	stats->received = s.ps_recv;
	stats->lost = s.ps_drop;
	stats->interface = s.ps_ifdrop;
}

static void dispatch_close(void)
{
	pcap_close(handle);
}

const struct reader_ops reader_pcap = {dispatch_open, dispatch_read, dispatch_wake, dispatch_stats,
				       dispatch_close};
