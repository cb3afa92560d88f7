/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * What handles read of frames that handles send.
 *
 *	own_frames [-Q in|out] [-f FILTER] [-c] send COUNT DEVICE...
 *		the first device sends so many, with -c half of them by a child process; all read
 *	own_frames [-Q in|out] [-f FILTER] read DEVICE...
 *		says "ready", and reads until SIGINT
 *	own_frames [-f FILTER] bridge DEVICE DEVICE
 *		the same, and sends what it reads by the other device, FORWARD_MAX frames at most
 *
 * At the end a line for each device: its name, frames read and sent, ps_recv and ps_drop. What is
 * sent to a device of raw IP is an ICMP echo request, to others a frame of a local protocol.
 */
#include "testprogs/no_error.h"

#include <arpa/inet.h>
#include <netinet/ip.h>
#include <netinet/ip_icmp.h>
#include <pcap/pcap.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define DEVICES_MAX 4
#define FORWARD_MAX 2000
#define TICK_NS	    2000000
#define QUIET_TICKS 150
#define TICKS_MAX   30000
#define SNAPLEN	    65535

struct handle {
	const char *device;
	pcap_t *pcap;
	struct handle *to; /* NULL: nowhere */
	unsigned read, sent;
};

static struct handle handles[DEVICES_MAX];
static int count;
static volatile sig_atomic_t interrupted;

static void on_interrupt(int signal)
{
	(void)signal;
	interrupted = 1;
}

static void fail(const struct handle *h, const char *what)
{
	fprintf(stderr, "own_frames: %s: %s: %s\n", h->device, what, pcap_geterr(h->pcap));
	exit(1);
}

static void set_filter(struct handle *h, const char *filter)
{
	struct bpf_program program;

	if (pcap_compile(h->pcap, &program, filter, 1, PCAP_NETMASK_UNKNOWN) ||
	    pcap_setfilter(h->pcap, &program))
		fail(h, filter);
	pcap_freecode(&program);
}

static void open_handle(struct handle *h, const char *device, const char *filter, int direction)
{
	char err[PCAP_ERRBUF_SIZE] = "";

	h->device = device;
	h->pcap = pcap_create(device, err);
	if (!h->pcap) {
		fprintf(stderr, "own_frames: %s: %s\n", device, err);
		exit(1);
	}
	no_error(pcap_set_snaplen(h->pcap, SNAPLEN));
	no_error(pcap_set_promisc(h->pcap, 1));
	no_error(pcap_set_immediate_mode(h->pcap, 1));
	no_error(pcap_set_timeout(h->pcap, 10));
	if (pcap_activate(h->pcap) < 0)
		fail(h, "activate");
	if (pcap_setnonblock(h->pcap, 1, err))
		fail(h, "nonblock");
	if (filter)
		set_filter(h, filter);
	if (direction >= 0 && pcap_setdirection(h->pcap, (pcap_direction_t)direction))
		fail(h, "direction");
}

static uint16_t checksum(const void *data, size_t length)
{
	const uint16_t *words = data;
	uint32_t sum = 0;

	for (size_t i = 0; i < length / 2; i++)
		sum += words[i];
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)~sum;
}

static size_t make_request(u_char *packet)
{
	struct iphdr *ip = (void *)packet;
	struct icmphdr *icmp = (void *)(ip + 1);

	*ip = (struct iphdr){.version = 4,
			     .ihl = 5,
			     .tot_len = htons(sizeof(*ip) + sizeof(*icmp)),
			     .ttl = 64,
			     .protocol = IPPROTO_ICMP,
			     .saddr = inet_addr("10.98.0.1"),
			     .daddr = inet_addr("10.98.0.2")};
	ip->check = checksum(ip, sizeof(*ip));
	*icmp = (struct icmphdr){.type = ICMP_ECHO};
	icmp->checksum = checksum(icmp, sizeof(*icmp));
	return sizeof(*ip) + sizeof(*icmp);
}

static void send_some(struct handle *h, unsigned n)
{
	u_char frame[60] = {2, 0, 0, 0, 0, 9, 2, 0, 0, 0, 0, 8, 0x88, 0xb5};
	size_t length = pcap_datalink(h->pcap) == DLT_RAW ? make_request(frame) : sizeof(frame);

	for (; n; n--, h->sent++)
		if (pcap_inject(h->pcap, frame, length) != (int)length)
			fail(h, "inject");
}

static void send_by_child(struct handle *h, unsigned n)
{
	int status = 1;
	pid_t child = fork();

	if (child == 0) {
		send_some(h, n);
		_exit(0);
	}
	h->sent += n;
	if (waitpid(child, &status, 0) != child || status)
		fail(h, "the child");
}

static void on_frame(u_char *user, const struct pcap_pkthdr *header, const u_char *frame)
{
	struct handle *h = (void *)user;

	h->read++;
	if (!h->to || h->to->sent == FORWARD_MAX)
		return;
	if (pcap_inject(h->to->pcap, frame, header->caplen) != (int)header->caplen)
		fail(h->to, "inject");
	h->to->sent++;
}

/* Of engine=divert the host has what comes before the first read. */
static int read_once(void)
{
	int n = 0;

	for (int k = 0; k < count; k++) {
		int got = pcap_dispatch(handles[k].pcap, -1, on_frame, (u_char *)&handles[k]);

		if (got < 0)
			fail(&handles[k], "read");
		n += got;
	}
	return n;
}

/* Until SIGINT where there is one to come, and then until nothing has come for a while. */
static void read_all(bool interruptible)
{
	struct timespec tick = {.tv_nsec = TICK_NS};
	int quiet = 0;

	for (int i = 0; i < TICKS_MAX && quiet < QUIET_TICKS; i++) {
		int n = read_once();

		quiet = n || (interruptible && !interrupted) ? 0 : quiet + 1;
		nanosleep(&tick, NULL);
	}
}

static void report(void)
{
	for (int i = 0; i < count; i++) {
		struct pcap_stat s;

		if (pcap_stats(handles[i].pcap, &s))
			fail(&handles[i], "statistics");
		printf("%s read %u sent %u recv %u drop %u\n", handles[i].device, handles[i].read,
		       handles[i].sent, s.ps_recv, s.ps_drop);
		pcap_close(handles[i].pcap);
	}
}

static int usage(void)
{
	fprintf(stderr,
		"usage: own_frames [-Q in|out] [-f FILTER] [-c] send COUNT DEVICE... | read DEVICE... | bridge DEVICE DEVICE\n");
	return 2;
}

int main(int argc, char **argv)
{
	struct sigaction interrupt = {.sa_handler = on_interrupt};
	const char *filter = NULL, *task;
	unsigned frames = 0, by_child = 0;
	bool has_child = false;
	int direction = -1, option;

	while ((option = getopt(argc, argv, "Q:f:c")) != -1) {
		if (option == 'Q')
			direction = strcmp(optarg, "in") == 0 ? PCAP_D_IN : PCAP_D_OUT;
		else if (option == 'f')
			filter = optarg;
		else if (option == 'c')
			has_child = true;
		else
			return usage();
	}
	task = optind < argc ? argv[optind++] : "";
	if (strcmp(task, "send") == 0 && optind < argc)
		frames = (unsigned)atoi(argv[optind++]);
	for (; optind < argc && count < DEVICES_MAX; optind++)
		open_handle(&handles[count++], argv[optind], filter, direction);
	if (!count || (strcmp(task, "bridge") == 0 && count != 2))
		return usage();
	if (strcmp(task, "bridge") == 0) {
		handles[0].to = &handles[1];
		handles[1].to = &handles[0];
	}
	sigaction(SIGINT, &interrupt, NULL);
	read_once();
	printf("ready\n");
	fflush(stdout);
	by_child = has_child ? frames / 2 : 0;
	if (by_child)
		send_by_child(&handles[0], by_child);
	send_some(&handles[0], frames - by_child);
	read_all(!frames);
	report();
	return 0;
}
