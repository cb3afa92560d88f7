/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/options/options.h"
#include "swap.h"

#define READ_MS 10

/* The library's handle is the backend. */
static struct afxdp_capture *capture_of(struct backend *b)
{
	return (struct afxdp_capture *)b;
}

static _Noreturn void fail(const char *what, const char *why)
{
	fprintf(stderr, "%s: %s\n", what, why);
	exit(1);
}

struct backend *backend_open(const char *device, uint32_t snaplen)
{
	struct afxdp_options o = {.snaplen = snaplen, .filter_follows = true};
	char text[AFXDP_ERROR_SIZE];
	struct afxdp_capture *c;

	if (afxdp_options_device(&o, device, text, sizeof(text)) ||
	    afxdp_open(&c, &o, text, sizeof(text)))
		fail(device, text);
	return (struct backend *)c;
}

void backend_close(struct backend *b)
{
	afxdp_close(capture_of(b));
}

/* Says of each where it runs, as the library does when it is asked to. */
void backend_set_filter(struct backend *b, struct sock_filter *f, unsigned n)
{
	char text[AFXDP_ERROR_SIZE];

	if (afxdp_set_filter(capture_of(b), f, n, text, sizeof(text)))
		fail("set_filter", text);
	fprintf(stderr, "pcap-afxdp: xdp:library: filter %s\n", afxdp_filter_text(capture_of(b)));
}

static void hand_out(struct afxdp_capture *c, const struct afxdp_run *run,
		     const struct epb_header *r, frame_handler *handler)
{
	uint32_t caplen = run->refine ? afxdp_refine(afxdp_reader(c), r) : r->caplen;

	if (caplen)
		handler(epb_frame(r), caplen, r->len, epb_time(r));
}

void backend_read(struct backend *b, frame_handler *handler)
{
	struct afxdp_capture *c = capture_of(b);
	struct afxdp_run run;
	const struct epb_header *r;

	while (afxdp_run(afxdp_reader(c), &run)) {
		for (r = run.first; afxdp_run_has(&run, r);) {
			const struct epb_header *next = epb_next(r);

			hand_out(c, &run, r, handler);
			r = next;
		}
		afxdp_run_done(afxdp_reader(c), &run, r);
	}
	afxdp_wait(afxdp_reader(c), READ_MS);
}

uint64_t backend_lost(struct backend *b)
{
	struct afxdp_stats s;

	afxdp_stats(capture_of(b), &s, sizeof(s));
	return afxdp_stats_lost(&s);
}
