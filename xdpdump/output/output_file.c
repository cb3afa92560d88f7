/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Writes pcapng. For a file, a thread does the writing. This code writes by itself to a pipe, and
 * where there is no compression, no index, and no way past the page cache. Long runs of records
 * then go from the ring to the kernel as they are. Short runs, such as two busy rings bring in
 * turn, are gathered first, because a system call per record would cost many times what the copy
 * does.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include <config.h>
#include "output.h"
#include "entries.h"
#include "label.h"
#include "output_cooked.h"
#include "pcapng/packet_options.h"
#include "pcapng/read.h"
#include "pcapng/replace.h"
#include "pcapng/write.h"
#include "xdpdump/files/indexer.h"
#include "xdpdump/files/sink.h"
#include "xdpdump/os/complain.h"
#include "xdpdump/source/members.h"
#include "xdpdump/source/source.h"
#include "xdpdump/files/writer.h"
#include "xdpdump/files/zstd_file.h"

#define GATHER_SIZE	    (512u << 10) /* holds any record several times */
#define GATHER_RUNS	    (16u << 10)	 /* runs up to here are gathered */
#define COMMENT_MAX	    (16u << 10)
#define FED_PROCESSES_MAX   (2u << 20)	 /* with keys: less than feed/beginning.c keeps */
#define NO_NUMBER	    UINT32_MAX	 /* the process has none */
#define INTERFACE_BLOCK_MAX (128u << 10) /* a filter can be 64 KiB long */

struct file_output {
	struct output o;
	struct output_context context;
	struct writer *writer; /* NULL: this code writes to the sink */
	struct sink sink;
	uint64_t packets_before, bytes_before; /* in files that have ended */
	uint64_t delivered[SOURCES_MAX *
			   AFXDP_SIDES]; /* packets of each interface in the present file */
	bool has_ended[SOURCES_MAX];	 /* sources whose statistics are written */
	uint32_t interfaces;		 /* blocks of them in the present file */
	uint64_t gathered_packets;
	struct process_numbers {
		uint32_t of_label[LABELS_MAX]; /* its number plus 1; 0: not in this file */
		unsigned next;
		size_t bytes; /* of their blocks */
	} processes;
	bool failed;
	struct bytes gathered;
	uint8_t room[GATHER_SIZE];
};

/* After a failed write, keep only the whole blocks of what it wrote. */
static void cut_to_whole_blocks(struct file_output *f, const struct iovec *parts, int n,
				uint64_t before)
{
	uint64_t reached = f->sink.written - before, kept = 0;

	f->failed = true;
	for (int i = 0; i < n && reached; i++) {
		size_t length = reached < parts[i].iov_len ? reached : parts[i].iov_len;

		kept += pcapng_whole_blocks(parts[i].iov_base, length, &f->o.packets);
		reached -= length;
	}
	sink_cut(&f->sink, before + kept);
	f->o.bytes = f->bytes_before + f->sink.written;
}

static void count_written(struct file_output *f)
{
	uint64_t packets, bytes;

	writer_count(f->writer, &packets, &bytes);
	f->o.packets = f->packets_before + packets;
	f->o.bytes = f->bytes_before + bytes;
}

/* Like write_out(), but through the thread, which tells later how much was written. */
static int hand_over(struct file_output *f, const void *run, size_t length)
{
	int e = 0;

	if (f->gathered.used)
		e = writer_write(f->writer, f->gathered.at, f->gathered.used);
	if (!e)
		e = writer_write(f->writer, run, length);
	f->gathered.used = 0;
	f->gathered_packets = 0;
	f->failed = e != 0;
	count_written(f);
	return e;
}

/* Write what is gathered and, behind it, n records in one piece. */
static int write_out(struct file_output *f, const void *run, size_t length, uint64_t n)
{
	struct iovec parts[2] = {{f->gathered.at, f->gathered.used}, {(void *)run, length}};
	struct iovec consumed[2] = {parts[0], parts[1]};
	uint64_t before = f->sink.written;
	int e;

	if (f->writer)
		return hand_over(f, run, length);
	e = sink_write(&f->sink, consumed, 2);
	if (e) {
		cut_to_whole_blocks(f, parts, 2, before);
		return e;
	}
	f->o.packets += f->gathered_packets + n;
	f->o.bytes = f->bytes_before + f->sink.written;
	f->gathered_packets = 0;
	f->gathered.used = 0;
	return 0;
}

static int make_room(struct file_output *f, size_t length)
{
	return f->gathered.room - f->gathered.used < length ? write_out(f, NULL, 0, 0) : 0;
}

static void count(struct file_output *f, uint64_t n, uint64_t length)
{
	f->o.taken += n;
	f->o.length += length;
}

/* Are these bytes whole blocks and nothing else? */
static bool are_whole(const void *blocks, size_t length)
{
	uint64_t unused = 0;

	return pcapng_whole_blocks(blocks, length, &unused) == length;
}

/* The record of a dropped frame says which interface the frame belongs to, if that is known. */
static void name_dropped(struct epb_header *cooked)
{
	struct packet_options more;

	packet_options_read(&more, cooked);
	if (more.has_drop)
		((struct epb_cooked *)(void *)epb_frame(cooked))->ifindex =
			htonl(more.drop_ifindex);
}

/*
 * The block of a process comes before its first packet. A live stream keeps all these blocks for
 * readers that join later, so there their total size is limited: packets of later processes get a
 * comment only.
 */
static uint32_t put_process(struct file_output *f, const struct label *l)
{
	struct process_numbers *p = &f->processes;
	uint32_t *number = &p->of_label[label_index(f->context.labels, l)];
	size_t before = f->gathered.used;

	if (!*number && f->context.is_fed && p->bytes > FED_PROCESSES_MAX)
		return NO_NUMBER;
	if (!*number) {
		pcapng_put_process(&f->gathered, l->pid, l->name);
		*number = ++p->next;
		f->o.length += f->gathered.used - before;
		p->bytes += f->gathered.used - before;
	}
	return *number - 1;
}

/* Replace the socket option of the record at offset from by what the label says. */
static void put_label(struct file_output *f, size_t from, const struct label *l, uint32_t number)
{
	const uint32_t thread[2] = {l ? l->pid : 0, 0}; /* which thread nobody knows */
	uint8_t room[OUTPUT_LABELED_MORE];
	struct bytes options = {.at = room, .room = sizeof(room)};

	if (number != NO_NUMBER)
		block_option(&options, EPB_PROCESS, &number, sizeof(number));
	if (l && l->has_pid)
		block_option(&options, EPB_THREAD, thread, sizeof(thread));
	if (l && l->comment[0])
		block_option(&options, OPT_COMMENT, l->comment, strlen(l->comment));
	pcapng_replace(&f->gathered, from, EPB_OPT_SOCKET_RAW, &options);
}

/* Copy a record that has the lengths l to our own memory, with less of its frame or another header.
 */
static int put_changed(struct file_output *f, const struct source *s, const struct epb_header *r,
		       const struct epb_lengths *l, uint32_t caplen)
{
	const struct label *label = label_of_record(f->context.labels, r, l);
	int e = make_room(f, l->total + OUTPUT_COOKED_MORE + (label ? OUTPUT_LABELED_MORE : 0) +
				     (f->context.entries ? OUTPUT_ENTRIES_MORE : 0));
	bool cooks = output_cooks(&f->context, s);
	struct epb_cooked head;
	uint32_t number = NO_NUMBER;
	size_t before;

	if (e)
		return e;
	if (label && label->name[0])
		number = put_process(f, label);
	before = f->gathered.used;
	pcapng_put_record(&f->gathered, r, l, caplen, cooks ? &head : NULL,
			  cooks ? output_cook(&head, s, r, l) : 0);
	if (cooks && s->drops)
		name_dropped((void *)(f->gathered.at + before));
	if (f->context.labels)
		put_label(f, before, label, number);
	if (f->context.entries)
		entries_put(&f->gathered, before, r, l);
	f->gathered_packets++;
	count(f, 1, f->gathered.used - before);
	return 0;
}

static int put_each(struct file_output *f, const struct batch *b)
{
	const struct epb_header *r = b->first;
	struct epb_lengths l;
	int e = 0;

	for (; !e && batch_has(b, r, &l); r = batch_next(r, &l))
		e = put_changed(f, b->source, r, &l, batch_caplen(b, &l));
	return !e && r != b->end ? -EBADMSG : e;
}

static int file_records(struct output *o, const struct batch *b)
{
	struct file_output *f = (struct file_output *)o;
	size_t length = (size_t)((const uint8_t *)b->end - (const uint8_t *)b->first);
	int e;

	if (!b->source->members) { /* the reader counts those of members */
		f->delivered[b->source->interface_ids[AFXDP_RECEIVED]] += b->n - b->sent;
		f->delivered[b->source->interface_ids[AFXDP_SENT]] += b->sent;
	}
	if (b->keep || f->context.labels || f->context.entries ||
	    output_cooks(&f->context, b->source))
		return put_each(f, b);
	count(f, b->n, length);
	if (f->writer)
		return write_out(f, b->first, length, b->n);
	if (length > GATHER_RUNS)
		return are_whole(b->first, length) ? write_out(f, b->first, length, b->n)
						   : -EBADMSG;
	e = make_room(f, length);
	if (e)
		return e;
	memcpy(f->gathered.at + f->gathered.used, b->first, length);
	if (!are_whole(f->gathered.at + f->gathered.used, length))
		return -EBADMSG;
	f->gathered.used += length;
	f->gathered_packets += b->n;
	return 0;
}

static int file_secrets(struct output *o, const char *lines, size_t n, bool again)
{
	struct file_output *f = (struct file_output *)o;
	int e = make_room(f, n + PCAPNG_SECRETS_EXTRA);

	(void)again;
	/* Keys do not count in o.length: each file has all of them, and they alone could fill it. */
	if (!e)
		pcapng_put_secrets(&f->gathered, SECRETS_TLS_KEY_LOG, lines, n);
	return e;
}

static int file_flush(struct output *o, bool asked)
{
	struct file_output *f = (struct file_output *)o;
	int e = f->gathered.used ? write_out(f, NULL, 0, 0) : 0;

	if (!f->writer || e)
		return e;
	if (asked ||
	    !f->context.zstd_level) /* a zstd frame of only a few packets would save nothing */
		writer_flush(f->writer);
	return hand_over(f, NULL, 0); /* has it failed by now? */
}

static int put_statistics(struct file_output *f, const struct pcapng_statistics *s)
{
	int e = make_room(f, PCAPNG_STATISTICS_SIZE + PCAPNG_STATISTICS_COMMENT);
	size_t before = f->gathered.used;

	if (e)
		return e;
	pcapng_put_statistics(&f->gathered, s);
	f->o.length += f->gathered.used - before;
	return 0;
}

static int put_member(struct file_output *f, const struct member *m, uint64_t now)
{
	return put_statistics(f, &(struct pcapng_statistics){.interface_id = m->id,
							     .time = now,
							     .start_time = m->begun,
							     .end_time = now,
							     .received = m->delivered,
							     .accepted = m->delivered,
							     .delivered = m->delivered});
}

/* Write the statistics of the sides from first to last, which share a block. If there are two, its
 * comment says which had what. */
static int put_sides(struct file_output *f, const struct source *source, enum afxdp_side first,
		     enum afxdp_side last, const struct output_end *end)
{
	const struct afxdp_stats *s = &end->stats[source - f->context.sources];
	char text[PCAPNG_STATISTICS_COMMENT] = "";
	struct pcapng_statistics out = {.interface_id = source->interface_ids[first],
					.time = end->end_time,
					.start_time = end->start_time,
					.end_time = end->end_time};

	for (enum afxdp_side side = first; side <= last; side++) {
		out.received += s->side_seen[side];
		out.accepted += afxdp_stats_side_accepted(s, side);
		out.dropped_by_system += s->side_lost[side];
	}
	out.delivered = source->members ? source->members->unknown : f->delivered[out.interface_id];
	if (first == AFXDP_RECEIVED && source_has(source, AFXDP_RECEIVED))
		out.dropped_by_interface = s->nic_dropped;
	if (first != last && source_has(source, AFXDP_RECEIVED) && source_has(source, AFXDP_SENT)) {
		snprintf(text, sizeof(text),
			 "received: %" PRIu64 " matched, %" PRIu64 " lost; sent: %" PRIu64
			 " matched, %" PRIu64 " lost%s%s",
			 afxdp_stats_side_accepted(s, AFXDP_RECEIVED), s->side_lost[AFXDP_RECEIVED],
			 afxdp_stats_side_accepted(s, AFXDP_SENT), s->side_lost[AFXDP_SENT],
			 source->change[0] ? "; " : "", source->change);
		out.comment = text;
	} else if (first == AFXDP_RECEIVED && source->change[0]) {
		out.comment = source->change;
	}
	return put_statistics(f, &out);
}

/*
 * For a source with many interfaces, what the program saw and lost is known only for all of them
 * together. For each interface, only its packets in the file are known.
 */
static int put_many(struct file_output *f, const struct source *source,
		    const struct output_end *end)
{
	const struct members *all = source->members;
	int e = put_sides(f, source, AFXDP_RECEIVED, AFXDP_SENT, end);

	for (unsigned i = 0; i < all->room && !e; i++)
		if (members_have_block(all, &all->at[i]))
			e = put_member(f, &all->at[i], end->end_time);
	return e;
}

/* Write the statistics of a source, unless they are already in the file. */
static int put_source_statistics(struct file_output *f, unsigned source,
				 const struct output_end *end)
{
	const struct source *s = &f->context.sources[source];
	int e = 0;

	if (f->has_ended[source])
		return 0;
	if (s->members)
		return put_many(f, s, end);
	if (source_has_one_block(s))
		return put_sides(f, s, AFXDP_RECEIVED, AFXDP_SENT, end);
	for (enum afxdp_side side = 0; side < AFXDP_SIDES && !e; side++)
		if (source_has(s, side))
			e = put_sides(f, s, side, side, end);
	return e;
}

static int file_end_source(struct output *o, unsigned source, const struct output_end *end)
{
	struct file_output *f = (struct file_output *)o;
	int e = f->failed ? 0 : put_source_statistics(f, source, end);

	if (!f->failed && !e)
		f->has_ended[source] = true;
	return e;
}

static int file_end_interface(struct output *o, const struct member *m, uint64_t now)
{
	struct file_output *f = (struct file_output *)o;

	return f->failed ? 0 : put_member(f, m, now);
}

/* e is an earlier error, or 0. */
static int end_writer(struct file_output *f, int e, struct sink *s)
{
	int ended = writer_end(f->writer, s);

	count_written(f);
	return e ? e : f->failed ? 0 : ended;
}

static int file_end(struct output *o, const struct output_end *end, struct sink *s)
{
	struct file_output *f = (struct file_output *)o;
	int e = 0;

	if (!f->failed)
		e = file_flush(o,
			       false); /* so that a disk that is full has room for packets first */
	if (!f->failed && !e) {
		for (unsigned i = 0; i < f->context.count && !e; i++)
			e = put_source_statistics(f, i, end);
		if (!e)
			e = file_flush(o, false);
	}
	if (f->writer)
		return end_writer(f, e, s);
	*s = f->sink;
	f->sink.fd = -1;
	return e;
}

static void file_free(struct output *o)
{
	struct file_output *f = (struct file_output *)o;

	writer_close(f->writer);
	sink_close(&f->sink);
	free(f);
}

static int put_block(struct file_output *f, const struct pcapng_interface *i)
{
	int e = make_room(f, INTERFACE_BLOCK_MAX);
	size_t before = f->gathered.used;

	if (e)
		return e;
	pcapng_put_interface(&f->gathered, i);
	f->o.length += f->gathered.used - before;
	f->interfaces++;
	return 0;
}

static int put_interface(struct file_output *f, const struct source *s, enum afxdp_side side,
			 const char *os)
{
	const struct output_context *c = &f->context;
	char hardware[INTERFACE_HARDWARE_SIZE], name[SOURCE_NAME_SIZE],
		where[SOURCE_DESCRIPTION_SIZE];
	struct pcapng_interface interface = {
		.name = name,
		.description = where,
		.filter = c->filter,
		.os = os,
		.hardware = hardware,
		.mac = source_link(s) == LINK_ETHERNET ? s->interface.mac : NULL,
		.speed = s->interface.speed,
		.snaplen = output_snaplen(c),
		.link_type = output_link_type(&f->context, s),
	};

	source_name(s, name, sizeof(name));
	source_describe(s, source_has_one_block(s) ? AFXDP_SIDES : side, where, sizeof(where));
	interface_hardware(&s->interface, hardware, sizeof(hardware));
	if (!hardware[0])
		interface.hardware = NULL;
	return put_block(f, &interface);
}

/* "XDP programs on eth0: xdp_drop@17"; a line for each interface that had some. */
static void tell_programs(const struct output_context *c, char *text, size_t size)
{
	const char *netns = NULL, *named = "";
	size_t used = 0;

	text[0] = 0;
	for (unsigned i = 0; i < c->count && used < size; i++) {
		const struct source *s = &c->sources[i];

		/* Several sources of one interface lie together. */
		if (!s->programs[0] || (netns == s->netns && strcmp(named, s->interface.name) == 0))
			continue;
		netns = s->netns;
		named = s->interface.name;
		used += (size_t)snprintf(text + used, size - used, "%sXDP programs on %s%s%s: %s",
					 used ? "\n" : "", netns ? netns : "", netns ? "/" : "",
					 named, s->programs);
	}
}

/* Does the block of received frames stand for this side, too? */
static bool is_told(const struct source *s, enum afxdp_side side)
{
	return side == AFXDP_SENT && source_has_one_block(s) && source_has(s, AFXDP_RECEIVED);
}

/* Write the interface blocks of a source. */
static int put_interfaces(struct file_output *f, const struct source *s, const char *os)
{
	int e = 0;

	for (enum afxdp_side side = 0; side < AFXDP_SIDES && !e; side++)
		if (source_has(s, side) && !is_told(s, side))
			e = put_interface(f, s, side, os);
	return e;
}

/* In a file with many interfaces, a long filter in each block would be most of the file. */
#define FILTER_OF_MEMBERS 256

static int file_interface(struct output *o, const struct source *s, struct member *m)
{
	struct file_output *f = (struct file_output *)o;
	const char *filter = f->context.filter, *netns = s->many_spaces ? m->space : s->netns;
	char name[SOURCE_NAME_SIZE];
	struct pcapng_interface interface = {
		.name = name,
		.filter = filter && strlen(filter) < FILTER_OF_MEMBERS ? filter : NULL,
		.snaplen = output_snaplen(&f->context),
		.link_type = output_link_type(&f->context, s),
	};

	if (f->failed)
		return 0;
	m->id = f->interfaces;
	snprintf(name, sizeof(name), "%s%s%s%s", netns ? netns : "", netns ? "/" : "", m->name,
		 s->drops ? ":drops" : "");
	return put_block(f, &interface);
}

static int put_beginning(struct file_output *f)
{
	int e = 0;
	struct utsname u = {0};
	char os[sizeof(u.sysname) + sizeof(u.release) + sizeof(u.version) + 3];
	char programs[COMMENT_MAX];
	struct pcapng_section section = {.hardware = u.machine,
					 .os = os,
					 .application = "xdpdump (" PACKAGE_VERSION_TEXT ")"};

	uname(&u);
	snprintf(os, sizeof(os), "%s %s %s", u.sysname, u.release, u.version);
	tell_programs(&f->context, programs, sizeof(programs));
	if (programs[0])
		section.comment = programs;
	pcapng_put_section(&f->gathered, &section);
	f->interfaces = 0;
	f->o.length = f->gathered.used;
	for (unsigned i = 0; i < f->context.count && !e; i++)
		e = put_interfaces(f, &f->context.sources[i], os);
	return e;
}

static int file_begin(struct output *o, struct sink *s, const char *name)
{
	struct file_output *f = (struct file_output *)o;
	int e;

	f->packets_before = o->packets;
	f->bytes_before = o->bytes;
	if (f->context.index && s->regular && !(s->index = indexer_open()))
		complain("%s gets no index: %s", name, strerror(ENOMEM));
	if (f->writer) {
		writer_begin(f->writer, s);
	} else {
		f->sink = *s;
		s->fd = -1;
	}
	memset(f->delivered, 0, sizeof(f->delivered));
	f->processes.next = 0;
	f->processes.bytes = 0;
	if (f->context.labels)
		memset(f->processes.of_label, 0, label_count(f->context.labels) * sizeof(uint32_t));
	o->name = name;
	e = put_beginning(f);
	if (!e)
		e = file_flush(o, true);
	o->taken = 0;
	return e;
}

static const struct output_ops file_ops = {
	.records = file_records,
	.secrets = file_secrets,
	.flush = file_flush,
	.end_source = file_end_source,
	.interface = file_interface,
	.end_interface = file_end_interface,
	.end = file_end,
	.begin = file_begin,
	.free = file_free,
};

static int open_writer(struct file_output *f, const struct sink *s)
{
	const struct output_context *c = &f->context;
	struct zstd *z = NULL;
	int e = c->zstd_level ? zstd_open(&z, c->zstd_level, c->zstd_seekable, WRITER_PIECE) : 0;

	if (e || (!z && !s->direct && !c->index))
		return e;
	return writer_open(&f->writer, z);
}

int output_file_open(struct output **out, struct sink *s, const char *name,
		     const struct output_context *c)
{
	struct file_output *f = calloc(1, sizeof(*f));
	int e;

	if (!f) {
		sink_close(s);
		return -ENOMEM;
	}
	f->o.ops = &file_ops;
	f->context = *c;
	f->gathered = (struct bytes){.at = f->room, .room = sizeof(f->room)};
	f->sink.fd = -1;
	e = open_writer(f, s);
	if (e)
		sink_close(s);
	else
		e = file_begin(&f->o, s, name);
	if (e)
		file_free(&f->o);
	else
		*out = &f->o;
	return e;
}
