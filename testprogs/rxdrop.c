/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Receives frames by the pcap API and drops them: how many frames a second does a device
 * deliver? */
#include <poll.h>
#include <stdio.h>

#include "rate.h"

static const struct option_row rows[] = {
	RATE_ROWS("device to receive on"),
	RATE_RECEIVE_ROWS("capture filter"),
	{0},
};

static const struct program program = {
	"rxdrop",
	"-i DEV [OPTION]...",
	"Receives and throws away, and reports the rate as JSON.",
	rows,
	false,
};

static void drop(u_char *user, const struct pcap_pkthdr *h, const u_char *frame)
{
	(void)frame;
	rate_add((struct rate *)(void *)user, h->len);
}

int main(int argc, char **argv)
{
	struct rate_options o = {.devices_max = 1, .seconds = 10, .nonblock = true};
	struct pollfd fd = {.events = POLLIN};
	struct rate r;
	struct json json;
	pcap_t *p;
	int n = 0;

	rate_read_options(&o, &program, argc, argv);
	p = rate_open(program.name, &o, 0);
	rate_begin(&r, program.name, &o);
	fd.fd = pcap_get_selectable_fd(p);
	while (n >= 0 && rate_goes_on(&r)) {
		uint64_t left = o.count - r.frames;

		if (n == 0 && r.rounds > 1)
			poll(&fd, 1, RATE_TIMEOUT_MS);
		n = pcap_dispatch(p, o.count && left < 4096 ? (int)left : 4096, drop, (u_char *)&r);
	}
	if (n < 0)
		fprintf(stderr, "rxdrop: %s: %s\n", o.devices[0], pcap_geterr(p));
	rate_report(&r, &json);
	rate_report_stats(&json, p);
	json_close(&json);
	pcap_close(p);
	return n < 0;
}
