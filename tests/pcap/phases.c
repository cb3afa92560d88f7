/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * phases DEVICE USER: what an application does with a device, one thing after the other, each begun
 * by a system call that cannot work, whose text tells a tracer what comes. USER, if not "", is who
 * it becomes before it sets filters. On the device there has to be traffic.
 */
#include <grp.h>
#include <pcap/pcap.h>
#include <poll.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WANTED 20

static pcap_t *pcap;

static void begin(const char *phase)
{
	char text[64];
	int n = snprintf(text, sizeof(text), "phase %s", phase);

	if (write(-1, text, (size_t)n) >= 0)
		exit(3);
}

static void must(int status, const char *what)
{
	if (status >= 0)
		return;
	fprintf(stderr, "%s: %d: %s\n", what, status, pcap_geterr(pcap));
	exit(1);
}

static void count(u_char *n, const struct pcap_pkthdr *h, const u_char *bytes)
{
	(void)h;
	(void)bytes;
	++*(int *)n;
}

static void become(const char *user)
{
	const struct passwd *p = getpwnam(user);

	if (!p || setgroups(0, NULL) || setresgid(p->pw_gid, p->pw_gid, p->pw_gid) ||
	    setresuid(p->pw_uid, p->pw_uid, p->pw_uid)) {
		fprintf(stderr, "cannot become %s\n", user);
		exit(1);
	}
}

static void set_filter(const char *expression)
{
	struct bpf_program f;

	must(pcap_compile(pcap, &f, expression, 1, PCAP_NETMASK_UNKNOWN), "compile");
	begin("setfilter");
	must(pcap_setfilter(pcap, &f), "setfilter");
	begin("");
	pcap_freecode(&f);
}

static void read_blocking(void)
{
	int n = 0;

	begin("loop");
	must(pcap_loop(pcap, WANTED, count, (u_char *)&n), "loop");
	begin("");
	usleep(1200000); /* beyond the look once a second that it takes on the interface */
	begin("loop");
	must(pcap_loop(pcap, WANTED, count, (u_char *)&n), "loop");
	begin("");
}

/* The bell for itself is emptied by the reading after that. */
static void break_loop(void)
{
	int n = 0;

	begin("breakloop");
	pcap_breakloop(pcap);
	begin("loop");
	if (pcap_loop(pcap, -1, count, (u_char *)&n) != PCAP_ERROR_BREAK)
		exit(1);
	/* More than what is there already, so that it has to wait. */
	must(pcap_loop(pcap, 5 * WANTED, count, (u_char *)&n), "loop");
	begin("");
}

/* As an application that has other descriptors to look at. */
static void read_by_poll(void)
{
	char err[PCAP_ERRBUF_SIZE];
	struct pollfd p = {.events = POLLIN};
	int n = 0;

	begin("setnonblock");
	must(pcap_setnonblock(pcap, 1, err), "setnonblock");
	begin("");
	p.fd = pcap_get_selectable_fd(pcap);
	for (int i = 0; i < 10000 && n < WANTED; i++) {
		poll(&p, 1, 1000);
		begin("loop");
		must(pcap_dispatch(pcap, -1, count, (u_char *)&n), "dispatch");
		begin("");
	}
}

static void other_calls(void)
{
	static const unsigned char frame[60] = {0x02, 0x74, 0x67, 0, 0,	   2, 2,
						0,    0,    0,	  0, 0x0a, 8, 0};
	char err[PCAP_ERRBUF_SIZE];
	struct pcap_stat s;

	begin("setnonblock");
	must(pcap_setnonblock(pcap, 0, err), "setnonblock");
	begin("stats");
	must(pcap_stats(pcap, &s), "stats");
	begin("setdirection");
	must(pcap_setdirection(pcap, PCAP_D_IN), "setdirection");
	begin("inject");
	must(pcap_inject(pcap, frame, sizeof(frame)), "inject");
	begin("close");
	pcap_close(pcap);
	begin("");
}

int main(int argc, char **argv)
{
	char err[PCAP_ERRBUF_SIZE];

	if (argc != 3)
		return 2;
	pcap = pcap_create(argv[1], err);
	if (!pcap) {
		fprintf(stderr, "%s\n", err);
		return 1;
	}
	must(pcap_set_timeout(pcap, 100), "set_timeout");
	begin("activate");
	must(pcap_activate(pcap), "activate");
	begin("");
	if (*argv[2])
		become(argv[2]);
	set_filter("icmp");
	read_blocking();
	break_loop();
	read_by_poll();
	set_filter("icmp or arp");
	other_calls();
	return 0;
}
