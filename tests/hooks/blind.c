/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * blind DEVICE FRAMES: opens it, gives up root's privilege if it has that, sets a filter, and reads
 * until pcap_geterr() has something new; then sets another filter and reads so many frames. Says
 * what pcap_geterr() had, and what was counted.
 */
#include "testprogs/no_error.h"

#include <grp.h>
#include <pcap/pcap.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define NOBODY	 65534
#define WITHIN_S 15

static void count(u_char *n, const struct pcap_pkthdr *h, const u_char *frame)
{
	(void)h;
	(void)frame;
	++*(unsigned *)n;
}

static void set_filter(pcap_t *p, const char *text)
{
	struct bpf_program f;

	if (pcap_compile(p, &f, text, 1, PCAP_NETMASK_UNKNOWN) || pcap_setfilter(p, &f)) {
		printf("%s: %s\n", text, pcap_geterr(p));
		exit(1);
	}
	pcap_freecode(&f);
}

/* False: an error. */
static int read_until(pcap_t *p, unsigned *frames, unsigned wanted, const char *note)
{
	struct pollfd fd = {.fd = pcap_get_selectable_fd(p), .events = POLLIN};
	time_t limit = time(NULL) + WITHIN_S;

	while (time(NULL) < limit && *frames < wanted &&
	       (!note || strcmp(pcap_geterr(p), note) == 0)) {
		poll(&fd, 1, 100);
		if (pcap_dispatch(p, 1, count, (u_char *)frames) < 0)
			return 0;
	}
	return 1;
}

int main(int argc, char **argv)
{
	char err[PCAP_ERRBUF_SIZE] = "";
	pcap_t *p = argc == 3 ? pcap_create(argv[1], err) : NULL;
	unsigned before = 0, after = 0;
	struct pcap_stat s;

	if (!p || pcap_set_timeout(p, 100) || pcap_activate(p) < 0 || pcap_setnonblock(p, 1, err))
		return 2;
	no_error(pcap_setdirection(p, PCAP_D_IN));
	if (geteuid() == 0 && (setgroups(0, NULL) || setgid(NOBODY) || setuid(NOBODY)))
		return 2;
	set_filter(p, "udp");
	puts("ready");
	fflush(stdout);
	if (read_until(p, &before, ~0u, "")) {
		printf("geterr: %s\n", pcap_geterr(p));
		set_filter(p, "udp port 9");
		read_until(p, &after, (unsigned)atoi(argv[2]), NULL);
	}
	no_error(pcap_stats(p, &s));
	printf("before %u after %u drop %u ifdrop %u: %s\n", before, after, s.ps_drop, s.ps_ifdrop,
	       pcap_geterr(p));
	pcap_close(p);
	return 0;
}
