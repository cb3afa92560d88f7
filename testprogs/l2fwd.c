/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Forwards by the pcap API: sends frames from each device to the other, or back to the same one if
 * there is only one, with source and destination address exchanged.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "rate.h"

#define FRAME_ROOM 65536
#define MAC_LENGTH 6
#define BATCH	   256
#define WAIT_MS	   1
#define PATIENCE   1000 /* how often to wait for one frame */

struct forward {
	pcap_t *to;
	struct rate *rate;
	uint64_t received, dropped;
};

static const struct option_row rows[] = {
	RATE_ROWS("device; given twice: the other one"),
	RATE_RECEIVE_ROWS("forward what this takes"),
	{0},
};

static const struct program program = {
	"l2fwd",
	"-i DEV [-i DEV] [OPTION]...",
	"Sends frames back, or on to the other device, with their addresses exchanged, and reports\n"
	"the rate as JSON.",
	rows,
	false,
};

/* Sending does not block: if there is no room, wait up to PATIENCE times. */
static bool send_frame(pcap_t *to, const u_char *frame, uint32_t length)
{
	for (int waits = 0; waits < PATIENCE; waits++) {
		errno = 0;
		if (pcap_inject(to, frame, length) == (int)length)
			return true;
		if (errno != EAGAIN)
			return false;
		poll(NULL, 0, WAIT_MS);
	}
	return false;
}

static void forward(u_char *user, const struct pcap_pkthdr *h, const u_char *frame)
{
	struct forward *f = (void *)user;
	static u_char copy[FRAME_ROOM];

	f->received++;
	if (h->caplen < 2 * MAC_LENGTH || h->caplen < h->len || h->len > sizeof(copy)) {
		f->dropped++;
		return;
	}
	memcpy(copy, frame + MAC_LENGTH, MAC_LENGTH);
	memcpy(copy + MAC_LENGTH, frame, MAC_LENGTH);
	memcpy(copy + 2 * MAC_LENGTH, frame + 2 * MAC_LENGTH, h->len - 2 * MAC_LENGTH);
	if (send_frame(f->to, copy, h->len))
		rate_add(f->rate, h->len);
	else
		f->dropped++;
}

/* Sleeps until a device has something, and reads each. Returns -1 if one has failed. */
static int round_of(pcap_t **p, int count, struct forward *f)
{
	struct pollfd fds[2];
	int n = 0;

	for (int i = 0; i < count; i++)
		fds[i] = (struct pollfd){pcap_get_selectable_fd(p[i]), POLLIN, 0};
	poll(fds, count, f->rate->rounds > 1 ? RATE_TIMEOUT_MS : 0);
	for (int i = 0; i < count && n >= 0; i++) {
		n = pcap_dispatch(p[i], BATCH, forward, (u_char *)&f[i]);
		if (n < 0)
			fprintf(stderr, "l2fwd: %s: %s\n", f->rate->options->devices[i],
				pcap_geterr(p[i]));
	}
	return n;
}

static void report(struct rate *r, pcap_t **p, int count, const struct forward *f)
{
	struct json json;

	rate_report(r, &json);
	json_count(&json, "received", f[0].received + f[1].received);
	json_count(&json, "dropped", f[0].dropped + f[1].dropped);
	for (int i = 0; i < count; i++) {
		json_group(&json, i ? "other_stats" : "stats");
		rate_report_stats(&json, p[i]);
		json_group_end(&json);
	}
	json_close(&json);
}

int main(int argc, char **argv)
{
	struct rate_options o = {.devices_max = 2, .seconds = 10, .nonblock = true};
	struct rate r;
	struct forward f[2] = {{.rate = &r}, {.rate = &r}};
	pcap_t *p[2];
	int count, n = 0;

	rate_read_options(&o, &program, argc, argv);
	count = o.devices[1] ? 2 : 1;
	for (int i = 0; i < count; i++)
		p[i] = rate_open(program.name, &o, i);
	f[0].to = p[count - 1];
	f[1].to = p[0];
	rate_begin(&r, program.name, &o);
	while (n >= 0 && rate_goes_on(&r))
		n = round_of(p, count, f);
	report(&r, p, count, f);
	for (int i = 0; i < count; i++)
		pcap_close(p[i]);
	return n < 0;
}
