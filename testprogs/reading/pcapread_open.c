/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include "pcapread.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

/* If a call is made again, its new status replaces the last. */
int reader_note(struct reader *reader, const char *name, int status)
{
	int i = 0;

	while (i < reader->call_count && strcmp(reader->calls[i].name, name))
		i++;
	if (i == CALLS_MAX)
		return status;
	if (i == reader->call_count)
		reader->call_count++;
	reader->calls[i] = (struct call){name, status};
	if (status && !reader->error[0] && reader->handle)
		snprintf(reader->error, sizeof(reader->error), "%s", pcap_geterr(reader->handle));
	return status;
}

static void set_options(struct reader *reader)
{
	const struct read_options *options = reader->options;
	pcap_t *handle = reader->handle;

	reader_note(reader, "set_promisc", pcap_set_promisc(handle, !options->no_promisc));
	if (options->snaplen >= 0)
		reader_note(reader, "set_snaplen", pcap_set_snaplen(handle, options->snaplen));
	if (options->timeout_ms >= 0)
		reader_note(reader, "set_timeout", pcap_set_timeout(handle, options->timeout_ms));
	if (options->buffer >= 0)
		reader_note(reader, "set_buffer_size",
			    pcap_set_buffer_size(handle, options->buffer));
	if (options->immediate)
		reader_note(reader, "set_immediate_mode", pcap_set_immediate_mode(handle, 1));
	if (options->nano)
		reader_note(reader, "set_tstamp_precision",
			    pcap_set_tstamp_precision(handle, PCAP_TSTAMP_PRECISION_NANO));
	if (options->tstamp_type)
		reader_note(reader, "set_tstamp_type",
			    pcap_set_tstamp_type(handle, pcap_tstamp_type_name_to_val(
								 options->tstamp_type)));
}

static int add_filter(struct reader *reader, const char *text)
{
	struct bpf_program *program = &reader->filters[reader->filter_count];
	int status;

	status = pcap_compile(reader->handle, program, text, 1, PCAP_NETMASK_UNKNOWN);
	if (!reader_note(reader, "compile", status))
		reader->filter_count++;
	return status;
}

static int set_filters(struct reader *reader)
{
	const struct read_options *options = reader->options;
	int status = 0;

	if (options->filter)
		status = add_filter(reader, options->filter);
	if (!status && options->other_filter)
		status = add_filter(reader, options->other_filter);
	if (status || !reader->filter_count)
		return status;
	return reader_note(reader, "setfilter",
			   pcap_setfilter(reader->handle, &reader->filters[0]));
}

static int set_direction(struct reader *reader)
{
	const char *direction = reader->options->direction;
	pcap_direction_t value = PCAP_D_INOUT;

	if (!direction)
		return 0;
	if (!strcmp(direction, "in"))
		value = PCAP_D_IN;
	else if (!strcmp(direction, "out"))
		value = PCAP_D_OUT;
	return reader_note(reader, "setdirection", pcap_setdirection(reader->handle, value));
}

static int set_nonblock(struct reader *reader)
{
	char error[PCAP_ERRBUF_SIZE] = "";
	int status;

	if (!reader->options->nonblock && reader->options->mode != MODE_SELECT)
		return 0;
	status = pcap_setnonblock(reader->handle, 1, error);
	if (status && !reader->error[0])
		memcpy(reader->error, error, sizeof(error));
	return reader_note(reader, "setnonblock", status);
}

static int activate(struct reader *reader)
{
	const struct timespec pause = {.tv_nsec = 50000000};
	int status = pcap_activate(reader->handle);

	for (uint32_t i = 0; status < 0 && i < reader->options->retries; i++) {
		fprintf(stderr, "pcapread: again: %s\n", pcap_geterr(reader->handle));
		nanosleep(&pause, NULL);
		status = pcap_activate(reader->handle);
	}
	return reader_note(reader, "activate", status);
}

int reader_open(struct reader *reader)
{
	int status;

	reader->handle = pcap_create(reader->options->device, reader->error);
	if (reader_note(reader, "create", reader->handle ? 0 : PCAP_ERROR))
		return PCAP_ERROR;
	set_options(reader);
	status = activate(reader);
	if (status < 0)
		return status;
	reader->time_unit_ns =
		pcap_get_tstamp_precision(reader->handle) == PCAP_TSTAMP_PRECISION_NANO ? 1 : 1000;
	status = set_direction(reader);
	if (!status)
		status = set_filters(reader);
	if (!status)
		status = set_nonblock(reader);
	return status;
}

void reader_close(struct reader *reader)
{
	while (reader->filter_count)
		pcap_freecode(&reader->filters[--reader->filter_count]);
	if (reader->handle)
		pcap_close(reader->handle);
	reader->handle = NULL;
}
