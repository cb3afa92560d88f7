// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
// libpcap itself, as strictly as others use it: see ../README.md for what a driver does and prints.
// It knows nothing of this tree, and is compiled with the distribution's headers.

#include <err.h>
#include <pcap/pcap.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pcap_t *handle;

static void stop(int signal_number)
{
	(void)signal_number;
	pcap_breakloop(handle);
}

static void count(u_char *counted, const struct pcap_pkthdr *header, const u_char *data)
{
	(void)header;
	(void)data;
	++*(unsigned *)counted;
}

// 0 and nothing else is success, as for most programs.
static void activate(const char *device)
{
	char error[PCAP_ERRBUF_SIZE];

	handle = pcap_create(device, error);
	if (!handle)
		errx(1, "%s", error);
	pcap_set_snaplen(handle, 65535);
	pcap_set_promisc(handle, 1);
	pcap_set_timeout(handle, 100);
	if (pcap_activate(handle) != 0)
		errx(1, "%s", pcap_geterr(handle));
}

static void filter(const char *wanted)
{
	struct bpf_program program;

	if (pcap_compile(handle, &program, wanted, 1, PCAP_NETMASK_UNKNOWN) ||
	    pcap_setfilter(handle, &program))
		errx(1, "%s", pcap_geterr(handle));
	pcap_freecode(&program);
}

static void inject(const char *hex)
{
	unsigned char frame[256];
	size_t length = strlen(hex) / 2;

	for (size_t at = 0; at < length && at < sizeof(frame); at++)
		if (sscanf(hex + 2 * at, "%2hhx", &frame[at]) != 1)
			errx(1, "%s: not hexadecimal", hex);
	for (int sent = 0; sent < 3; sent++)
		if (pcap_sendpacket(handle, frame, (int)length))
			errx(1, "%s", pcap_geterr(handle));
}

int main(int count_of_words, char **words)
{
	unsigned counted = 0;

	if (count_of_words != 4)
		errx(1, "DEVICE FILTER FRAME");
	activate(words[1]);
	filter(words[2]);
	signal(SIGINT, stop);
	inject(words[3]);
	printf("injected 3\nready\n");
	fflush(stdout);
	if (pcap_loop(handle, -1, count, (u_char *)&counted) != PCAP_ERROR_BREAK)
		errx(1, "%s", pcap_geterr(handle));
	printf("counted %u\n", counted);
	pcap_close(handle);
	return 0;
}
