/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * A program that runs for long, and opens and closes captures as others come and go. Lines on
 * standard input are commands, and each is answered by a line:
 *
 *	open NETNS DEVICE	opened | refused: WHY
 *	close			closed DELIVERED DROPPED DESCRIPTORS MAPPED; WHY IT ENDED BEFORE
 *
 * What is delivered are UDP packets. DESCRIPTORS and MAPPED (KiB of rings and sockets) are the
 * process's own, after the close and back in its own namespace.
 */
#include "testprogs/no_error.h"

#include <dirent.h>
#include <fcntl.h>
#include <pcap/pcap.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pcap_t *p;
static int home = -1;
static unsigned long delivered;
static char ended[PCAP_ERRBUF_SIZE];

static unsigned count_descriptors(void)
{
	DIR *d = opendir("/proc/self/fd");
	unsigned n = 0;

	while (d && readdir(d))
		n++;
	if (d)
		closedir(d);
	return n;
}

static unsigned long count_mapped(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	unsigned long from, to, sum = 0;
	char line[512];

	while (maps && fgets(line, sizeof(line), maps))
		if ((strstr(line, " anon_inode:") || strstr(line, " socket:")) &&
		    sscanf(line, "%lx-%lx", &from, &to) == 2)
			sum += to - from;
	if (maps)
		fclose(maps);
	return sum >> 10;
}

static void enter(int fd)
{
	if (fd < 0 || setns(fd, CLONE_NEWNET))
		perror("resident: setns");
}

static int activate(char *err)
{
	struct bpf_program udp;
	int e;

	no_error(pcap_set_timeout(p, 50));
	no_error(pcap_set_snaplen(p, 64));
	e = pcap_activate(p);
	if (e >= 0)
		e = pcap_compile(p, &udp, "udp", 1, PCAP_NETMASK_UNKNOWN);
	if (e >= 0) {
		e = pcap_setfilter(p, &udp);
		pcap_freecode(&udp);
	}
	if (e >= 0)
		e = pcap_setdirection(p, PCAP_D_IN);
	if (e >= 0)
		return pcap_setnonblock(p, 1, err);
	snprintf(err, PCAP_ERRBUF_SIZE, "%s", pcap_geterr(p));
	return e;
}

static void finish(void)
{
	if (p)
		pcap_close(p);
	p = NULL;
	enter(home);
}

static void open_capture(const char *netns, const char *device)
{
	char err[PCAP_ERRBUF_SIZE] = "";
	int fd = open(netns, O_RDONLY | O_CLOEXEC);

	enter(fd);
	close(fd);
	delivered = 0;
	ended[0] = 0;
	p = pcap_create(device, err);
	if (p && activate(err) >= 0) {
		puts("opened");
		return;
	}
	finish();
	printf("refused: %s\n", err);
}

static void close_capture(void)
{
	struct pcap_stat s = {0};

	if (p)
		no_error(pcap_stats(p, &s));
	finish();
	printf("closed %lu %u %u %lu; %s\n", delivered, s.ps_drop, count_descriptors(),
	       count_mapped(), ended);
}

static void on_packet(u_char *user, const struct pcap_pkthdr *h, const u_char *bytes)
{
	(void)user;
	(void)h;
	(void)bytes;
	delivered++;
}

static void read_packets(void)
{
	if (!p || ended[0] || pcap_dispatch(p, -1, on_packet, NULL) >= 0)
		return;
	snprintf(ended, sizeof(ended), "%s", pcap_geterr(p));
}

static void obey(char *line)
{
	char netns[256], device[256];

	line[strcspn(line, "\n")] = 0;
	if (!p && sscanf(line, "open %255s %255s", netns, device) == 2) {
		open_capture(netns, device);
	} else {
		for (int i = 0; i < 4; i++) /* what is left in the rings */
			read_packets();
		close_capture();
	}
	fflush(stdout);
}

int main(void)
{
	char line[1024];

	home = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	setvbuf(stdin, NULL, _IONBF, 0);
	for (;;) {
		struct pollfd fds[] = {
			{.fd = STDIN_FILENO, .events = POLLIN},
			{.fd = p && !ended[0] ? pcap_get_selectable_fd(p) : -1, .events = POLLIN},
		};

		poll(fds, 2, 200);
		if (fds[0].revents && !fgets(line, sizeof(line), stdin))
			return 0;
		if (fds[0].revents)
			obey(line);
		else
			read_packets();
	}
}
