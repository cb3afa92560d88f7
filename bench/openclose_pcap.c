/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <pcap/pcap.h>
#include <stdio.h>

#include "openclose.h"
#include "testprogs/no_error.h"

static int fail(const char *what, const char *text)
{
	fprintf(stderr, "openclose: %s: %s\n", what, text);
	return -1;
}

static pcap_t *create(const char *device)
{
	char error[PCAP_ERRBUF_SIZE];
	pcap_t *p = pcap_create(device, error);

	if (!p) {
		fail("pcap_create", error);
		return NULL;
	}
	no_error(pcap_set_snaplen(p, 262144));
	no_error(pcap_set_promisc(p, 1));
	no_error(pcap_set_timeout(p, 100));
	return p;
}

/* To compile the expression is not the device's work. */
static int set_filter(pcap_t *p, const char *text, double *took)
{
	struct bpf_program program;
	double begun;
	int status = pcap_compile(p, &program, text, 1, PCAP_NETMASK_UNKNOWN);

	if (status)
		return fail("pcap_compile", pcap_geterr(p));
	begun = openclose_now();
	status = pcap_setfilter(p, &program);
	*took = openclose_now() - begun;
	pcap_freecode(&program);
	return status ? fail("pcap_setfilter", pcap_geterr(p)) : 0;
}

int openclose_pcap(const char *device, const char *filter, struct openclose_times *t)
{
	double begun = openclose_now();
	pcap_t *p = create(device);
	int status;

	if (!p)
		return -1;
	t->create = openclose_now() - begun;
	begun = openclose_now();
	status = pcap_activate(p);
	t->activate = openclose_now() - begun;
	if (status)
		return fail("pcap_activate", pcap_geterr(p));
	if (filter && set_filter(p, filter, &t->setfilter))
		return -1;
	openclose_rest();
	begun = openclose_now();
	pcap_close(p);
	t->close = openclose_now() - begun;
	return 0;
}
