/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture.h"
#include "swap.h"

#define READ_MS 10

/* The engine's handle is the backend. */
static struct capture *capture_of(struct backend *b)
{
	return (struct capture *)b;
}

static void fail(const char *what, const char *why)
{
	fprintf(stderr, "%s: %s\n", what, why);
	exit(1);
}

struct backend *backend_open(const char *device, uint32_t snaplen)
{
	struct capture_options o = {.snaplen = snaplen, .filter_follows = true};
	char text[CAPTURE_ERROR_SIZE];
	struct capture *c;

	if (capture_parse_device(device, &o, text, sizeof(text)) ||
	    capture_open(&c, &o, text, sizeof(text)))
		fail(device, text);
	return (struct backend *)c;
}

void backend_close(struct backend *b)
{
	capture_close(capture_of(b));
}

/* Says of each where it runs, as the library does when it is asked to. */
void backend_set_filter(struct backend *b, struct sock_filter *f, unsigned n)
{
	char text[CAPTURE_ERROR_SIZE];

	if (capture_set_filter(capture_of(b), f, n, text, sizeof(text)))
		fail("set_filter", text);
	fprintf(stderr, "pcap-afxdp: xdp:engine: filter %s\n", capture_filter_text(capture_of(b)));
}

static void hand_out(struct capture *c, const struct capture_run *run, const struct epb_header *r,
		     frame_handler *handler)
{
	uint32_t caplen = run->refine ? capture_refine(c, r) : r->caplen;

	if (caplen)
		handler(epb_frame(r), caplen, r->len, epb_time(r));
}

void backend_read(struct backend *b, frame_handler *handler)
{
	struct capture *c = capture_of(b);
	struct capture_run run;
	const struct epb_header *r;

	while (capture_run(c, &run)) {
		for (r = run.first; capture_run_has(&run, r);) {
			const struct epb_header *next = epb_next(r);

			hand_out(c, &run, r, handler);
			r = next;
		}
		capture_run_done(c, &run, r);
	}
	capture_wait(c, READ_MS);
}

uint64_t backend_lost(struct backend *b)
{
	struct capture_stats s;

	capture_stats(capture_of(b), &s);
	return capture_stats_lost(&s);
}
