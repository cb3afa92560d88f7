/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <pcap/pcap.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "swap.h"
#include "testprogs/no_error.h"

#define READ_MS 10

struct backend {
	pcap_t *pcap;
	frame_handler *handler;
};

static void fail(const char *what, const char *why)
{
	fprintf(stderr, "%s: %s\n", what, why);
	exit(1);
}

struct backend *backend_open(const char *device, uint32_t snaplen)
{
	struct backend *b = calloc(1, sizeof(*b));
	char text[PCAP_ERRBUF_SIZE];

	b->pcap = pcap_create(device, text);
	if (!b->pcap)
		fail(device, text);
	no_error(pcap_set_snaplen(b->pcap, (int)snaplen));
	no_error(pcap_set_timeout(b->pcap, READ_MS));
	no_error(pcap_set_tstamp_precision(b->pcap, PCAP_TSTAMP_PRECISION_NANO));
	if (pcap_activate(b->pcap) < 0)
		fail(device, pcap_geterr(b->pcap));
	if (pcap_setnonblock(b->pcap, 1, text))
		fail(device, text);
	return b;
}

void backend_close(struct backend *b)
{
	pcap_close(b->pcap);
	free(b);
}

void backend_set_filter(struct backend *b, struct sock_filter *f, unsigned n)
{
	struct bpf_program program = {.bf_len = n, .bf_insns = (struct bpf_insn *)f};

	if (pcap_setfilter(b->pcap, &program))
		fail("setfilter", pcap_geterr(b->pcap));
}

static void on_frame(u_char *user, const struct pcap_pkthdr *h, const u_char *data)
{
	struct backend *b = (struct backend *)user;

	b->handler(data, h->caplen, h->len,
		   (uint64_t)h->ts.tv_sec * 1000000000 + (uint64_t)h->ts.tv_usec);
}

void backend_read(struct backend *b, frame_handler *handler)
{
	struct pollfd fd = {.fd = pcap_get_selectable_fd(b->pcap), .events = POLLIN};

	b->handler = handler;
	poll(&fd, 1, READ_MS);
	if (pcap_dispatch(b->pcap, -1, on_frame, (u_char *)b) < 0)
		fail("dispatch", pcap_geterr(b->pcap));
}

uint64_t backend_lost(struct backend *b)
{
	struct pcap_stat s = {0};

	no_error(pcap_stats(b->pcap, &s));
	return s.ps_drop;
}
