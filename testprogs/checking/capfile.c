/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include "capfile.h"

#include <stdio.h>

#define NSEC_PER_SEC 1000000000ULL

pcap_t *capfile_open(const char *path)
{
	char error[PCAP_ERRBUF_SIZE];
	pcap_t *file;

	file = pcap_open_offline_with_tstamp_precision(path, PCAP_TSTAMP_PRECISION_NANO, error);
	if (!file) {
		fprintf(stderr, "capcheck: %s: %s\n", path, error);
		return NULL;
	}
	if (pcap_datalink(file) != DLT_EN10MB) {
		fprintf(stderr, "capcheck: %s: link type %d is not Ethernet\n", path,
			pcap_datalink(file));
		pcap_close(file);
		return NULL;
	}
	return file;
}

int capfile_next(pcap_t *file, struct frame_seen *frame)
{
	struct pcap_pkthdr *header;
	int got = pcap_next_ex(file, &header, &frame->data);

	if (got != 1)
		return got == PCAP_ERROR_BREAK ? 0 : -1;
	frame->caplen = header->caplen;
	frame->len = header->len;
	/* With nanosecond precision, tv_usec counts nanoseconds. */
	frame->ns = header->ts.tv_sec * NSEC_PER_SEC + header->ts.tv_usec;
	return 1;
}
