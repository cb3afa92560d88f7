/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * pcap_next() in immediate mode until it gives nothing: see ../../README.md for what such a driver
 * does and prints. It knows nothing of this tree, and is compiled with the distribution's headers.
 */
#include <err.h>
#include <pcap/pcap.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define WORK_US	   5000
#define WORK_EVERY 8

int main(int count, char **words)
{
	char error[PCAP_ERRBUF_SIZE];
	struct pcap_pkthdr header;
	unsigned frames, counted = 0;
	pcap_t *handle;

	if (count != 3)
		errx(1, "DEVICE FRAMES");
	frames = (unsigned)atoi(words[2]);
	handle = pcap_create(words[1], error);
	if (!handle)
		errx(1, "%s", error);
	pcap_set_snaplen(handle, 65535);
	pcap_set_immediate_mode(handle, 1);
	if (pcap_activate(handle) != 0)
		errx(1, "%s", pcap_geterr(handle));
	printf("ready\n");
	fflush(stdout);
	while (counted < frames && pcap_next(handle, &header))
		if (++counted % WORK_EVERY == 0)
			usleep(WORK_US);
	printf("counted %u\n", counted);
	pcap_close(handle);
	return 0;
}
