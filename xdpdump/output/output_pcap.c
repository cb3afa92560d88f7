/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Writes the older pcap format, with nanoseconds, for readers that do not know pcapng. It has one
 * link type, and nothing besides the frames.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "output_cooked.h"
#include "pcapng/cooked.h"
#include "pcapng/format.h"
#include "pcapng/savefile.h"
#include "xdpdump/files/sink.h"
#include "xdpdump/source/source.h"

#define GATHER_SIZE (1u << 20) /* holds any record several times */

struct pcap_output {
	struct output o;
	struct output_context context;
	struct sink sink;
	struct savefile_header header;
	uint64_t bytes_before, gathered;
	bool failed;
	size_t used;
	uint8_t room[GATHER_SIZE];
};

/* Returns how many of the n bytes at p are whole records. At the start of a file they begin with
 * its header. */
static size_t whole_records(const uint8_t *p, size_t n, size_t at, uint64_t *packets)
{
	struct savefile_record r;

	while (at + sizeof(r) <= n) {
		memcpy(&r, p + at, sizeof(r));
		if (r.caplen > n - at - sizeof(r))
			break;
		at += sizeof(r) + r.caplen;
		++*packets;
	}
	return at <= n ? at : 0;
}

static int write_out(struct pcap_output *f)
{
	struct iovec all = {f->room, f->used};
	uint64_t before = f->sink.written;
	size_t header = before ? 0 : sizeof(f->header);
	int e = f->used ? sink_write(&f->sink, &all, 1) : 0;

	if (e) {
		f->failed = true;
		sink_cut(&f->sink, before + whole_records(f->room, f->sink.written - before, header,
							  &f->o.packets));
	} else {
		f->o.packets += f->gathered;
	}
	f->o.bytes = f->bytes_before + f->sink.written;
	f->gathered = 0;
	f->used = 0;
	return e;
}

static void put(struct pcap_output *f, const void *bytes, size_t n)
{
	memcpy(f->room + f->used, bytes, n);
	f->used += n;
	f->o.length += n;
}

/* Write a record that has the lengths l, with the first caplen bytes of its frame. */
static int put_record(struct pcap_output *f, const struct source *s, const struct epb_header *r,
		      const struct epb_lengths *l, uint32_t caplen)
{
	bool cooks = output_cooks(&f->context, s);
	struct epb_cooked head;
	uint32_t replaced = cooks ? output_cook(&head, s, r, l) : 0;
	uint32_t length = cooks ? cooked_length(caplen, replaced) : caplen;
	struct savefile_record out =
		savefile_record(epb_time(r), length,
				cooks ? cooked_length(r->len, replaced) : r->len);
	int e = sizeof(f->room) - f->used < sizeof(out) + length ? write_out(f) : 0;

	if (e)
		return e;
	put(f, &out, sizeof(out));
	if (cooks)
		put(f, &head, sizeof(head));
	if (caplen > replaced)
		put(f, epb_frame(r) + replaced, caplen - replaced);
	f->gathered++;
	f->o.taken++;
	return 0;
}

static int pcap_records(struct output *o, const struct batch *b)
{
	const struct epb_header *r = b->first;
	struct epb_lengths l;
	int e = 0;

	for (; !e && batch_has(b, r, &l); r = batch_next(r, &l))
		e = put_record((struct pcap_output *)o, b->source, r, &l, batch_caplen(b, &l));
	return !e && r != b->end ? -EBADMSG : e;
}

static int pcap_flush(struct output *o, bool asked)
{
	(void)asked;
	return write_out((struct pcap_output *)o);
}

static int pcap_end(struct output *o, const struct output_end *end, struct sink *s)
{
	struct pcap_output *f = (struct pcap_output *)o;
	int e = f->failed ? 0 : write_out(f);

	(void)end;
	*s = f->sink;
	f->sink.fd = -1;
	return e;
}

static int pcap_begin(struct output *o, struct sink *s, const char *name)
{
	struct pcap_output *f = (struct pcap_output *)o;

	f->sink = *s;
	s->fd = -1;
	f->bytes_before = o->bytes;
	o->name = name;
	o->taken = 0;
	o->length = 0;
	put(f, &f->header, sizeof(f->header));
	return write_out(f);
}

static void pcap_free(struct output *o)
{
	struct pcap_output *f = (struct pcap_output *)o;

	sink_close(&f->sink);
	free(f);
}

static const struct output_ops pcap_ops = {
	.records = pcap_records,
	.flush = pcap_flush,
	.end = pcap_end,
	.begin = pcap_begin,
	.free = pcap_free,
};

int output_pcap_open(struct output **out, struct sink *s, const char *name,
		     const struct output_context *c)
{
	struct pcap_output *f = calloc(1, sizeof(*f));
	int e;

	if (!f) {
		sink_close(s);
		return -ENOMEM;
	}
	f->o.ops = &pcap_ops;
	f->context = *c;
	f->header = savefile_header(output_snaplen(c), output_link_type(c, &c->sources[0]));
	e = pcap_begin(&f->o, s, name);
	if (e)
		pcap_free(&f->o);
	else
		*out = &f->o;
	return e;
}
