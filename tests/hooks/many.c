/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * many DEVICE MOST: opens captures until that fails or there are so many; says how many, and the
 * status and words of the failure; waits for a line on standard input, and says what each has.
 */
#include "testprogs/no_error.h"

#include <pcap/pcap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MANY_MAX 200

static void count(u_char *n, const struct pcap_pkthdr *h, const u_char *frame)
{
	(void)h;
	(void)frame;
	++*(unsigned *)n;
}

/* NULL where it cannot be opened. */
static pcap_t *open_one(const char *device)
{
	char err[PCAP_ERRBUF_SIZE] = "";
	pcap_t *p = pcap_create(device, err);
	struct bpf_program icmp;
	int status;

	if (!p)
		return NULL;
	no_error(pcap_set_timeout(p, 10));
	status = pcap_activate(p);
	if (status < 0) {
		printf("%d %s\n", status, pcap_geterr(p));
		pcap_close(p);
		return NULL;
	}
	if (pcap_compile(p, &icmp, "icmp", 1, PCAP_NETMASK_UNKNOWN) || pcap_setfilter(p, &icmp) ||
	    pcap_setnonblock(p, 1, err))
		exit(1);
	pcap_freecode(&icmp);
	return p;
}

int main(int argc, char **argv)
{
	static pcap_t *all[MANY_MAX];
	int n = 0, most = argc == 3 ? atoi(argv[2]) : 0;

	if (most < 1 || most > MANY_MAX)
		return 2;
	while (n < most && (all[n] = open_one(argv[1])))
		n++;
	printf("%d opened\n", n);
	fflush(stdout);
	(void)getchar();
	for (int i = 0; i < n; i++) {
		unsigned frames = 0;

		while (pcap_dispatch(all[i], -1, count, (u_char *)&frames) > 0)
			;
		printf("%u frames\n", frames);
		pcap_close(all[i]);
	}
	return 0;
}
