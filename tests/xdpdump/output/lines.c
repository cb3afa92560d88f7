/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* lines FILE: the frames of a pcap file as lines, which the test compares with those of tcpdump. */
#include <pcap/pcap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xdpdump/output/line.h"

/* In memory of just its size, so that a sanitizer sees what is read beyond it. */
static void print(const struct pcap_pkthdr *h, const u_char *frame, bool is_ethernet)
{
	uint8_t *copy = malloc(h->caplen ? h->caplen : 1);
	char text[LINE_MAX];

	if (!copy)
		abort();
	memcpy(copy, frame, h->caplen);
	line_of_frame(text, sizeof(text), is_ethernet, 0, copy, h->caplen, h->len);
	puts(text);
	free(copy);
}

int main(int argc, char **argv)
{
	char error[PCAP_ERRBUF_SIZE] = "lines FILE";
	pcap_t *p = argc == 2 ? pcap_open_offline(argv[1], error) : NULL;
	struct pcap_pkthdr *h;
	const u_char *frame;

	if (!p) {
		fprintf(stderr, "%s\n", error);
		return EXIT_FAILURE;
	}
	while (pcap_next_ex(p, &h, &frame) == 1)
		print(h, frame, pcap_datalink(p) == DLT_EN10MB);
	pcap_close(p);
	return fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
